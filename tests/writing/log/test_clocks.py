"""A log's clock beside ours, and named sources beside their texts: numbers, never a verdict."""

import json

import pytest

from tests.cast import MINUTE, NOW, alice, begun, writing_study
from tests.hooks import numbers
from tests.writing.log.simulated_log import written
from writing import tasks
from writing.editor import drafting
from writing.log.arrivals import ChunkArrival, pack, unpack
from writing.log.clocks import clocks
from writing.log.collecting import collect
from writing.log.eventlog import Edit, Paste, Start, encode
from writing.models import ProcessRecord
from writing.process.evidence import flags
from writing.process.process import process_of
from writing.process.replay import Replay
from writing.replay.playback import playback

BEGAN = 1_700_000_000_000  # ms since 1970
PASSAGES = ["Maples are trees. They grow in the north of the world.", "Lamps shine in colours."]


def online(*, until=480_000, late=300, begins=20_000):
    """Return chunks every 2 s that arrive soon after their last event.

    The first one comes `begins` ms after the consent.
    """
    times = range(2_000, until + 1, 2_000)
    return [ChunkArrival(n, ms, BEGAN + begins + ms + late) for n, ms in enumerate(times, start=1)]


def held(arrivals, start, end):
    """Return arrivals in which text of `start` to `end` ms came after a reconnection."""
    back = BEGAN + 20_000 + end
    return [
        arrival._replace(at=max(arrival.at, back + arrival.number))
        if start <= arrival.ms < end
        else arrival
        for arrival in arrivals
    ]


def flagged(arrivals):
    events = [Start(seq=1, ms=0, length=0, version=1, agent="")]
    events.append(Edit(seq=2, ms=480_000, at=0, deleted=0, inserted="a", input=""))
    flagged = flags(process_of(events), events, clocks=clocks(arrivals, began=BEGAN))
    return [flag.kind for flag in flagged]


def test_arrivals_are_packed_small_and_come_back_the_same():
    some = held(online(), 100_000, 300_000)
    assert unpack(pack(some)) == some
    assert len(pack(some)) < 4 * len(some)
    assert unpack(pack([])) == []


def test_a_log_that_claims_more_time_than_passed_is_evidence_with_both_numbers():
    forged = [ChunkArrival(n, 2_000 * n, BEGAN + 50 + n // 3) for n in range(1, 238)]
    readings = clocks(forged, began=BEGAN)
    assert (readings.claimed, readings.ahead) == (474_000, 474_000 - 129)
    events = written(words=40).events
    (ahead, at_once) = flags(process_of(events), events, clocks=readings)
    assert ahead.kind == "clock ahead of ours"
    assert numbers(ahead.unit) == [7.9, 0]
    assert at_once.kind == "arrived all at once"


def test_forged_log_sent_late_counts_as_sent_at_once():
    forged = [ChunkArrival(n, 2_000 * n, BEGAN + 600_000) for n in range(1, 238)]
    assert flagged(forged) == ["arrived all at once"]


@pytest.mark.parametrize(
    "arrivals",
    [
        online(),
        online(begins=3_600_000),
        held(online(), 30_000, 470_000),  # the connection was away nearly all the time
        held(held(online(), 60_000, 200_000), 220_000, 400_000),
        [arrival._replace(ms=round(arrival.ms * 1.015)) for arrival in online(late=0, begins=0)],
        [],
    ],
)
def test_no_honest_log_is_flagged_for_its_times(arrivals):
    assert flagged(arrivals) == []


def test_events_sent_late_are_measured_as_a_burst():
    readings = clocks(held(online(), 30_000, 470_000), began=BEGAN)
    assert (readings.ahead, readings.burst_from) == (0, 28_000)
    assert 440_000 <= readings.burst <= 452_000


# -- Sources ----------------------------------------------------------------------------------


def pasted(text, **source):
    return [
        Start(seq=1, ms=0, length=0, version=1, agent=""),
        Paste(seq=2, ms=900, at=0, length=len(text), **source),
        Edit(seq=3, ms=901, at=0, deleted=0, inserted=text, input="insertFromPaste"),
    ]


@pytest.mark.parametrize(
    ("text", "source", "origin"),
    [
        ("Maples are trees.", {"source": "passage", "passage": 0}, "passage 0"),
        ("MAPLES  are trees. They grow", {"source": "passage", "passage": 0}, "passage 0"),
        ("Nobody wrote this in a passage.", {"source": "passage", "passage": 0}, "foreign"),
        ("Nobody wrote this in a passage.", {"source": "passage", "passage": 9999}, "foreign"),
        ("Lamps shine in colours.", {"source": "passage", "passage": 9999}, "passage 1"),
        ("Nobody wrote this in a passage.", {"source": "own"}, "foreign"),
    ],
)
def test_a_named_source_counts_only_if_it_has_the_text(text, source, origin):
    replay = Replay(pasted(text, **source), PASSAGES)
    assert [str(run.provenance) for run in replay.end().runs] == [origin]


def test_a_source_without_the_text_is_said_and_flagged():
    events = pasted("Nobody wrote this in a passage.", source="passage", passage=9999)
    told = json.loads(playback(events, PASSAGES).as_json())["marks"][0][3]
    assert "passage 9999, does not contain it" in told
    replay = Replay(events, PASSAGES)
    flagged = flags(process_of(events, replay=replay), events, steps=replay.steps)
    assert [(flag.kind, flag.value) for flag in flagged] == [("source without the text", 31)]
    honest = pasted("Maples are trees. They grow", source="passage", passage=0)
    steps = Replay(honest, PASSAGES).steps
    assert flags(process_of(honest, PASSAGES), honest, steps=steps) == []


# -- From the chunks to the record ------------------------------------------------------------


@pytest.mark.django_db
def test_a_forged_log_sent_in_a_moment_does_not_look_honest():
    work = begun(writing_study(), alice())
    drafting.acknowledge(assignment=work, now=NOW, answers={})
    writer = written(words=250)
    events = writer.events
    for number, start in enumerate(range(0, len(events), 200), start=1):
        data = encode(events[start : start + 200])
        collect(assignment=work, number=number, events_json=data, now=NOW, tab="")
    drafting.submit(assignment=work, text=writer.text, last_number=number, now=NOW + MINUTE)
    tasks.pack(work.pk)
    record = ProcessRecord.objects.get()
    flagged = [flag["kind"] for flag in record.flags]
    assert {"clock ahead of ours", "arrived all at once"} <= set(flagged)
    assert record.values["clock_ahead_minutes"][0] == pytest.approx(events[-1].ms / 60_000)
