"""What the player gets: its steps rebuild the text, its keyframes are moments of the replay."""

import json

from hypothesis import given

from tests.hooks import numbers
from tests.writing.process.test_replay import PASSAGES, log, logs, paste
from writing.log.eventlog import Away, Back, Blur, Dwell, Edit, Focus, Hidden, Shown, Snapshot
from writing.log.snapshots import events_of
from writing.process.provenance import FOREIGN, NO_PASTE, code_of
from writing.process.replay import EVERY, Replay, rebuilt
from writing.replay.playback import playback


def told(events, passages=PASSAGES):
    return json.loads(playback(events, passages).as_json())


def code_units(text):
    data = text.encode("utf-16-le", "surrogatepass")
    return [data[i : i + 2] for i in range(0, len(data), 2)]


def text_of(letters):
    return b"".join(letters).decode("utf-16-le", "surrogatepass")


def played(data, count=None):
    """Return text and origins after some of the steps, unit by unit, as a browser does."""
    text, origins = [], []
    for _, _, at, deleted, inserted, origin in data["steps"][:count]:
        new = code_units(inserted)
        coded = [[len(new), origin]] if isinstance(origin, int) else origin
        text[at : at + deleted] = new
        origins[at : at + deleted] = [code for size, code in coded for _ in range(size)]
    return text_of(text), origins


def spelled(coded):
    return [code for size, code in coded for _ in range(size)]


@given(logs())
def test_the_steps_rebuild_the_text_and_its_origins(events):
    text, origins = played(told(events))
    assert text == rebuilt(events)
    end = Replay(events, PASSAGES).end()
    assert origins == [
        code_of(run.provenance) for run in end.runs for _ in range(run.end - run.start)
    ]


def test_keyframes_are_moments_of_the_replay():
    piece = PASSAGES[0][:50]
    changes = [(n // 2, 0, "🍁" if n % 7 else "a") for n in range(2 * EVERY)]
    events = log(*changes, paste(3, 50, "passage", 0), (3, 0, piece, "insertFromPaste"))
    data = told(events)
    assert [count for count, _, _ in data["keyframes"]] == [0, EVERY, 2 * EVERY]
    replay = Replay(events, PASSAGES)
    for count, text, coded in data["keyframes"][1:]:
        assert text == replay.at(replay.steps[count - 1].ms).text
        assert (text, spelled(coded)) == played(data, count)


def marks(*changes, **more):
    return [(mark[2], mark[3]) for mark in told(log(*changes, **more))["marks"]]


def test_a_paste_stands_at_the_moment_it_is_in_the_text():
    events = log((0, 0, "So "), paste(3, 9, "outside"), (3, 0, "elsewhere", "insertFromPaste"))
    assert told(events)["marks"] == [[200, 3, "paste", "9 characters pasted from outside", 300]]
    assert marks(paste(0, 5, "own"), (0, 0, "again", "insertFromPaste")) == [
        ("paste", "5 characters pasted from the writer's own text")
    ]


def test_other_marks_are_told_in_words():
    there = "word " * 40
    assert marks((0, 0, "a")) == []
    assert ("jump", "cursor moved 190 characters away") in marks((0, 0, there), (10, 0, "x"))
    assert ("deletion", "30 characters deleted") in marks((0, 0, "word " * 8), (0, 30, ""))
    assert ("paste", "200 characters at once, without a recorded paste") in marks((0, 0, there))


def test_an_absence_lasts_until_the_writer_is_back():
    away = [Blur(seq=0, ms=0), Hidden(seq=0, ms=0), Shown(seq=0, ms=0), Focus(seq=0, ms=0)]
    assert told(log((0, 0, "a"), *away, every=4_000))["marks"] == [
        [12_000, 4, "away", "page in the background for 4 s", 16_000]
    ]
    gone = [Back(seq=0, ms=0), Away(seq=0, ms=0), Back(seq=0, ms=0)]
    assert told(log(*gone, every=4_000))["marks"] == [
        [8_000, 3, "away", "in another window for 4 s", 12_000]
    ]


def test_losing_the_focus_for_no_time_is_no_moment():
    """A window may lose the focus for a moment, as to a list of suggestions."""
    assert marks(Back(seq=0, ms=0), Away(seq=0, ms=0), Back(seq=0, ms=0)) == []
    assert marks(Blur(seq=0, ms=0), Focus(seq=0, ms=0)) == []
    assert marks((0, 0, "a"), Blur(seq=0, ms=0)) == []


def test_passages_in_view_are_spans():
    first = Dwell(seq=0, ms=0, passage=2, duration=150)
    again = Dwell(seq=0, ms=0, passage=2, duration=100)
    other = Dwell(seq=0, ms=0, passage=0, duration=300)
    events = log(Focus(seq=0, ms=0), first, again, other)
    assert told(events)["shown"] == [[2, 50, 300], [0, 100, 400]]


def test_pauses_are_what_is_longer_than_two_seconds():
    events = log((0, 0, "ab"), (2, 0, "c"), Snapshot(seq=0, ms=0, text=""), every=5_000)
    assert told(events)["pauses"] == [[0, 5_000], [5_000, 10_000], [10_000, 15_000]]


ESSAY = "Nobody copied these words from a passage, and yet all of them came in one piece. " * 2


def test_what_comes_between_two_snapshots_appeared_at_once_and_is_not_from_elsewhere():
    events = events_of([(0, "A"), (6_000, "A" + ESSAY), (3_606_000, "A" + ESSAY + ESSAY[::-1])])
    data = told(events)
    assert data["snapshots"]
    assert [step[5] for step in data["steps"]] == [-1, -1003, -1004]
    fast, slow = (what for _, _, kind, what, _ in data["marks"] if kind == "paste")
    assert numbers(fast) == [162, 6, 324]  # characters, seconds, words a minute
    assert "1 h 0 min" in slow
    origins = {str(run.provenance) for run in Replay(events, PASSAGES).end().runs}
    assert origins == {"typed", "at once"}


def test_what_is_there_when_the_record_begins_has_no_pace():
    (mark,) = told(events_of([(0, ESSAY)]))["marks"]
    assert numbers(mark[3]) == [162]


def test_the_same_text_in_a_recorded_log_is_from_elsewhere():
    data = told(log((0, 0, "A"), (1, 0, ESSAY, "insertFromPaste"), (0, 0, ESSAY[::-1])))
    assert not data["snapshots"]
    assert data["steps"][1][5] == code_of(FOREIGN)
    assert data["steps"][2][5] == code_of(NO_PASTE)


def test_half_a_surrogate_pair_passes_through():
    half = Edit(seq=0, ms=0, at=0, deleted=0, inserted="\ud83c", input="insertText")
    assert told(log(half))["steps"][0][4] == "\ud83c"
