"""The text is what the log rebuilds: while it is written, submitted and redone."""

from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation import jobs
from annotation.fieldwork.review.reviewing import decide
from annotation.fieldwork.work.refusals import NotLive
from annotation.models import Assignment, ReviewDecision
from tests.cast import NOW, alice, begun, writing_study
from tests.refusals import refused
from tests.writing.editor.typing_hands import typed, writing_assignment
from writing import tasks
from writing.editor import drafting
from writing.editor.drafting import (
    CurrentText,
    LogIncomplete,
    current_text,
    submit,
)
from writing.log.collecting import collect, events_of
from writing.log.eventlog import Edit, Event, Snapshot, Start, encode, units
from writing.models import LogChunk, PackedLog, Writing

pytestmark = pytest.mark.django_db


def send(assignment, number, events):
    return collect(
        assignment=assignment, number=number, events_json=encode(events), now=NOW, tab=""
    )


def hand_in(assignment, text, last_number=0, **more):
    return submit(assignment=assignment, text=text, last_number=last_number, now=NOW, **more)


def verdict() -> str:
    return Writing.objects.get().verdict


@pytest.fixture
def assignment() -> Assignment:
    return writing_assignment()


def cut(events: list[Event], cuts: list[int]) -> list[list[Event]]:
    edges = sorted({0, len(events), *(each % len(events) for each in cuts)})
    return [events[start:end] for start, end in pairwise(edges)]


@st.composite
def edited(draw: st.DrawFn) -> tuple[list[Event], str]:
    """Any edits of a text in UTF-16 units, and the text they make."""
    text: list[str] = []  # one unit each
    events: list[Event] = [Start(seq=1, ms=0, length=0, version=1, agent="")]
    for _ in range(draw(st.integers(1, 25))):
        at = draw(st.integers(0, len(text)))
        deleted = draw(st.integers(0, len(text) - at))
        letters = draw(st.text("ab \n😀é\ud83d", max_size=5))
        data = letters.encode("utf-16-le", "surrogatepass")
        new = [data[i : i + 2].decode("utf-16-le", "surrogatepass") for i in range(0, len(data), 2)]
        text[at : at + deleted] = new
        seq = len(events) + 1
        events.append(Edit(seq=seq, ms=seq, at=at, deleted=deleted, inserted=letters, input="x"))
    whole = "".join(text).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return events, whole


@given(edited(), st.lists(st.integers(0, 1000), max_size=8), st.randoms(use_true_random=False))
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_any_edits_in_any_chunks_in_any_order_with_repeats_make_the_exact_text(
    assignment, log, cuts, chance
):
    events, text = log
    Writing.objects.update(text="", verdict="")
    LogChunk.objects.all().delete()
    Assignment.objects.update(state="active", submitted_at=None)
    chunks = list(enumerate(cut(events, cuts), start=1))
    order = chunks + chance.choices(chunks, k=len(chunks))
    chance.shuffle(order)
    for number, some in order:
        send(assignment, number, some)
    draft = current_text(assignment)
    assert draft == CurrentText(text, len(chunks) + 1, len(events) + 1, events[-1].ms)
    assert units(draft.text) == units(text)
    if text.strip():
        hand_in(assignment, text, len(chunks))
        assert verdict() == "equal"


def test_a_draft_begins_empty_and_goes_on_where_the_log_ends(assignment):
    assert current_text(assignment) == CurrentText("", 1, 1, 0)
    send(assignment, 1, typed("Lamps"))
    assert current_text(assignment) == CurrentText("Lamps", 2, 7, 6)


def test_it_stops_at_a_gap_until_a_snapshot_says_how_it_goes_on(assignment):
    send(assignment, 1, typed("Lamps"))
    send(assignment, 3, [Edit(seq=20, ms=30, at=9, deleted=0, inserted="!", input="")])
    assert current_text(assignment) == CurrentText("Lamps", 2, 7, 6)
    assert current_text(assignment, past_gaps=True) == CurrentText("Lamps", 4, 21, 30)
    begun_again = [
        Start(seq=21, ms=31, length=9, version=1, agent=""),
        Snapshot(seq=22, ms=31, text="Lamps on."),
        Edit(seq=23, ms=32, at=0, deleted=5, inserted="Lights", input=""),
    ]
    send(assignment, 4, begun_again)
    assert current_text(assignment) == CurrentText("Lights on.", 5, 24, 32)
    hand_in(assignment, "Lights on.", 4, lost=True)
    assert verdict() == "incomplete"


def test_a_broken_log_gives_the_text_as_far_as_it_can_be_followed(assignment):
    send(assignment, 2, [Edit(seq=7, ms=9, at=90, deleted=0, inserted="!", input="")])
    send(assignment, 1, typed("Lamps"))
    assert current_text(assignment) == CurrentText("Lamps", 3, 8, 9)
    hand_in(assignment, "Lamps", 2)
    assert verdict() == "differs"


def test_it_refuses_while_chunks_are_missing_and_names_them(assignment):
    send(assignment, 2, [Edit(seq=9, ms=9, at=0, deleted=0, inserted="!", input="")])
    with pytest.raises(LogIncomplete) as refused:
        hand_in(assignment, "Lamps!", 4)
    assert refused.value.missing == [1, 3, 4]
    assert Assignment.objects.get().state == "active"
    hand_in(assignment, "Lamps!", 4, lost=True)
    assert verdict() == "incomplete"
    assert Writing.objects.get().text == "Lamps!"


@pytest.mark.parametrize(
    ("text", "expected"), [("Lamps", "equal"), ("Lamps!", "differs"), ("Lam\n", "differs")]
)
def test_the_verdict_says_whether_the_log_rebuilds_the_text(assignment, text, expected):
    send(assignment, 1, typed("Lamps"))
    hand_in(assignment, text, 1)
    assert (verdict(), Writing.objects.get().text) == (expected, text)


def test_a_text_without_any_log_is_incomplete(assignment):
    hand_in(assignment, "Lamps")
    assert verdict() == "incomplete"


def test_submitting_twice_is_the_same_as_once(assignment):
    send(assignment, 1, typed("Lamps"))
    hand_in(assignment, "Lamps", 1, exit_answers={"satisfaction": "5"})
    before = Assignment.objects.values().get()
    hand_in(assignment, "Something else", 1)
    assert Assignment.objects.values().get() == before
    assert Writing.objects.get().text == "Lamps"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (" \n", "EmptyText"),
        ("", "EmptyText"),
        ("a\x00", "NotAText"),
        ("a" * 200_001, "TooLarge"),
    ],
)
def test_texts_that_cannot_be_handed_in_are_refused(assignment, text, code):
    with refused(code):
        hand_in(assignment, text)
    assert Assignment.objects.get().state == "active"


def test_half_a_surrogate_pair_is_kept_as_a_replacement(assignment):
    send(assignment, 1, typed("a\ud83d"))
    hand_in(assignment, "a\ud83d", 1)
    assert (verdict(), Writing.objects.get().text) == ("equal", "a\ufffd")


def test_nothing_is_handed_in_without_the_rule():
    assignment = begun(writing_study(), alice())
    with refused("NotAcknowledged"):
        hand_in(assignment, "Lamps")


def test_acknowledging_stores_the_answers_and_may_be_repeated(assignment):
    for answers in ({"knowledge": "1"}, {"knowledge": "2"}):
        drafting.acknowledge(assignment=assignment, now=NOW, answers=answers)
    assert Writing.objects.count() == 1
    assert Assignment.objects.get().entry_answers == {"knowledge": "2"}
    hand_in(assignment, "Lamps")
    with pytest.raises(NotLive):
        drafting.acknowledge(assignment=assignment, now=NOW, answers={})


def test_the_sweep_packs_submitted_logs(assignment, monkeypatch):
    monkeypatch.setattr(jobs, "send", lambda task, *given: task(*given))
    send(assignment, 1, typed("Lamps"))
    tasks.sweep()
    assert not PackedLog.objects.exists()
    tasks.pack(assignment.pk)  # too early: nothing happens
    hand_in(assignment, "Lamps", 1)
    for _ in range(2):
        tasks.sweep()
        assert not LogChunk.objects.exists()
        assert events_of(assignment) == typed("Lamps")


def test_a_text_that_is_redone_goes_on_from_the_submitted_one(assignment):
    send(assignment, 1, typed("Lamps"))
    hand_in(assignment, "Lamps", 1)
    tasks.pack(assignment.pk)
    decide(
        assignment=assignment, decision=ReviewDecision.Decision.REDO, reviewer="rita",
        reason="More, please.", now=NOW,
    )  # fmt: skip
    assert current_text(assignment) == CurrentText("Lamps", 2, 7, 6)
    send(assignment, 2, typed(" on", first=7, at=5, ms=10))
    assert current_text(assignment).text == "Lamps on"
    hand_in(assignment, "Lamps on", 2)
    assert verdict() == "equal"
    tasks.pack(assignment.pk)
    assert events_of(assignment) == typed("Lamps") + typed(" on", first=7, at=5, ms=10)
