"""Taking chunks: once, in any order, and nothing that does not fit."""

import json
import random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.fieldwork.work import assigning
from annotation.fieldwork.work.refusals import NotLive, OtherTab
from annotation.models import Assignment
from tests.cast import HOUR, MINUTE, NOW, alice, begun, bob, handed_in, writing_study
from tests.hooks import numbers
from tests.refusals import refused
from tests.writing.log.simulated_log import written
from writing.log import chunks, collecting
from writing.log.collecting import (
    Collected,
    StillWritten,
    arrivals_of,
    collect,
    events_of,
    missing_numbers,
)
from writing.log.eventlog import Edit, Event, Snapshot, Start, encode
from writing.models import LogChunk, PackedLog

pytestmark = [pytest.mark.django_db, pytest.mark.storage]


def typed(*, letters: int, first: int = 1, ms: int = 0) -> list[Event]:
    """Events that add letters at the end of a text of `first - 1` letters."""
    return [
        Edit(seq=seq, ms=ms + seq, at=seq - 1, deleted=0, inserted="a", input="insertText")
        for seq in range(first, first + letters)
    ]


def chunked(events: list[Event], size: int) -> dict[int, list[Event]]:
    return {
        number: events[start : start + size]
        for number, start in enumerate(range(0, len(events), size), start=1)
    }


def send(assignment, number, events, *, tab="one") -> Collected:
    data = events if isinstance(events, bytes) else encode(events)
    return collect(assignment=assignment, number=number, events_json=data, now=NOW, tab=tab)


@pytest.fixture
def assignment() -> Assignment:
    return begun(writing_study(), alice())


def test_chunks_in_order_are_taken(assignment):
    assert send(assignment, 1, typed(letters=3)) == Collected([], 2)
    assert send(assignment, 2, typed(letters=3, first=4)) == Collected([], 3)
    assert events_of(assignment) == typed(letters=6)


def test_a_chunk_that_comes_again_is_acknowledged_again(assignment):
    for _ in range(3):
        assert send(assignment, 1, typed(letters=3)) == Collected([], 2)
    spaced = json.dumps(json.loads(encode(typed(letters=3))), indent=2).encode()
    assert send(assignment, 1, spaced) == Collected([], 2)
    assert LogChunk.objects.count() == 1


def test_another_chunk_of_the_same_number_is_refused(assignment):
    send(assignment, 1, typed(letters=3))
    with refused("OtherChunk") as refusal:
        send(assignment, 1, typed(letters=4))
    assert refusal.match("chunk 1")
    assert events_of(assignment) == typed(letters=3)


def test_missing_numbers_are_named_until_they_come(assignment):
    some = chunked(typed(letters=12), 2)
    assert send(assignment, 3, some[3]) == Collected([1, 2], 4)
    assert send(assignment, 6, some[6]) == Collected([1, 2, 4, 5], 7)
    assert send(assignment, 1, some[1]) == Collected([2, 4, 5], 7)
    assert missing_numbers(assignment, up_to=8) == [2, 4, 5, 7, 8]
    for number in (2, 5, 4):
        last = send(assignment, number, some[number])
    assert last == Collected([], 7)
    assert events_of(assignment) == typed(letters=12)


@pytest.mark.parametrize("seed", range(3))
def test_any_order_with_repeats_gives_the_same_log(assignment, seed):
    events = written(words=30, seed=seed).events
    some = chunked(events, 23)
    order = random.Random(seed).choices(list(some), k=20) + list(some)
    random.Random(seed + 1).shuffle(order)
    for number in order:
        send(assignment, number, some[number])
    assert events_of(assignment) == events


def test_the_hot_path_is_three_queries_and_does_not_grow(assignment):
    some = chunked(typed(letters=400), 5)
    for number in range(1, 80):
        with CaptureQueriesContext(
            connection,
        ) as queries:
            send(assignment, number, some[number])
        if number > 1:
            sqls = [query["sql"] for query in queries if "SAVEPOINT" not in query["sql"]]
            assert len(sqls) <= 3, sqls


@pytest.mark.parametrize(
    ("number", "events", "sentence"),
    [
        (0, typed(letters=1, first=4), "numbered from 1"),
        (10**9, typed(letters=1, first=4), "numbered from 1"),
        (2, typed(letters=1, first=5), "Event 5"),
        (2, typed(letters=1, first=3), "Event 3"),
        (4, typed(letters=1, first=5), "Event 5"),
        (2, [Edit(seq=4, ms=1, at=0, deleted=0, inserted="", input="")], "is earlier"),
        (2, [Edit(seq=4, ms=9, at=4, deleted=0, inserted="b", input="")], "4.* 0 .* 4.* 3 "),
        (2, [Edit(seq=4, ms=9, at=2, deleted=2, inserted="", input="")], "4.* 2 .* 2.* 3 "),
        (2, [Snapshot(seq=4, ms=9, text="a" * 150_000),
             Edit(seq=5, ms=9, at=0, deleted=0, inserted="a" * 60_000, input="")], "200000 units"),
        (2, b"[{}]", "type"),
        (2, b"\x00", "not JSON"),
    ],
)  # fmt: skip
def test_chunk_that_does_not_fit_is_refused_and_changes_nothing(
    assignment, number, events, sentence
):
    send(assignment, 1, typed(letters=3))
    with refused("NotAChunk") as refusal:
        send(assignment, number, events)
    assert refusal.match(sentence)
    assert events_of(assignment) == typed(letters=3)


def test_a_chunk_that_fills_a_hole_must_fit_on_both_sides(assignment):
    some = chunked(typed(letters=12), 4)
    send(assignment, 1, some[1])
    send(assignment, 3, some[3])
    with refused("NotAChunk") as refusal:
        send(assignment, 2, some[2][:-1])
    assert refusal.match("Event")
    late = [Edit(seq=seq, ms=5000, at=0, deleted=0, inserted="", input="") for seq in range(5, 9)]
    with refused("NotAChunk") as refusal:
        send(assignment, 2, late)
    assert refusal.match("earlier")
    assert send(assignment, 2, some[2]) == Collected([], 4)


def test_more_than_a_megabyte_is_refused(assignment):
    with refused("TooLarge"):
        send(assignment, 1, b"[" + b" " * 1_000_000 + b"]")


def test_another_tab_is_refused(assignment):
    Assignment.objects.update(tab="one")
    with pytest.raises(OtherTab):
        send(assignment, 1, typed(letters=1), tab="two")
    assert send(assignment, 1, typed(letters=1), tab="one").next_number == 2


def test_nothing_is_taken_before_the_work_or_after_it():
    study = writing_study(topics=2)
    arrived = assigning.claim(study=study, worker=bob(), now=NOW)
    with pytest.raises(NotLive) as refused:
        send(arrived, 1, typed(letters=1))
    assert refused.value.state == "arrived"
    mine = begun(study, alice())
    send(mine, 1, typed(letters=1))
    handed_in(mine, now=NOW)
    for number in (1, 2):
        with pytest.raises(NotLive) as refused:
            send(mine, number, typed(letters=1, first=number))
        assert refused.value.state == "submitted"
    assigning.expire_due(now=NOW + 1000 * HOUR)
    with pytest.raises(NotLive):
        send(arrived, 1, typed(letters=1))


def test_a_submitted_log_is_packed_into_one_piece(assignment):
    events = written(words=20).events
    for number, some in chunked(events, 40).items():
        send(assignment, number, some)
    with pytest.raises(StillWritten):
        collecting.pack_log(assignment=assignment)
    handed_in(assignment, now=NOW)
    for _ in range(2):
        collecting.pack_log(assignment=assignment)
        assert not LogChunk.objects.exists()
        assert PackedLog.objects.get().events == len(events)
        assert events_of(assignment) == events
        assert missing_numbers(assignment) == []


def test_work_that_is_redone_goes_on_after_the_packed_log(assignment):
    events = typed(letters=12)
    some = chunked(events, 4)
    send(assignment, 1, some[1])
    send(assignment, 2, some[2])
    handed_in(assignment, now=NOW)
    collecting.pack_log(assignment=assignment)
    Assignment.objects.update(state="active", submitted_at=None)
    assert send(assignment, 2, some[2]) == Collected([], 3)
    with refused("OtherChunk"):
        send(assignment, 2, some[3])
    with refused("NotAChunk"):
        send(assignment, 3, some[2])
    assert send(assignment, 3, some[3]) == Collected([], 4)
    assert events_of(assignment) == events
    handed_in(assignment, now=NOW)
    collecting.pack_log(assignment=assignment)
    assert events_of(assignment) == events
    assert PackedLog.objects.get().last_number == 3


def test_a_page_that_begins_tells_the_length_where_it_is_not_known(assignment):
    start = Start(seq=7, ms=9, length=6, version=1, agent="")
    out = Edit(seq=8, ms=9, at=7, deleted=0, inserted="b", input="")
    with refused("NotAChunk") as refusal:
        send(assignment, 3, [start, out])
    assert numbers(str(refusal.value)) == [8, 0, 7, 6]
    assert LogChunk.objects.count() == 0


# -- A log has an end -------------------------------------------------------------------------


def snapshot(*, first: int, text: str = "abc") -> list[Event]:
    """Return a page that begins behind all that is here, with the whole text."""
    start = Start(seq=first, ms=10**6, length=0, version=1, agent="")
    return [start, Snapshot(seq=first + 1, ms=10**6, text=text)]


@pytest.mark.parametrize("order", [(1, 2, 3), (2, 1, 3), (3, 1, 2)])
def test_a_log_of_too_many_bytes_is_refused_in_any_order(assignment, monkeypatch, order):
    some = chunked(typed(letters=30), 10)
    sizes = {number: len(encode(events)) for number, events in some.items()}
    monkeypatch.setattr(chunks, "MOST_LOG_BYTES", sum(sizes.values()) - 1)
    monkeypatch.setattr(chunks, "RESERVE_BYTES", 0)
    for number in order[:2]:
        send(assignment, number, some[number])
    with refused("LogFull"):
        send(assignment, order[2], some[order[2]])
    assert LogChunk.objects.count() == 2
    send(assignment, order[0], some[order[0]])  # what is here is acknowledged all the same
    assert LogChunk.objects.order_by("pk").last().log_bytes == sum(sizes[n] for n in order[:2])


def test_a_log_of_too_many_events_is_refused(assignment, monkeypatch):
    monkeypatch.setattr(chunks, "MOST_LOG_EVENTS", 9)
    send(assignment, 1, typed(letters=9))
    with refused("LogFull"):
        send(assignment, 2, typed(letters=1, first=10, ms=20))


def test_a_full_log_still_takes_whole_texts_but_not_for_ever(assignment, monkeypatch):
    monkeypatch.setattr(chunks, "MOST_LOG_EVENTS", 9)
    monkeypatch.setattr(chunks, "RESERVE_EVENTS", 4)
    send(assignment, 1, typed(letters=9))
    send(assignment, 2, snapshot(first=10, text="a whole text"))
    send(assignment, 3, snapshot(first=12, text="a whole text, longer"))
    with refused("LogFull"):
        send(assignment, 4, snapshot(first=14))
    assert events_of(assignment)[-1].text == "a whole text, longer"


def test_redone_work_does_not_begin_with_an_empty_account(assignment, monkeypatch):
    send(assignment, 1, typed(letters=9))
    Assignment.objects.update(state="submitted", submitted_at=NOW)
    collecting.pack_log(assignment=assignment)
    Assignment.objects.update(state="active", submitted_at=None)
    size = len(encode(typed(letters=9)))
    assert PackedLog.objects.get().log_bytes == size
    monkeypatch.setattr(chunks, "MOST_LOG_BYTES", size + 50)
    with refused("LogFull"):
        send(assignment, 2, typed(letters=3, first=10, ms=20))


def test_when_chunks_came_is_kept_when_they_are_packed(assignment):
    some = chunked(typed(letters=12), 4)
    for minutes, number in enumerate((1, 3, 2)):
        data = encode(some[number])
        at = NOW + minutes * MINUTE
        collect(assignment=assignment, number=number, events_json=data, now=at, tab="")
    came = arrivals_of(assignment)
    assert [(each.number, each.ms) for each in came] == [(1, 4), (2, 8), (3, 12)]
    assert [each.at - came[0].at for each in came] == [0, 120_000, 60_000]
    Assignment.objects.update(state="submitted", submitted_at=NOW)
    collecting.pack_log(assignment=assignment)
    assert not LogChunk.objects.exists()
    assert arrivals_of(assignment) == came
    Assignment.objects.update(state="active", submitted_at=None)
    send(assignment, 4, typed(letters=2, first=13))
    Assignment.objects.update(state="submitted", submitted_at=NOW)
    collecting.pack_log(assignment=assignment)
    assert [arrival.number for arrival in arrivals_of(assignment)] == [1, 2, 3, 4]
