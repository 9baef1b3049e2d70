"""Two summaries side by side with all labels on one page."""

import pytest
from django.urls import reverse

from annotation.models import Response
from annotation.studies.drafts.kinds import Crowd
from judging.answering import recording
from judging.instruments.files import load
from judging.items.cited_documents import with_numbers
from judging.items.drawing import draw_presentations
from judging.machines.fields import fields_of
from judging.machines.item_prompts import interviews, materials, messages
from judging.models import Item, Judgment, Prompt
from judging.simulation.simulating import simulate_crowd
from tests.cast import NOW, begun, bob, draft_study, in_sections, open_study, small_corpus

pytestmark = pytest.mark.django_db

PER_SUMMARY = {  # two sections of two statements, one of them without citation
    "sufficiency": 1, "faithfulness": 1, "representativeness": 1, "heading": 2, "relevance": 4,
    "support": 3, "covered": 2, "comprehensiveness": 1,
}  # fmt: skip
ANSWERS = 2 * sum(PER_SUMMARY.values()) + 1


@pytest.fixture
def study():
    corpus = small_corpus(topics=1, responses=2)
    topic = corpus.topics.get()
    for n in range(4):
        topic.passages.create(key=f"p{n}", rank=n + 1, text=f"Passage {n}.")
    for response in topic.responses.order_by("key"):
        in_sections(response)
        overview = response.segments.get(kind="overview")
        overview.cited.remove(*topic.passages.filter(key__in=["p0", "p2"]))
        Response.objects.filter(pk=response.pk).update(
            text="In short [3]. More [0, 1]. End [2].", marks=None
        )
    for link in overview.cited.through.objects.filter(passage__key="p2"):
        link.delete()
    return open_study(draft_study(instrument=load("summary-pair"), corpus=corpus))


def test_all_labels_of_a_pair_are_asked_on_one_page(study, client):
    page = client.get(reverse("judging:item", args=[begun(study, bob()).token, 1]))
    html = page.content.decode()
    assert page.context["wanted"] == ANSWERS
    for view in page.context["questions"]:
        fields = [field.slot for field in view.fields]
        expected = PER_SUMMARY.get(view.question.key)
        assert len(fields) == (2 * expected if expected else 1)
        assert html.count(f'data-question="{view.question.key}"') == len(fields)
    assert [slot.name for slot in page.context["documents"]] == ["d1", "d2", "d3"]


def test_parts_of_the_left_summary_come_first_whatever_was_drawn(study, client):
    assignment = begun(study, bob())
    page = client.get(reverse("judging:item", args=[assignment.token, 1]))
    (presentation,) = draw_presentations(assignment=assignment)
    left = presentation.order.split(",")[0]
    contents = {slot.name: slot.content for slot in presentation.item.slots.all()}
    for view in page.context["questions"]:
        owners = [
            contents[field.slot].response_id
            for field in view.fields
            if field.slot[:1] in "ohsuc" and field.slot
        ]
        half = len(owners) // 2
        assert set(owners[:half]) <= {contents[left].pk}
        assert contents[left].pk not in owners[half:]


def test_citations_have_the_numbers_of_the_documents_on_the_page(study, client):
    page = client.get(reverse("judging:item", args=[begun(study, bob()).token, 1]))
    html = page.content.decode()
    # The pool's place 2 is cited by no part: it is not shown, and 3 is the third document.
    assert 'href="#text-d3"' in html
    assert 'id="text-d3"' in html
    assert 'id="text-d4"' not in html
    assert "#text-d4" not in html


def test_numbers_replace_places():
    text, cited = with_numbers("A [0, 3]. B [2] C", [[2, 8, 0, 3], [12, 15, 2]], {0: 1, 3: 2})
    assert text == "A [1, 2]. B  C"
    assert cited == [[2, 8, 1, 2]]


def test_every_answer_is_saved_by_what_it_is_about(study):
    (work,) = simulate_crowd(study=study, crowd=Crowd(("Bob",), 0.9, 1.0, 1), now=NOW)
    rows = Judgment.objects.filter(assignment=work)
    assert rows.count() == ANSWERS
    asked = {key: rows.filter(question__key=key).count() for key in PER_SUMMARY}
    assert asked == {key: 2 * n for key, n in PER_SUMMARY.items()}
    assert rows.get(question__key="preference").value in set(
        Response.objects.values_list("key", flat=True)
    )
    key = Item.objects.get().key
    assert key.startswith("summary_pair:")
    assert len(key.split("|")) == 2


def test_a_part_that_a_question_is_not_about_cannot_be_answered(study):
    work = begun(study, bob())
    with pytest.raises(recording.NotAnAnswer):
        recording.record(
            assignment=work, answers=[recording.GivenAnswer(1, "support", "full", "o1")],
            now=work.arrived_at,
        )  # fmt: skip


def test_models_answer_the_same_questions_in_one_call(study):
    (item,) = Item.objects.all()
    material = materials([item])[item.pk]
    (interview,) = interviews(study, at_once=True)
    page = material.page(("b", "a"))
    fields = fields_of(interview.questions, page)
    assert len(fields) == ANSWERS
    whole = material.contents["c1"].rpartition(":")[0]
    letter = "B" if material.contents["a"] == whole else "A"
    about = next(field.about for field in fields if field.key == "covered/c1")
    assert about.endswith(f"Text {letter}")
    prompt = Prompt(system="", user="{query} {texts} {questions} {answers}")
    sent = messages(
        prompt=prompt, material=material, order=("b", "a"), interview=interview, notes={}
    )
    words = sent[-1]["content"]
    assert "In short [3]" in words  # the third document
    assert "### Document 3" in words
