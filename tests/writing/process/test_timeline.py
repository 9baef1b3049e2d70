"""A log at a glance."""

from tests.writing.process.test_replay import log, paste
from writing.log.eventlog import Blur, Focus, Hidden, Shown
from writing.process.replay import Replay
from writing.process.timeline import timeline


def seen(*changes, every=100, **options):
    events = log(*changes, every=every)
    return timeline(events, Replay(events).steps, **options)


def marks(*changes, **options):
    return [(mark.kind, mark.seq, mark.size) for mark in seen(*changes, **options).marks]


def test_a_paste_is_marked_once_where_the_log_names_it():
    long = "x" * 100
    assert marks(paste(0, 5, "own"), (0, 0, "maple", "insertFromPaste")) == [("paste", 2, 5)]
    assert marks(paste(0, 100, "outside"), (0, 0, long)) == [("paste", 2, 100)]
    assert marks((0, 0, "a"), (1, 0, long)) == [("paste", 3, 100)]
    assert marks((0, 0, "a"), (1, 0, "b" * 80)) == []


def test_a_jump_is_writing_elsewhere_than_before():
    assert marks((0, 0, "x" * 60), (60, 0, "y"), (0, 0, "z")) == [("jump", 4, 61)]
    assert marks((0, 0, "x" * 60), (20, 0, "y")) == [("jump", 3, 40)]
    assert marks((0, 0, "x" * 60), (21, 0, "y")) == []
    assert marks((0, 0, "x" * 60), (10, 50, "")) == [("deletion", 3, 50)]


def test_deletions_letter_by_letter_are_one():
    typed = [(0, 0, "x" * 60)]
    back = [(59 - n, 1, "") for n in range(25)]
    assert marks(*typed, *back, (35, 0, "y")) == [("deletion", 3, 25)]
    assert marks(*typed, *back) == [("deletion", 3, 25)]
    assert marks(*typed, *back[:19], (41, 0, "y")) == []
    assert marks(*typed, *back, every=3000) == []


def test_an_absence_lasts_until_the_writer_is_back():
    def event(kind):
        return kind(seq=0, ms=0)

    away = (event(Blur), event(Hidden), event(Shown), event(Focus))
    assert marks((0, 0, "a"), *away, every=100) == [("away", 4, 100)]
    assert marks(event(Hidden), (0, 0, "a")) == [("away", 2, 100)]
