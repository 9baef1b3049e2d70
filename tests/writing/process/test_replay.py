"""The text of a log at any moment, and where it came from."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.coded_errors import raises
from tests.hooks import numbers as numbers_in
from tests.timing import least_cpu
from writing.log.eventlog import Copy, Cut, Drop, Edit, Key, Paste, Select, Snapshot, Start, units
from writing.log.snapshots import decoded, encoded
from writing.process.provenance import FOREIGN, OWN, TYPED, Provenance
from writing.process.replay import EVERY, BrokenLog, Replay, rebuilt

PASSAGES = [
    "Leaves turn red in autumn because sugar is trapped in them when the nights grow cold.",
    "The red pigment, anthocyanin, protects the leaf from light while it gives up its nitrogen.",
]


def log(*changes, every=100):
    """Return a log of edits from (at, deleted, inserted[, input]), or of whole events."""
    events = [Start(seq=1, ms=0, length=0, version=1, agent="test")]
    for number, change in enumerate(changes, start=2):
        if isinstance(change, tuple):
            at, deleted, inserted, *rest = change
            kind = rest[0] if rest else "insertText"
            change = Edit(seq=0, ms=0, at=at, deleted=deleted, inserted=inserted, input=kind)
        change.seq, change.ms = number, (number - 1) * every
        events.append(change)
    return events


def paste(at, length, source, passage=None):
    return Paste(seq=0, ms=0, at=at, length=length, source=source, passage=passage)


def plain_oracle(events):
    """Return the text as a list of UTF-16 code units, letter by letter."""
    text = []
    for event in events:
        if isinstance(event, Edit):
            data = event.inserted.encode("utf-16-le", "surrogatepass")
            new = [data[i : i + 2] for i in range(0, len(data), 2)]
            assert event.at + event.deleted <= len(text)
            text = text[: event.at] + new + text[event.at + event.deleted :]
        elif isinstance(event, Snapshot):
            data = event.text.encode("utf-16-le", "surrogatepass")
            text = [data[i : i + 2] for i in range(0, len(data), 2)]
    return b"".join(text).decode("utf-16-le", "surrogatepass")


pieces = st.text(st.sampled_from("ab \n0é́👩‍🚀🍁\ud83c\udf41"), max_size=6)


@st.composite
def logs(draw, most=40):
    """Any log: edits anywhere, also in the middle of a surrogate pair, and snapshots."""
    changes, size = [], 0
    for _ in range(draw(st.integers(0, most))):
        inserted = draw(pieces)
        if draw(st.integers(0, 9)) == 0:
            changes.append(Snapshot(seq=0, ms=0, text=inserted))
            size = units(inserted)
            continue
        at = draw(st.integers(0, size))
        deleted = draw(st.integers(0, min(4, size - at)))
        changes.append((at, deleted, inserted))
        size += units(inserted) - deleted
    return log(*changes)


@given(logs())
def test_it_rebuilds_what_a_plain_oracle_rebuilds(events):
    assert rebuilt(events) == plain_oracle(events)


@given(logs(), st.integers(0, 4500))
def test_any_moment_is_the_text_rebuilt_from_the_start(events, ms):
    replay = Replay(events, PASSAGES)
    for moment in (ms, *(event.ms for event in events)):
        until = [event for event in events if event.ms <= moment]
        assert replay.at(moment).text == plain_oracle(until)
    assert replay.end().text == rebuilt(events)


@given(logs())
def test_origins_cover_the_text_exactly(events):
    replay = Replay(events, PASSAGES)
    for step in replay.steps:
        moment = replay.at(step.ms)
        edges = [0, *(run.end for run in moment.runs)]
        assert [run.start for run in moment.runs] == edges[:-1]
        assert edges[-1] == units(moment.text)
        assert all(run.start < run.end for run in moment.runs)
        joined = "".join(text for text, _ in pieces_of(moment))
        joined_units = joined.encode("utf-16-le", "surrogatepass")
        assert joined_units == moment.text.encode("utf-16-le", "surrogatepass")


def test_a_seek_over_many_keyframes_is_the_same():
    events = log(*((n, 0, "x") if n % 3 else (n // 2, 0, "🍁"[:1]) for n in range(5 * EVERY)))
    replay = Replay(events)
    for seq in (1, EVERY, EVERY + 1, EVERY + 2, 3 * EVERY, 5 * EVERY, 5 * EVERY + 1):
        assert replay.at(events[seq - 1].ms).text == rebuilt(events[:seq])


@pytest.mark.parametrize(
    ("changes", "numbers"),
    [
        ([(1, 0, "a")], [2, 0, 1, 0]),
        ([(0, 0, "🍁"), (1, 2, "")], [3, 2, 1, 2]),
        ([(0, 0, "ab"), (-1, 1, "")], [3, 1, -1, 2]),
        ([(0, 0, "ab"), (1, -1, "")], [3, -1, 1, 2]),
    ],
)
def test_an_edit_outside_the_text_is_named(changes, numbers):
    for read in (rebuilt, Replay):
        with raises(BrokenLog, "outside") as refused:
            read(log(*changes))
        assert numbers_in(str(refused.value)) == numbers


def test_missing_events_and_times_that_run_back_are_named():
    events = log((0, 0, "a"), (1, 0, "b"), (2, 0, "c"))
    with raises(BrokenLog, "gap", match=r"\b2\b.*\b4\b"):
        rebuilt(events[:2] + events[3:])
    with raises(BrokenLog, "gap", match=r"\b0\b.*\b2\b"):
        rebuilt(events[1:])
    events[2].ms = 5
    with raises(BrokenLog, "earlier", match=r"\b3\b"):
        Replay(events)


# -- Origins ----------------------------------------------------------------------------------


def pieces_of(moment):
    units = encoded(moment.text)
    return [(decoded(units[2 * run.start : 2 * run.end]), run.provenance) for run in moment.runs]


def origins(*changes):
    end = Replay(log(*changes), PASSAGES).end()
    return [(text, str(origin)) for text, origin in pieces_of(end)]


def test_what_is_typed_is_typed_and_a_paste_is_of_its_passage():
    piece = "sugar is trapped"
    assert origins(
        (0, 0, "So: "),
        paste(4, len(piece), "passage", 0),
        (4, 0, piece, "insertFromPaste"),
        (20, 0, "."),
    ) == [("So: ", "typed"), (piece, "passage 0"), (".", "typed")]


def test_typing_inside_a_paste_parts_it():
    assert origins(
        paste(0, 16, "passage", 0),
        (0, 0, "sugar is trapped", "insertFromPaste"),
        (6, 2, "was"),
    ) == [("sugar ", "passage 0"), ("was", "typed"), (" trapped", "passage 0")]


def test_without_a_paste_event_what_stands_in_a_passage_is_from_it():
    assert origins((0, 0, "- " + PASSAGES[1][:70])) == [("- " + PASSAGES[1][:70], "passage 1")]
    assert origins((0, 0, "protects the\n leaf  from light")) == [
        ("protects the\n leaf  from light", "passage 1")
    ]
    assert origins((0, 0, "red")) == [("red", "typed")]  # may be chance


def test_nearly_verbatim_is_from_the_passage_too():
    said = PASSAGES[1].replace("nitrogen", "nitrate")
    assert origins((0, 0, said)) == [(said, "passage 1")]


def test_a_paste_from_outside_is_foreign_unless_a_passage_has_it():
    outside = paste(0, 5, "outside")
    assert origins(outside, (0, 0, "maple", "insertFromPaste")) == [("maple", "foreign")]
    piece = PASSAGES[0][:40]
    said = origins(paste(0, 40, "outside"), (0, 0, piece, "insertFromPaste"))
    assert said == [(piece, "passage 0")]


def test_what_is_too_long_to_be_typed_was_pasted_or_came_without_a_paste():
    essay = "Maples are trees of the northern half of the world, and there are many kinds of them."
    assert origins((0, 0, essay, "insertFromPaste")) == [(essay, "foreign")]
    assert origins((0, 0, essay)) == [(essay, "no paste")]
    assert origins((0, 0, "by voice")) == [("by voice", "no paste")]


def cut(at, length):
    return Cut(seq=0, ms=0, at=at, length=length)


def test_own_text_that_is_put_elsewhere_keeps_its_origin():
    own = "".join(f"word{n} " for n in range(15))
    letters = [(n, 0, letter) for n, letter in enumerate(own + "and on")]
    moved = [(0, len(own), ""), (6, 0, own)]
    assert origins(*letters, *moved) == [("and on" + own, "typed")]
    drop = Drop(seq=0, ms=0, at=6, length=5, source="own")
    dragged = [(0, 5, "", "deleteByDrag"), drop, (6, 0, "word ", "insertFromDrop")]
    typed = [(n, 0, letter) for n, letter in enumerate("word and on")]
    assert origins(*typed, *dragged) == [("and onword ", "typed")]


def test_cutting_and_pasting_does_not_change_where_a_text_is_from():
    there = "Maples are trees of the northern half of the world."
    size = len(there)
    brought = [paste(0, size, "outside"), (0, 0, there, "insertFromPaste"), (size, 0, "!")]
    way = [cut(0, size + 1), (0, size + 1, "", "deleteByCut"), paste(0, size + 1, "own")]
    back = (0, 0, there + "!", "insertFromPaste")
    assert origins(*brought, *way, back) == [(there, "foreign"), ("!", "typed")]
    # After a reload the page no longer knows what was cut; the record does.
    way[-1] = paste(0, size + 1, "outside")
    assert origins(*brought, *way, back) == [(there, "foreign"), ("!", "typed")]
    replay = Replay(log(*brought, *way, back), PASSAGES)
    assert [step.via for step in replay.steps] == ["paste", "", "", "move"]


def test_a_copy_of_own_text_has_the_origin_of_what_was_copied():
    there = "Maples are trees of the northern half of the world."
    copied = [
        Select(seq=0, ms=0, start=0, end=6),
        Copy(seq=0, ms=0, source="own", length=6),
        Select(seq=0, ms=0, start=51, end=51),
        paste(51, 6, "own"),
        (51, 0, "Maples", "insertFromPaste"),
    ]
    assert origins(paste(0, 51, "outside"), (0, 0, there, "insertFromPaste"), *copied) == [
        (there + "Maples", "foreign")
    ]


def test_a_piece_is_looked_for_between_units_only():
    """The bytes of two letters may hold those of a third, half of each."""
    odd = "\u4100\u0041"
    assert origins((0, 0, odd), paste(2, 1, "own"), (2, 0, "\u0041", "insertFromPaste"))


def test_of_two_changes_in_one_snapshot_what_stood_between_keeps_its_origin():
    piece = PASSAGES[0][:58]
    before = f"It is {piece} so"
    assert origins(
        *((n, 0, letter) for n, letter in enumerate("It is  so")),
        paste(6, 58, "passage", 0),
        (6, 0, piece, "insertFromPaste"),
        Snapshot(seq=0, ms=0, text=before.replace("It", "Now it").replace(" so", " then")),
    ) == [("Now it is ", "typed"), (piece, "passage 0"), (" then", "typed")]


def test_undo_brings_back_the_origin_as_it_was():
    assert origins(
        paste(0, 16, "passage", 0),
        (0, 0, "sugar is trapped", "insertFromPaste"),
        (0, 0, "So "),
        (0, 19, "", "deleteContentBackward"),
        (0, 0, "So sugar is trapped", "historyUndo"),
    ) == [("So ", "typed"), ("sugar is trapped", "passage 0")]


def test_a_paste_that_brought_nothing_says_nothing_about_the_next_letter():
    assert origins(paste(0, 30, "outside"), (0, 0, "a")) == [("a", "typed")]


def test_a_snapshot_keeps_the_origin_of_what_it_does_not_change():
    assert origins(
        paste(0, 16, "passage", 0),
        (0, 0, "sugar is trapped", "insertFromPaste"),
        Snapshot(seq=0, ms=0, text="So sugar is trapped"),
    ) == [("So ", "typed"), ("sugar is trapped", "passage 0")]


def test_the_kinds_of_origin_have_names():
    assert [str(origin) for origin in (TYPED, OWN, FOREIGN, Provenance("passage", 3))] == [
        "typed",
        "own",
        "foreign",
        "passage 3",
    ]


# -- Speed ------------------------------------------------------------------------------------


def a_log_of(minutes):
    """Eight keys a second with down and up, and back now and then, in a text that grows."""
    changes, size = [], 0
    for n in range(minutes * 60 * 8):
        changes.append(Key(seq=0, ms=0, code="KeyA", down=True))
        if n % 10 == 9:
            changes.append((size // 2, 1, ""))
            size -= 1
        else:
            changes.append((size, 0, "é"))
            size += 1
        changes.append(Key(seq=0, ms=0, code="KeyA", down=False))
    return log(*changes, every=42)


def test_a_minute_of_writing_is_rebuilt_in_20_ms_and_any_moment_is_found_in_50():
    events = a_log_of(minutes=20)
    assert least_cpu(lambda: rebuilt(events), enough=20 * 0.020) < 20 * 0.020
    replay = Replay(events, PASSAGES)
    for ms in range(0, replay.duration, replay.duration // 7):
        assert least_cpu(lambda ms=ms: replay.at(ms), enough=0.050) < 0.050
