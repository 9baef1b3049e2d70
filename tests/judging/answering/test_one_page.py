"""What several instruments ask of the same texts on one page, where a study wants that."""

from dataclasses import replace
from io import StringIO

import msgspec
import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from analysis.inputs.judged_items import judged_items
from annotation.models import Study
from annotation.studies.drafts import kinds, making
from annotation.studies.drafts.columns import columns_of
from annotation.studies.drafts.plain_data import plain
from annotation.studies.drafts.schema import Design
from judging.answering import recording
from judging.drafts import workload
from judging.drafts.warnings import made_alike, remarks
from judging.instruments.files import load
from judging.items.drawing import draw_presentations
from judging.models import Instrument, Judgment, Presentation
from judging.simulation.simulating import crowd, simulate
from tests.cast import NOW, begun, bob, draft_study, open_study, rita, small_corpus
from tests.hooks import elements
from tests.judging.design.test_several_instruments import choose_all, named

pytestmark = pytest.mark.django_db


def on_one_page(*others, **settings):
    instruments = [named("quality"), named("clarity"), *others]
    return open_study(
        draft_study(instruments=instruments, responses=5, presentation=Study.ONE_PAGE, **settings)
    )


def page_of(assignment, position):
    return Client().get(f"/w/{assignment.token}/judging/{position}/")


@pytest.fixture
def at_work():
    assignment = begun(on_one_page(), bob())
    draw_presentations(assignment=assignment)
    return assignment


def test_a_page_asks_all_that_is_asked_of_its_texts(at_work):
    items = at_work.study.items.count()
    page = page_of(at_work, 1)
    views = page.context["questions"]
    assert [view.title for view in views] == ["Part quality", "", "Part clarity", ""]
    assert [field.position for view in views for field in view.fields] == [1, 1, 2, 2]
    assert page.context["wanted"] == 4
    assert page.context["total"] == len(page.context["dots"]) == items
    assert page.context["part"] is None  # there is no other one
    assert f"1 of {items}" in page.content.decode()


def test_no_two_fields_of_a_page_have_a_name_an_id_or_a_choice_in_common(at_work):
    fields = [field for view in page_of(at_work, 1).context["questions"] for field in view.fields]
    assert len({field.name for field in fields}) == 4
    # The best for one criterion may be the worst for the other.
    assert len({field.apart for field in fields}) == 2


def test_each_position_of_a_page_leads_to_it_and_pages_follow_one_another(at_work):
    first, same, second = (page_of(at_work, position) for position in (1, 2, 3))
    assert first.context["page"].position == same.context["page"].position == 1
    assert (first.context["previous"], first.context["next"]) == (None, 3)
    assert (second.context["previous"], second.context["page"].number) == (1, 2)
    last = page_of(at_work, Presentation.objects.count())
    assert last.context["next"] is None


def test_it_is_done_when_all_of_it_is_answered_and_shows_what_was(at_work):
    given = [
        recording.GivenAnswer(1, "quality_best", "a"),
        recording.GivenAnswer(1, "quality_worst", "b"),
    ]
    recording.record(assignment=at_work, answers=given, now=NOW)
    page = page_of(at_work, 1)
    assert page.context["dots"][0].state == "begun"
    raws = [field.raw for view in page.context["questions"] for field in view.fields]
    assert raws == ["a", "b", "", ""]
    given = [
        recording.GivenAnswer(2, "quality_best", "b"),
        recording.GivenAnswer(2, "quality_worst", "a"),
    ]
    recording.record(assignment=at_work, answers=given, now=NOW)
    assert page_of(at_work, 1).context["dots"][0].state == "done"


def test_the_last_page_names_each_open_page_once(at_work):
    choose_all(at_work)
    Judgment.objects.filter(item=draw_presentations(assignment=at_work)[2].item).delete()
    page = Client().get(f"/w/{at_work.token}/judging/finish/")
    opened = [
        (each.page.number, each.page.position, each.is_whole) for each in page.context["open"]
    ]
    assert opened == [(2, 3, True)]
    assert Client().get(f"/w/{at_work.token}/judging/").url.endswith("/judging/3/?only=open")


def test_the_last_page_leads_to_each_open_question_by_the_name_it_has_on_its_page(at_work):
    choose_all(at_work)
    second = draw_presentations(assignment=at_work)[1]
    Judgment.objects.filter(
        item=second.item, question__instrument=second.instrument_id, question__key="quality_worst"
    ).delete()
    end = Client().get(f"/w/{at_work.token}/judging/finish/")
    [opened] = end.context["open"]
    assert not opened.is_whole
    [question] = opened.questions
    assert question.mark == "2-quality_worst"
    address = f"/w/{at_work.token}/judging/1/?only=open"
    assert f"{address}#question-{question.mark}" in end.content.decode()
    page = Client().get(address)
    assert f'id="question-{question.mark}"' in page.content.decode()
    assert page.context["next"] is None  # the end, as no other page is open
    assert page_of(at_work, 1).context["next"] == 3


def test_both_instructions_stand_on_the_page_below_their_titles(at_work):
    page = page_of(at_work, 1).content.decode()
    instructions = page.partition('id="instructions"')[2]
    assert "Part quality" in instructions
    assert "Part clarity" in instructions
    assert elements(instructions, "data-part-number") == []


def test_texts_that_only_one_is_asked_of_have_a_part_and_instructions_of_their_own():
    assignment = begun(on_one_page(load("crowdrag-pointwise")), bob())
    pages = draw_presentations(assignment=assignment)
    first, last = page_of(assignment, 1), page_of(assignment, len(pages))
    assert first.context["part"].title == "Part quality · Part clarity"
    assert (first.context["part"].number, first.context["part"].total) == (1, 2)
    assert last.context["part"].number == 2
    assert len(last.context["questions"]) == 7
    said = last.content.decode().partition('id="instructions"')[2]
    assert "Part quality" not in said


def test_one_page_takes_as_many_queries_as_two_pages(django_assert_max_num_queries):
    counts = []
    for slug, presentation in (("one", Study.ONE_PAGE), ("two", {})):
        study = draft_study(
            instruments=[named("quality"), named("clarity")],
            slug=slug,
            corpus=small_corpus(slug=slug, responses=5),
            presentation=presentation,
        )
        assignment = begun(open_study(study), bob())
        choose_all(assignment)
        page_of(assignment, 1)
        with django_assert_max_num_queries(99) as asked:
            page_of(assignment, 1)
        counts.append(len(asked))
        recording.submit(assignment=assignment, now=NOW)
    assert counts[0] == counts[1]


def test_the_choice_goes_from_a_document_to_its_study_and_back():
    study = on_one_page()
    document = making.document_of(study)
    assert document.design.one_page
    assert columns_of(document)["presentation"] == Study.ONE_PAGE
    older = plain(document)
    del older["design"]["one_page"]
    assert not kinds.decoded(older).design.one_page


def test_the_command_takes_it():
    small_corpus(responses=5)
    names = ["--instrument", "best-worst", "--instrument", "crowdrag-pointwise"]
    arguments = ["lamps", "--corpus", "lamps", *names, "--one-page", "--write"]
    call_command("create_study", *arguments, stdout=StringIO())
    assert Study.objects.get().is_one_page


def test_a_crowd_answers_it_and_a_researcher_sees_it_by_its_pages(client):
    study = on_one_page()
    list(simulate(study=study, workers=crowd(workers=3, spammers=0, seed=1), now=NOW))
    assert Judgment.objects.count() == 2 * Presentation.objects.count()
    work = study.assignments.filter(state="submitted").first()
    client.force_login(rita())
    page = client.get(f"{study.get_absolute_url()}work/{work.pk}/")
    for part in page.context["parts"]:
        items = study.items.count()
        assert [each.number for each in part["pages"]] == list(range(1, items + 1))
    last = draw_presentations(assignment=work)[-1]
    page = client.get(f"{study.get_absolute_url()}items/{last.item_id}/", {"work": work.pk})
    assert page.context["page"] == items


def test_a_remark_on_long_pages_counts_all_questions_of_a_page():
    study = on_one_page()
    document = making.document_of(study)
    outline = workload.outline(document, study.corpus)
    long = replace(outline, words_a_page=260.0)
    apart = msgspec.structs.replace(document, design=Design())
    for asked, said in ((document, "4 questions"), (apart, "2 questions")):
        about_length = [remark for remark in remarks(asked, long) if "screens" in remark.sentence]
        assert [said in each.sentence for each in about_length] == [True, True]


def test_methods_whose_questionnaires_differ_are_not_made_alike():
    assert made_alike(named("quality"), named("clarity"))
    assert not made_alike(named("quality"), load("crowdrag-pointwise"))


def test_the_instruments_keep_instructions_of_their_own():
    on_one_page()
    assert all(instrument.instructions for instrument in Instrument.objects.all())


@pytest.mark.parametrize(("presentation", "said"), [(Study.ONE_PAGE, "Short."), ({}, "")])
def test_a_remark_belongs_to_all_that_is_asked_on_its_page(presentation, said):
    instruments = [named("quality"), named("clarity")]
    study = open_study(draft_study(instruments=instruments, responses=5, presentation=presentation))
    assignment = begun(study, bob())
    choose_all(assignment)
    first = draw_presentations(assignment=assignment)[0]
    recording.comment(assignment=assignment, position=first.position, text="Short.")
    (item,) = [
        item
        for item in judged_items(study=study, step=lambda *_: None, details=True)
        if item.pk == first.item_id
    ]
    remarks = {instrument: remark for (_, instrument), (_, remark) in item.seen.items()}
    assert remarks.pop(first.instrument_id) == "Short."
    assert set(remarks.values()) == {said}


def test_comments_of_each_page_are_shown_with_the_votes_of_their_item(client):
    instruments = [named("quality"), named("clarity")]
    study = open_study(draft_study(instruments=instruments, responses=5))
    assignment = begun(study, bob())
    choose_all(assignment)
    item = draw_presentations(assignment=assignment)[0].item
    for page in Presentation.objects.filter(assignment=assignment, item=item):
        text = f"Remark on page {page.position}."
        recording.comment(assignment=assignment, position=page.position, text=text)
    recording.submit(assignment=assignment, now=NOW)
    client.force_login(rita())
    page = client.get(reverse("item_page", args=[study.slug, study.version, item.pk]))
    assert page.content.decode().count("Remark on page") == 2
