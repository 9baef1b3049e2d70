"""Snapshots of a text as a log of edits."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from writing.log.eventlog import Edit, Start, decode, encode, units
from writing.log.snapshots import decoded, difference, encoded, events_of
from writing.process.replay import rebuilt

texts = st.text(st.sampled_from("ab \n0é́👩‍🚀🍁🍂\ud83c\udf41"), max_size=8)
whole = st.text(st.sampled_from("ab \n0é́👩‍🚀🍁🍂"), max_size=8)
ascii_texts = st.text(st.sampled_from("ab \n"), max_size=12)
histories = st.lists(st.tuples(st.integers(0, 50), texts), min_size=1, max_size=30)


def same(one, other):
    return encoded(one) == encoded(other)


@given(histories)
def test_the_log_rebuilds_the_last_text_of_the_last_time(snapshots):
    last = max(time for time, _ in snapshots)
    final = [text for time, text in snapshots if time == last][-1]
    assert same(rebuilt(events_of(snapshots)), final)


@given(histories)
def test_every_snapshot_is_met_on_the_way(snapshots):
    events = events_of(snapshots)
    states = [rebuilt(events[:n]) for n in range(1, len(events) + 1)]
    ordered = sorted(snapshots, key=lambda snapshot: snapshot[0])
    for _, text in ordered:
        while not same(states[0], text):
            states.pop(0)
    assert decode(encode(events)) == events


@given(texts, texts)
def test_a_difference_makes_one_text_of_the_other_and_is_minimal(old, new):
    a, b = encoded(old), encoded(new)
    at, deleted, inserted = difference(a, b)
    assert a[: 2 * at] + inserted + a[2 * (at + deleted) :] == b
    if a == b:
        assert (deleted, inserted) == (0, b"")


@given(texts, texts, st.integers(0, 20))
def test_a_guess_of_the_place_changes_no_difference(old, new, near):
    a, b = encoded(old), encoded(new)
    if a != b:
        assert difference(a, b, near) == difference(a, b)


@given(st.lists(ascii_texts, min_size=1))
def test_ascii_texts_differ_as_their_units_do(history):
    changes = []
    for old, new in pairwise(["", *history]):
        if old != new:
            at, deleted, inserted = difference(encoded(old), encoded(new))
            changes.append((at, deleted, decoded(inserted)))
    edits = events_of(enumerate(history))[1:]
    assert [(edit.at, edit.deleted, edit.inserted) for edit in edits] == changes


@given(whole, whole)
def test_no_surrogate_pair_is_cut_in_two(old, new):
    at, deleted, inserted = difference(encoded(old), encoded(new))
    inserted.decode("utf-16-le")
    encoded(old)[2 * at : 2 * (at + deleted)].decode("utf-16-le")


@pytest.mark.parametrize(
    ("old", "new", "change"),
    [
        ("", "abc", (0, 0, "abc")),
        ("al", "all", (2, 0, "l")),  # the second l is the new one
        ("all", "al", (2, 1, "")),
        ("a cat", "a red cat", (2, 0, "red ")),
        ("a 🍁.", "a 🍂.", (2, 2, "🍂")),
        ("same", "same", (4, 0, "")),
    ],
)
def test_rightmost_of_equally_short_changes_is_chosen(old, new, change):
    at, deleted, inserted = difference(encoded(old), encoded(new))
    assert (at, deleted, inserted.decode("utf-16-le")) == change


def test_a_log_begins_with_a_start_and_leaves_out_what_changes_nothing():
    events = events_of([(700, "a"), (500, ""), (900, "a"), (950, "ab🍁")])
    assert events == [
        Start(seq=1, ms=0, length=0, version=1, agent="snapshots"),
        Edit(seq=2, ms=200, at=0, deleted=0, inserted="a", input=""),
        Edit(seq=3, ms=450, at=1, deleted=0, inserted="b🍁", input=""),
    ]
    assert units(rebuilt(events)) == 4
    assert [event.type for event in events_of([])] == ["start"]
