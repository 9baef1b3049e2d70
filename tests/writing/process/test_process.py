"""Measures of how a text was written, and the evidence drawn from them."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.writing.process.test_replay import PASSAGES, log, logs, paste
from writing.log.eventlog import Away, Back, Blur, Edit, Focus, Hidden, Shown, Start, units
from writing.process.evidence import FlagLimits, LogPoint, flags, standing
from writing.process.process import process_of
from writing.process.replay import rebuilt
from writing.process.rhythm import Typing

ESSAY = (
    "Maples are trees of the northern half of the world, and there are many kinds of them. "
    "Some are tall and others stay small; all of them have leaves with deep bays."
)


def at(*times, changes=None):
    """Return a log whose edits come at these times; each types one letter at the end."""
    changes = changes or [(n, 0, "a") for n in range(len(times))]
    events = log(*changes)
    for event, ms in zip(events[1:], times, strict=True):
        event.ms = ms
    return events


def typed(text, start=0):
    return [(start + n, 0, letter) for n, letter in enumerate(text)]


def event(kind):
    return kind(seq=0, ms=0)


# -- Time -------------------------------------------------------------------------------------


def test_active_time_caps_every_gap():
    process = process_of(at(1_000, 2_000, 62_000, 63_000))
    assert process.active_seconds == 1 + 1 + 20 + 1
    assert process_of(at(1_000, 62_000), cap=5_000).active_seconds == 6
    assert process.duration == 63_000


def test_pauses_have_the_threshold_that_is_asked_for():
    process = process_of(at(100, 250, 1_250, 3_250, 6_250))
    short, long = process.pauses
    assert (short.threshold, short.n, short.seconds) == (200, 3, 6.0)
    assert (long.threshold, long.n, long.seconds) == (2_000, 2, 5.0)
    (one,) = process_of(at(0, 900), pauses=[1_000]).pauses
    assert one.n == 0


def test_bursts_end_with_a_pause_a_revision_a_paste_or_the_log():
    changes = [*typed("abc"), *typed("de", 3), (4, 1, ""), (4, 0, "f"), (0, 0, "gh")]
    changes += [(2, 0, "x" * 30), (32, 0, "i")]
    times = [0, 100, 200, 3_000, 3_100, 3_200, 3_300, 3_400, 3_500, 3_600]
    ended = [(b.size, b.ended_by) for b in process_of(at(*times, changes=changes)).bursts]
    assert ended == [
        (3, "pause"),
        (2, "revision"),
        (1, "revision"),
        (2, "paste"),
        (1, "end"),
    ]


def test_intervals_are_told_by_where_the_next_character_stands():
    process = process_of(log(*typed("Ab c. De"), every=100))
    found = {interval.location: interval.n for interval in process.intervals}
    assert found == {"all": 7, "within word": 5, "before word": 1, "before sentence": 1}
    assert process.intervals[0].median == 100
    assert process.intervals[0].variation == 0


def away(*changes):
    """Where each absence begins, how long it is, and whether the page was in the background."""
    absences = process_of(log(*changes)).absences
    return [(absence.seq, absence.until - absence.ms, absence.hidden) for absence in absences]


def started():
    return Start(seq=0, ms=0, length=0, version=1, agent="test")


def test_absences_are_out_of_the_window():
    here, gone = event(Back), event(Away)
    assert away(here, gone, event(Back), event(Away), (0, 0, "a")) == [
        (3, 100, False),
        (5, 100, False),
    ]
    assert away(event(Back), event(Hidden), event(Away), event(Shown), event(Back)) == [
        (4, 200, True)
    ]
    assert away(event(Back), event(Away), (0, 0, "a"), event(Away)) == [
        (3, 100, False),
        (5, 0, False),
    ]


def test_our_own_page_is_no_absence():
    """The filter, the drawer, the last step, a reload."""
    assert away(event(Back), event(Blur), event(Focus), event(Blur), started(), event(Back)) == []


def test_who_left_and_came_back_to_another_page_was_away_until_then():
    assert away(event(Back), event(Away), started(), event(Back)) == [(3, 200, False)]
    assert away(event(Back), event(Away), started(), (0, 0, "a")) == [(3, 100, False)]


def test_of_older_pages_the_background_counts_unless_the_page_went_in_it():
    before = [event(Blur), event(Hidden), event(Shown), event(Focus)]
    assert away((0, 0, "a"), *before, event(Hidden), (1, 0, "b"), event(Blur)) == [
        (4, 100, True),
        (7, 100, True),
    ]
    assert away(event(Blur), event(Focus), event(Hidden), started(), event(Focus)) == []
    assert away((0, 0, "a"), event(Hidden)) == []


# -- Text -------------------------------------------------------------------------------------


def test_insertions_deletions_and_the_leading_edge():
    process = process_of(log((0, 0, "abcd"), (4, 0, "ef"), (0, 2, ""), (1, 0, "g")))
    assert (process.insertions, process.inserted) == (3, 7)
    assert (process.deletions, process.deleted) == (1, 2)
    assert process.final == 5
    assert process.deletion_ratio == pytest.approx(2 / 7)
    assert process.produced_to_final == pytest.approx(7 / 5)
    assert process.leading_edge_share == pytest.approx(2 / 3)


def test_typed_share_and_paste_ratio():
    events = log(*typed("Maples"), paste(6, 14, "outside"), (6, 0, " are red today"))
    process = process_of(events)
    assert process.typed_share == pytest.approx(6 / 20)
    assert process.paste_ratio == pytest.approx(14 / 20)


def test_an_empty_log_has_no_ratios():
    process = process_of(log())
    assert process.deletion_ratio is None
    assert process.typed_share is None
    assert process.typing.words_per_minute is None
    assert process.deleted_by_typed is None
    assert flags(process, log()) == []


@given(logs())
def test_what_must_hold_of_any_log(events):
    process = process_of(events, PASSAGES)
    assert process.final == units(rebuilt(events))
    assert 0 <= (process.typed_share or 0) <= 1
    assert 0 <= (process.leading_edge_share or 0) <= 1
    assert process.active_seconds <= process.duration / 1000
    assert sum(burst.size for burst in process.bursts) <= process.inserted
    assert all(a.until <= b.ms for a, b in pairwise(process.bursts))
    flags(process, events)


# -- Long insertions --------------------------------------------------------------------------


def kinds(*changes):
    return [insertion.kind for insertion in process_of(log(*changes), PASSAGES).long_insertions]


def test_long_insertions_are_classed_by_what_they_consist_of():
    first, second = PASSAGES
    assert kinds((0, 0, f"- {first}\n")) == ["verbatim"]
    assert kinds((0, 0, second.replace("nitrogen", "nitrate"))) == ["near-verbatim"]
    assert kinds((0, 0, f"{first[:70]} {second[:70]}")) == ["mixed"]
    assert kinds((0, 0, ESSAY, "insertFromPaste")) == ["foreign"]
    assert kinds((0, 0, ESSAY)) == ["no paste"]
    assert kinds((0, 0, ESSAY[:80])) == []


def test_own_text_moved_is_own_however_it_came_about():
    own = ESSAY[:100]
    gone = [(100 - n, 1, "") for n in range(1, 101)]
    assert kinds(*typed(own), *gone, (0, 0, own)) == ["own"]
    assert kinds(*typed(own), (100, 0, own)) == ["own"]
    assert kinds(*typed(own), (50, 0, "!"), (101, 0, own)) == ["own"]


def test_an_insertion_tells_its_passage_and_its_moment():
    (found,) = process_of(log((0, 0, "So: "), (4, 0, PASSAGES[1])), PASSAGES).long_insertions
    assert (found.passage, found.seq, found.ms, found.at, found.size) == (1, 3, 200, 4, 90)


# -- Flags ------------------------------------------------------------------------------------


def flagged(events, **limits):
    process = process_of(events, PASSAGES)
    return {flag.kind: flag for flag in flags(process, events, FlagLimits(**limits))}


def test_a_foreign_insertion_is_shown_with_its_size_and_moment():
    pasted = log((0, 0, "So: "), paste(4, len(ESSAY), "outside"), (4, 0, ESSAY))
    flag = flagged(pasted)["foreign insertion"]
    assert (flag.value, flag.unit, flag.points) == (len(ESSAY), "characters", (LogPoint(4, 300),))
    assert "foreign insertion" not in flagged(log((0, 0, PASSAGES[0])))


def test_own_text_edited_in_two_places_at_once_is_no_foreign_insertion():
    edited = f"Red {ESSAY[:-1]}!"
    changes = [*typed(ESSAY), (0, len(ESSAY), edited)]
    (found,) = process_of(log(*changes), PASSAGES).long_insertions
    assert (found.kind, found.is_rework) == ("foreign", True)
    assert "foreign insertion" not in flagged(log(*changes))


def test_pace_points_to_the_fastest_minute():
    changes = [*typed("a" * 10), (10, 0, "x" * 500), *typed("b" * 250, 510)]
    slow, fast = range(0, 5_000, 500), range(120_000, 145_000, 100)
    flag = flagged(at(*slow, 30_000, *fast, changes=changes))["pace"]
    assert not flag.is_low
    assert flag.value == pytest.approx((9 + 249) / 5 / ((4.5 + 24.9) / 60))
    assert flag.points == (LogPoint(13, 120_000),)


def test_pace_is_of_typing_alone():
    letters = typed("a" * 240)
    assert "pace" not in flagged(at(*range(0, 60_000, 250), changes=letters))
    assert "pace" in flagged(at(*range(0, 24_000, 100), changes=letters))
    assert "pace" not in flagged(at(*range(0, 15_000, 100), changes=letters[:150]))
    pasted = log(*[(80 * n, 0, "y" * 80) for n in range(20)])
    assert process_of(pasted).typing == Typing(0, 0, 0)


@given(logs())
def test_what_was_typed_at_a_pace_was_typed(events):
    process = process_of(events, PASSAGES)
    assert 0 <= process.typing.paced <= process.typing.units <= process.inserted
    assert process.typing.seconds <= process.active_seconds


def test_no_corrections_is_about_texts_that_are_long_enough():
    events = log(*typed("a" * 600), (599, 1, ""))
    flag = flagged(events)["no corrections"]
    assert flag.value == pytest.approx(1 / 600)
    assert flag.is_low
    assert "no corrections" not in flagged(log(*typed("a" * 600), (500, 13, "")))
    assert "no corrections" not in flagged(log((0, 0, "y" * 600)))
    assert flag.points == (LogPoint(602, 60_100),)
    assert flagged(log(*typed("a" * 600)))["no corrections"].points == (LogPoint(1, 0),)
    assert "no corrections" not in flagged(log(*typed("a" * 400)))


def test_homogeneous_rhythm_is_a_number_beside_its_limit():
    flag = flagged(log(*typed("a" * 200)))["homogeneous rhythm"]
    assert (flag.value, flag.limit, flag.is_low) == (0, 0.25, True)
    uneven = [n * 100 + (n % 3) * 45 for n in range(200)]
    assert "homogeneous rhythm" not in flagged(at(*uneven))
    assert "homogeneous rhythm" not in flagged(log(*typed("a" * 50)))


def test_focus_loss_before_a_paste_points_to_both():
    changes = [(0, 0, "a"), event(Hidden), event(Shown), paste(1, 5, "outside"), (1, 0, "maple")]
    flag = flagged(at(0, 1_000, 9_000, 12_000, 12_010, changes=changes))
    found = flag["focus loss before a paste"]
    assert (found.value, found.points) == (8, (LogPoint(3, 1_000), LogPoint(5, 12_000)))
    late = at(0, 1_000, 9_000, 22_000, 22_010, changes=changes)
    assert "focus loss before a paste" not in flagged(late)
    own = [*changes[:3], paste(1, 5, "own"), changes[4]]
    assert "focus loss before a paste" not in flagged(
        at(0, 1_000, 9_000, 12_000, 12_010, changes=own)
    )


# -- In the study -----------------------------------------------------------------------------


def test_a_value_stands_among_those_of_its_study():
    assert standing(3, [1, 2, 3, 4, None]) == (3, 62.5, 4)
    assert standing(0, [1, 2]) == (0, 0, 2)
    assert standing(1, [None]) is None


@given(st.lists(st.floats(-5, 5), min_size=1), st.floats(-5, 5))
def test_percentiles_count_those_below_and_half_of_the_equal(values, value):
    found = standing(value, values)
    below = sum(other < value for other in values) + sum(other == value for other in values) / 2
    assert found.percentile == pytest.approx(100 * below / len(values))
    assert found.n == len(values)


def test_a_flag_is_drawn_from_edits_alone_where_there_are_no_keys():
    events = log((0, 0, ESSAY, "insertFromPaste"))
    assert isinstance(events[1], Edit)
    assert set(flagged(events)) == {"foreign insertion"}
