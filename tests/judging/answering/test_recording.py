"""Saving what raters answer."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation.fieldwork.work import assigning
from annotation.fieldwork.work.refusals import Incomplete, NotAnAnswer, NotLive, OtherTab
from annotation.models import Assignment
from annotation.studies.batching import open_batch
from judging.answering import recording
from judging.answering.recording import GivenAnswer
from judging.design import designing
from judging.designers.questionnaires import PlannedItem
from judging.instruments.files import load
from judging.instruments.schema import OptionSpec, QuestionSpec, ScaleSpec
from judging.items import kinds
from judging.items.drawing import draw_presentations
from judging.items.kinds import ItemKind, Slot
from judging.models import Item, Judgment, Presentation, Rater
from tests.cast import (
    MINUTE,
    NOW,
    PREFERENCE,
    answer_all,
    begun,
    bob,
    charlie,
    draft_study,
    small_study,
    submitted,
    tiny_instrument,
)
from tests.hooks import numbers
from tests.refusals import not_an_answer

pytestmark = [pytest.mark.django_db, pytest.mark.storage]


@pytest.fixture
def at_work():
    """Bob looks at the first of three pairs."""
    assignment = begun(small_study(responses=3), bob())
    draw_presentations(assignment=assignment)
    return assignment


def save(assignment, *answers, now=NOW, tab=None):
    return recording.record(assignment=assignment, answers=answers, now=now, tab=tab).late


# -- The value --------------------------------------------------------------------------------


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    order=st.sampled_from(["a,b", "b,a"]), position=st.integers(1, 3), slot=st.sampled_from("ab")
)
def test_the_same_text_gives_the_same_value_whatever_the_order(at_work, order, position, slot):
    Presentation.objects.filter(position=position).update(order=order)
    place = "ab"[order.split(",").index(slot)]
    save(at_work, GivenAnswer(position, "better", place))
    item = at_work.presentations.get(position=position).item
    judgment = Judgment.objects.get(item=item, shown=order)
    assert judgment.value == item.slots.get(name=slot).response.key


def test_a_judgment_keeps_what_was_shown_and_given(at_work):
    save(at_work, GivenAnswer(1, "better", "a", milliseconds=1200, comment="It has sources."))
    judgment = Judgment.objects.get()
    presentation = at_work.presentations.get(position=1)
    assert (judgment.shown, judgment.raw) == (presentation.order, "a")
    assert (judgment.milliseconds, judgment.comment) == (1200, "It has sources.")
    assert judgment.rater == Rater.objects.get(worker=bob())
    assert judgment.first_at == judgment.answered_at == NOW


def test_a_score_is_saved_with_its_code():
    assignment = begun(small_study(instrument="crowdrag-pointwise", responses=1), bob())
    draw_presentations(assignment=assignment)
    save(assignment, GivenAnswer(1, "coherence_logical", "-3"))
    judgment = Judgment.objects.get()
    assert (judgment.value, judgment.score) == ("-3", -3)


# -- Once, and again --------------------------------------------------------------------------


def test_a_repeated_request_changes_nothing(at_work):
    save(at_work, GivenAnswer(1, "better", "a"))
    before = Judgment.objects.values().get()
    save(at_work, GivenAnswer(1, "better", "a"), now=NOW + MINUTE)
    assert Judgment.objects.values().get() == before


def test_an_answer_can_be_changed_and_that_is_counted(at_work):
    for minute, raw in enumerate("aabn"):
        save(at_work, GivenAnswer(1, "better", raw), now=NOW + minute * MINUTE)
    judgment = Judgment.objects.get()
    assert (judgment.value, judgment.changes) == ("n", 2)
    assert (judgment.first_at, judgment.answered_at) == (NOW, NOW + 3 * MINUTE)


def test_a_mind_changed_while_offline_is_taken_in_its_order(at_work):
    answers = [GivenAnswer(1, "better", raw) for raw in "abbn"]
    save(at_work, *answers, GivenAnswer(2, "better", "a"))
    judgment = Judgment.objects.get(item=at_work.presentations.get(position=1).item)
    assert (judgment.raw, judgment.changes) == ("n", 2)
    assert Judgment.objects.count() == 2


def test_a_reason_written_later_is_kept_and_is_no_change(at_work):
    save(at_work, GivenAnswer(1, "better", "a"))
    save(at_work, GivenAnswer(1, "better", "a", comment="It is shorter."))
    judgment = Judgment.objects.get()
    assert (judgment.comment, judgment.changes) == ("It is shorter.", 0)


def test_a_request_that_is_partly_wrong_saves_nothing(at_work):
    with not_an_answer("off_scale"):
        save(at_work, GivenAnswer(1, "better", "a"), GivenAnswer(2, "better", "z"))
    assert not Judgment.objects.exists()


def test_two_workers_do_not_meet_in_one_row():
    study = small_study(quota=2)
    for person in (bob(), charlie()):
        answer_all(begun(study, person))
    assert Judgment.objects.count() == 2


# -- What is refused --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "reason", "figures"),
    [
        (GivenAnswer(1, "better", "z"), "off_scale", []),
        (GivenAnswer(1, "worse", "a"), "unknown_question", []),
        (GivenAnswer(1, "better", "a", slot="a"), "unknown_slot", []),
        (GivenAnswer(4, "better", "a"), "unknown_page", [4]),
        (GivenAnswer(0, "better", "a"), "unknown_page", [0]),
        (GivenAnswer(-1, "better", "a"), "unknown_page", [-1]),
        (GivenAnswer(10**30, "better", "a"), "unknown_page", []),
        (GivenAnswer(1, "better", "a", comment="x" * 5001), "long_comment", [5000]),
        (GivenAnswer(1, "better", "a", comment="\x00"), "long_comment", [5000]),
    ],
)
def test_it_refuses_what_is_no_answer(at_work, given, reason, figures):
    with not_an_answer(reason) as refusal:
        save(at_work, given)
    assert numbers(refusal.value.said) == figures
    assert not Judgment.objects.exists()


def test_each_fault_of_an_answer_has_a_sentence_of_its_own(at_work):
    sentences = set()
    for answer in (
        GivenAnswer(1, "better", "z"),
        GivenAnswer(1, "worse", "a"),
        GivenAnswer(1, "better", "a", slot="a"),
        GivenAnswer(4, "better", "a"),
        GivenAnswer(10**30, "better", "a"),
        GivenAnswer(1, "better", "a", comment="x" * 5001),
    ):
        with pytest.raises(NotAnAnswer) as refusal:
            save(at_work, answer)
        sentences.add(refusal.value.said)
    assert len(sentences) == 6


def test_it_refuses_work_that_was_not_begun():
    assignment = assigning.claim(study=small_study(), worker=bob(), now=NOW)
    with pytest.raises(NotLive) as refusal:
        save(assignment, GivenAnswer(1, "better", "a"))
    assert refusal.value.state == Assignment.State.ARRIVED


def test_it_refuses_answers_after_the_submission():
    assignment = submitted(small_study(), bob())
    with pytest.raises(NotLive) as refusal:
        save(assignment, GivenAnswer(1, "better", "b"))
    assert refusal.value.state == Assignment.State.SUBMITTED
    assert Judgment.objects.get().raw == "a"


def test_it_refuses_the_tab_that_was_left(at_work):
    Assignment.objects.update(tab="second")
    with pytest.raises(OtherTab):
        save(at_work, GivenAnswer(1, "better", "a"), tab="first")
    assert save(at_work, GivenAnswer(1, "better", "a"), tab="second") == []


def test_a_tab_with_a_long_name_is_known_again(at_work):
    Assignment.objects.update(tab="t" * recording.TAB_LENGTH)
    assert save(at_work, GivenAnswer(1, "better", "a"), tab="t" * 60) == []


# -- Remarks ----------------------------------------------------------------------------------


def test_a_remark_is_kept_with_the_item(at_work):
    recording.comment(assignment=at_work, position=2, text="Both are poor.")
    assert at_work.presentations.get(position=2).comment == "Both are poor."


@pytest.mark.parametrize("text", ["x" * 5001, "\x00"])
def test_it_refuses_a_remark_that_is_too_long_or_binary(at_work, text):
    with not_an_answer("long_comment") as refusal:
        recording.comment(assignment=at_work, position=1, text=text)
    assert numbers(refusal.value.said) == [5000]


@pytest.mark.parametrize("position", [0, 9, 10**30])
def test_it_refuses_a_remark_on_an_item_that_is_not_there(at_work, position):
    with not_an_answer("unknown_page") as refusal:
        recording.comment(assignment=at_work, position=position, text="Hm.")
    assert numbers(refusal.value.said) == ([position] if position < 10 else [])


def test_it_refuses_a_remark_after_the_submission():
    with pytest.raises(NotLive):
        recording.comment(assignment=submitted(small_study(), bob()), position=1, text="Hm.")


# -- Handing in -------------------------------------------------------------------------------


def test_it_names_the_items_with_open_questions(at_work):
    save(at_work, GivenAnswer(2, "better", "a"))
    with pytest.raises(Incomplete) as refused:
        recording.submit(assignment=at_work, now=NOW)
    assert refused.value.positions == numbers(refused.value.said) == [1, 3]
    assert Judgment.objects.count() == 1


def test_a_questionnaire_that_nobody_looked_at_is_not_complete():
    assignment = begun(small_study(responses=3), bob())
    with pytest.raises(Incomplete):
        recording.submit(assignment=assignment, now=NOW)
    assert recording.open_positions(assignment=assignment) == [1, 2, 3]


def test_work_that_was_not_begun_is_not_drawn_by_submitting_it():
    assignment = assigning.claim(study=small_study(), worker=bob(), now=NOW)
    with pytest.raises(NotLive):
        recording.submit(assignment=assignment, now=NOW)
    assert not Presentation.objects.exists()


def test_a_complete_questionnaire_is_submitted_with_its_exit_form(at_work):
    answer_all(at_work)
    done = recording.submit(assignment=at_work, now=NOW + MINUTE, exit_answers={"clear": "5"})
    assert (done.state, done.exit_answers) == (Assignment.State.SUBMITTED, {"clear": "5"})


# -- Other ways of asking, without a migration ------------------------------------------------


@pytest.fixture
def block_kind(monkeypatch):
    slots = tuple(Slot(name, f"Text {name}", drawn=True) for name in "abcd")
    kind = ItemKind("block", slots)
    monkeypatch.setitem(kinds.KINDS, "block", kind)


@pytest.fixture
def block(block_kind):
    """Bob looks at a best-worst block of four texts."""
    places = [
        OptionSpec(code=slot, label=f"Text {slot}", role="slot", slot=slot) for slot in "abcd"
    ]
    instrument = tiny_instrument(
        item_kind="block",
        scales=[ScaleSpec(key="which", kind="options", options=places)],
        questions=[
            QuestionSpec("best", "better", "which", "Which is best?", arity="choose"),
            QuestionSpec("worst", "better", "which", "Which is worst?", arity="choose"),
        ],
    )
    return _at_work_on(instrument, kind="block", texts=4)


def _at_work_on(instrument, *, kind, texts):
    """Bob works on one item that holds the first texts of the corpus in the slots of the kind."""
    study = draft_study(instrument=instrument, responses=texts)
    responses = list(study.corpus.responses.all())
    ids = tuple(response.pk for response in responses)
    planned = PlannedItem(ids, responses[0].topic_id, 100, frozenset(ids))
    items = designing.write_items(study=study, kind=kind, planned=[planned])
    batch = designing.next_batch(study=study, name="main")
    pages = [designing.PlannedPage(item, study.instruments.get()) for item in items]
    designing.write_questionnaires(
        batch=batch, sheets=[designing.DesignedQuestionnaire(pages, 1, 100)]
    )
    open_batch(batch=batch, now=NOW)
    assignment = begun(study, bob())
    draw_presentations(assignment=assignment)
    return assignment


def place_of(assignment, slot):
    """Return the option that chooses this slot where it is shown."""
    order = assignment.presentations.get().order.split(",")
    return "abcd"[order.index(slot)]


def test_a_block_is_answered_with_its_best_and_its_worst_text(block):
    best, worst = place_of(block, "c"), place_of(block, "a")
    save(block, GivenAnswer(1, "best", best), GivenAnswer(1, "worst", worst))
    values = dict(Judgment.objects.values_list("question__key", "value"))
    assert values == {"best": "t1c", "worst": "t1a"}
    assert recording.submit(assignment=block, now=NOW).state == Assignment.State.SUBMITTED


def test_the_best_text_is_not_the_worst_one_as_well(block):
    save(block, GivenAnswer(1, "best", "a"))
    with not_an_answer("chosen_twice"):
        save(block, GivenAnswer(1, "worst", "a"))
    assert Judgment.objects.get().question.key == "best"


def test_the_best_text_is_not_the_worst_one_in_the_same_request(block):
    with not_an_answer("chosen_twice"):
        save(block, GivenAnswer(1, "best", "a"), GivenAnswer(1, "worst", "a"))
    assert not Judgment.objects.exists()


def test_best_and_worst_may_change_places_in_one_request(block):
    save(block, GivenAnswer(1, "best", "a"), GivenAnswer(1, "worst", "b"))
    save(block, GivenAnswer(1, "best", "b"), GivenAnswer(1, "worst", "a"))
    assert dict(Judgment.objects.values_list("question__key", "raw")) == {"best": "b", "worst": "a"}


def test_the_slots_of_a_block_are_shown_in_a_drawn_order(block):
    order = block.presentations.get().order.split(",")
    assert sorted(order) == ["a", "b", "c", "d"]


def test_every_slot_can_be_judged_by_itself():
    score = ScaleSpec(
        key="score",
        kind="options",
        options=[OptionSpec(code=str(n), label=str(n), role="score", score=n) for n in range(1, 4)],
    )
    question = QuestionSpec("clear", "better", "score", "How clear is it?", arity="slot")
    instrument = tiny_instrument(scales=[score], questions=[question])
    assignment = _at_work_on(instrument, kind="pair", texts=2)
    save(assignment, GivenAnswer(1, "clear", "3", slot="a"))
    with pytest.raises(Incomplete):
        recording.submit(assignment=assignment, now=NOW)
    with not_an_answer("unknown_slot"):
        save(assignment, GivenAnswer(1, "clear", "3"))
    save(assignment, GivenAnswer(1, "clear", "1", slot="b"))
    assert dict(Judgment.objects.values_list("slot", "score")) == {"a": 3, "b": 1}
    assert recording.submit(assignment=assignment, now=NOW).state == Assignment.State.SUBMITTED


def test_a_statement_is_judged_against_documents_that_do_not_move(monkeypatch):
    kind = ItemKind("statement", tuple(Slot(name, name) for name in ("statement", "one", "two")))
    monkeypatch.setitem(kinds.KINDS, "statement", kind)
    scale = ScaleSpec(
        key="source",
        kind="options",
        options=[
            OptionSpec(code="1", label="The first", role="slot", slot="one"),
            OptionSpec(code="2", label="The second", role="slot", slot="two"),
            OptionSpec(code="0", label="Neither", role="both_bad"),
        ],
    )
    question = QuestionSpec("source", "better", "source", "Which supports it?", arity="choose")
    instrument = tiny_instrument(item_kind="statement", scales=[scale], questions=[question])
    assignment = _at_work_on(instrument, kind="statement", texts=3)
    item = Item.objects.get()
    passage = item.topic.passages.create(key="p1", rank=1, text="Lamps give light.")
    item.slots.filter(name="two").update(response=None, passage=passage)
    save(assignment, GivenAnswer(1, "source", "2"))
    assert Judgment.objects.get().value == "p1"


def test_a_free_text_and_a_number_are_answers_as_well():
    scales = [
        PREFERENCE,
        ScaleSpec(key="words", kind="text", max_length=50),
        ScaleSpec(key="percent", kind="range", min=0, max=100),
    ]
    questions = [
        QuestionSpec("better", "better", "preference", "Which is better?"),
        QuestionSpec("why", "better", "words", "Why?"),
        QuestionSpec("sure", "better", "percent", "How sure are you?"),
    ]
    assignment = _at_work_on(
        tiny_instrument(scales=scales, questions=questions), kind="pair", texts=2
    )
    save(
        assignment,
        GivenAnswer(1, "better", "n"),
        GivenAnswer(1, "why", " Both are vague. "),
        GivenAnswer(1, "sure", "80"),
    )
    rows = Judgment.objects.values_list("question__key", "value", "score")
    assert set(rows) == {
        ("better", "n", None),
        ("why", "Both are vague.", None),
        ("sure", "80", 80),
    }


# -- The hot path -----------------------------------------------------------------------------


def test_saving_a_page_of_answers_takes_few_queries(django_assert_max_num_queries):
    study = small_study(instrument="crowdrag-pairwise", responses=6)
    assignment = begun(study, bob())
    draw_presentations(assignment=assignment)
    first = [GivenAnswer(1, question.key, "a") for question in load("crowdrag-pairwise").questions]
    save(assignment, *first)
    # savepoint, lock, questions, presentation, slots, rater, upsert, release
    with django_assert_max_num_queries(9) as captured:
        save(assignment, *[each._replace(position=2) for each in first])
    assert not any(
        '"annotation_response"."text"' in query["sql"] for query in captured.captured_queries
    )
