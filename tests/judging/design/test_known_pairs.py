"""Gold items with all parts of two summaries."""

import msgspec
import pytest
from django.urls import reverse

from annotation.studies.drafts.faults import faults_of
from annotation.studies.drafts.kinds import decoded
from judging.answering import recording
from judging.design.known_items import contents_of
from judging.instruments.files import BadInstrument, load
from judging.instruments.schema import AnswerSpec, KnownSpec
from judging.items.contents import slots_asked
from judging.items.drawing import draw_presentations
from judging.items.kinds import item_kind
from judging.models import Item, ItemRole
from judging.review.check_results import checks_of
from tests.annotation.studies.drafts.drafted import drafted, judging_document
from tests.cast import NOW, begun, in_sections, rita, small_corpus, small_study, worker
from tests.coded_errors import raises

pytestmark = pytest.mark.django_db
KIND = item_kind("summary_pair")
ANSWERS = [AnswerSpec("preference", "a"), AnswerSpec("support:s1", "full")]


def structured_corpus():
    corpus = small_corpus(topics=2, responses=3)
    for topic in corpus.topics.all():
        for number in (1, 2):
            topic.passages.create(key=f"p{number}-{topic.key}", rank=number, text="A passage.")
        for response in topic.responses.all():
            in_sections(response)
    return corpus


def study_with_gold(item="t1a|t1b", answers=ANSWERS):
    instrument = msgspec.structs.replace(
        load("summary-pair"), gold=[KnownSpec("known", item, answers)]
    )
    return small_study(instrument=instrument, corpus=structured_corpus(), items=2, quota=1)


def with_gold(study):
    """Return a worker's begun questionnaire that has the gold item."""
    for number in range(3):
        assignment = begun(study, worker(f"w{number}"))
        pages = draw_presentations(assignment=assignment)
        if any(page.item.role == ItemRole.GOLD for page in pages):
            return assignment
    raise AssertionError("no questionnaire has the gold item")


def answer(assignment, *, support="full", better=True):
    given = []
    for page in draw_presentations(assignment=assignment):
        contents = {slot.name: slot.content for slot in page.item.slots.all()}
        for question in assignment.study.questions.select_related("scale"):
            for slot in slots_asked(question, KIND, contents):
                raw = question.scale.spec["options"][0]["code"]
                if question.key == "preference":
                    raw = "a" if (page.order == "a,b") == better else "b"
                if (question.key, slot) == ("support", "s1"):
                    raw = support
                given.append(recording.GivenAnswer(page.position, question.key, raw, slot=slot))
    recording.record(assignment=assignment, answers=given, now=NOW)
    return checks_of(assignment).gold


def test_a_gold_pair_has_all_slots_of_a_judged_one():
    study = study_with_gold()
    keys = ["summary_pair:t1a|t1b", "summary_pair:t1b|t1a"]
    judged = study.items.get(key__in=keys)
    golden = Item.every.filter(study=study, check_of__isnull=False).first()
    ours, theirs = (
        {slot.name: slot.content.pk for slot in item.slots.all()} for item in (golden, judged)
    )
    assert set(ours) == set(theirs)
    assert {ours["a"], ours["b"]} == {theirs["a"], theirs["b"]}
    assert golden.topic.key == "t1"


@pytest.mark.parametrize(
    ("given", "failed"),
    [({}, (0, 1)), ({"support": "no"}, (1, 1)), ({"better": False}, (1, 1))],
)
def test_answers_to_a_gold_pair_are_checked_by_part(given, failed):
    assert answer(with_gold(study_with_gold()), **given) == failed


@pytest.mark.parametrize(
    ("item", "answers", "code"),
    [
        ("t1a|t2a", ANSWERS, "unknown_item"),
        ("t1a", ANSWERS, "unknown_item"),
        ("t1a|t1a", ANSWERS, "unknown_item"),
        ("t1a|t1b", [AnswerSpec("support:s99", "full")], "unknown_question"),
        ("t1a|t1b", [AnswerSpec("support:h1", "full")], "unknown_question"),
        ("t1a|t1b", [AnswerSpec("support:s1", "maybe")], "bad_answer"),
    ],
)
def test_wrong_keys_and_answers_are_refused(item, answers, code):
    with raises(BadInstrument, code):
        study_with_gold(item, answers)


def test_a_text_without_parts_is_refused():
    with raises(BadInstrument, "not_structured"):
        contents_of("t1a|t1b", kind=KIND, corpus=small_corpus(), criteria={})


def test_a_pair_is_picked_in_the_browser(client):
    researcher = rita()
    client.force_login(researcher)
    document = judging_document(responses=3, method="summary-pair")
    draft = drafted(document, user=researcher)
    for response in draft.corpus.responses.all():
        in_sections(response)
    where = reverse("draft_pick_item", args=[draft.pk])
    sent = {"list": "instruments/summary-pair/gold", "topic": "t1"}
    sent |= {"slot-a": "t1a", "slot-b": "t1b"}
    assert client.post(where, sent).status_code == 302
    draft.refresh_from_db()
    (gold,) = draft.document["instruments"][0]["gold"]
    assert gold["item"] == "summary_pair:t1a|t1b"
    faults = faults_of(decoded(draft.document), draft=draft)
    assert not [fault for fault in faults if "/gold/" in fault.path]
