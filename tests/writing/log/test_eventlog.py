"""Reading events strictly, and packing them without loss."""

import contextlib
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.writing.log.simulated_log import written
from writing.log import eventlog
from writing.log.eventlog import Edit, Event, Key, NotEvents, decode, encode, pack, unpack

EDIT = {"type": "edit", "at": 0, "deleted": 0, "inserted": "a", "input": "insertText"}


def one(**fields: object) -> bytes:
    return json.dumps([{"seq": 1, "ms": 0} | fields]).encode()


def two(*times: tuple[int, int]) -> bytes:
    return json.dumps([EDIT | {"seq": seq, "ms": ms} for seq, ms in times]).encode()


TEXTS = st.text(st.characters(exclude_categories=[], exclude_characters="\x00"), max_size=6)
WHOLE = st.integers(0, 2**31 - 1)
KINDS: dict[type[Event], dict[str, st.SearchStrategy]] = {
    eventlog.Start: {"length": WHOLE, "version": st.just(1), "agent": TEXTS},
    Edit: {"at": WHOLE, "deleted": WHOLE, "inserted": TEXTS, "input": TEXTS},
    eventlog.Select: {"start": WHOLE, "end": WHOLE},
    Key: {"code": st.sampled_from(["KeyA", "KeyB", "ShiftLeft", ""]), "down": st.booleans()},
    eventlog.Copy: {"source": st.just("own"), "length": WHOLE},
    eventlog.Cut: {"at": WHOLE, "length": WHOLE},
    eventlog.Paste: {
        "at": WHOLE,
        "length": WHOLE,
        "source": st.just("passage"),
        "passage": WHOLE,
    },
    eventlog.Drop: {"at": WHOLE, "length": WHOLE, "source": st.just("outside")},
    eventlog.Focus: {},
    eventlog.Blur: {},
    eventlog.Hidden: {},
    eventlog.Shown: {},
    eventlog.Away: {},
    eventlog.Back: {},
    eventlog.Dwell: {"passage": WHOLE, "duration": WHOLE},
    eventlog.Filter: {"query": TEXTS, "matches": WHOLE},
    eventlog.Click: {"target": TEXTS},
    eventlog.Scroll: {"part": st.sampled_from(["editor", "passages"]), "top": WHOLE},
    eventlog.Resize: {"width": WHOLE, "height": WHOLE},
    eventlog.Snapshot: {"text": TEXTS},
}


@st.composite
def logs(draw: st.DrawFn) -> list[Event]:
    kinds = draw(st.lists(st.sampled_from(list(KINDS)), min_size=1, max_size=30))
    times = sorted(draw(st.lists(WHOLE, min_size=len(kinds), max_size=len(kinds))))
    first = draw(st.integers(1, 1000))
    return [
        kind(seq=first + at, ms=ms, **draw(st.fixed_dictionaries(KINDS[kind])))
        for at, (kind, ms) in enumerate(zip(kinds, times, strict=True))
    ]


@given(logs())
@settings(max_examples=150, deadline=None)
def test_every_log_comes_back_from_json_and_from_its_packed_piece(events: list[Event]):
    assert decode(encode(events)) == events
    assert unpack(pack(events)) == events


@given(st.lists(st.fixed_dictionaries(KINDS[Edit]), min_size=1, max_size=12), logs())
@settings(max_examples=100, deadline=None)
def test_edits_packed_column_by_column_are_the_same_bytes(edits: list[dict], before: list[Event]):
    seq, ms = before[-1].seq, before[-1].ms
    events = [*before, *(Edit(seq=seq + at, ms=ms, **edit) for at, edit in enumerate(edits, 1))]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(eventlog, "_final_edits", lambda events: ())
        one_by_one = pack(events)
    assert pack(events) == one_by_one
    assert unpack(one_by_one) == events


def test_a_log_with_lost_chunks_keeps_its_holes_when_packed():
    events = [event for event in written(words=20).events if not 30 <= event.seq < 80]
    assert unpack(pack(events)) == events


def test_a_written_response_with_every_key_stays_under_12_kb():
    writer = written(words=250)
    packed = pack(writer.events)
    assert len(writer.events) > 4000
    assert len(packed) < 12_000
    assert unpack(packed) == writer.events


def test_half_a_surrogate_pair_is_kept_as_it_is():
    (event,) = decode(one(**EDIT | {"inserted": "a\ud83d"}))
    assert isinstance(event, Edit)
    assert event.inserted == "a\ud83d"
    assert unpack(pack([event])) == [event]
    assert b"\\ud83d" in encode([event])


def test_a_text_is_made_well_formed_without_changing_its_length():
    assert eventlog.well_formed("a\ud83d") == "a\ufffd"
    assert eventlog.well_formed("\ud83d\ude00") == "\U0001f600"
    assert eventlog.units("\U0001f600é") == 3


@pytest.mark.parametrize(
    ("data", "code", "shown"),
    [
        (b"", "not_json", ""),
        (b"[", "not_json", ""),
        (b"\xff", "not_json", ""),
        (b"[" * 100_000, "invalid|not_json", ""),
        (b"[]", "empty", ""),
        (b"{}", "invalid", "array"),
        (one(**EDIT)[:-5], "not_json", ""),
        (one(**EDIT | {"at": -1}), "invalid", ">= 0"),
        (one(**EDIT | {"at": 0.5}), "invalid", "int"),
        (one(**EDIT | {"at": 2**40}), "invalid", "<="),
        (one(**EDIT | {"at": True}), "invalid", "int"),
        (one(**EDIT | {"inserted": "a" * 200_001}), "invalid", "200000"),
        (one(**EDIT | {"inserted": "\U0001f600" * 100_001}), "too_long", "200000"),
        (one(**EDIT | {"inserted": "a\x00"}), "nul", ""),
        (one(**EDIT | {"inserted": "\ud83d", "at": -1}), "invalid", ">= 0"),
        (one(**EDIT | {"inserted": "\ud83d", "at": float("nan")}), "not_json", ""),
        (one(**EDIT | {"clipboard": "all of it"}), "invalid", "clipboard"),
        (one(type="filter", query="q" * 501, matches=1), "invalid", "500"),
        (one(type="paste", at=0, length=1, source="passage"), "passage", ""),
        (one(type="copy", source="own", length=1, passage=2), "passage", ""),
        (one(type="copy", source="outside", length=1), "invalid", "outside"),
        (one(type="telepathy"), "invalid", "telepathy"),
        (one(**EDIT | {"seq": 0}), "invalid", ">= 1"),
        (
            json.dumps([EDIT | {"seq": 1, "ms": 5}, EDIT | {"seq": 2, "ms": 4}]).encode(),
            "earlier",
            r"\b2\b",
        ),
        (
            json.dumps([EDIT | {"seq": 1, "ms": 5}, EDIT | {"seq": 3, "ms": 5}]).encode(),
            "gap",
            r"\b3\b",
        ),
        (
            json.dumps([EDIT | {"seq": 2, "ms": 5}, EDIT | {"seq": 1, "ms": 5}]).encode(),
            "gap",
            r"\b1\b",
        ),
    ],
)
def test_body_that_is_no_list_of_events_is_refused_with_its_fault(
    data: bytes, code: str, shown: str
):
    with pytest.raises(NotEvents, match=shown) as refused:
        decode(data)
    assert refused.value.code in code.split("|")


@given(st.binary(max_size=200))
@settings(max_examples=100, deadline=None)
def test_damaged_packed_logs_are_refused(noise: bytes):
    for data in (noise, b"\x01" + noise):
        with pytest.raises(NotEvents):
            unpack(data)


@given(st.integers(1, 10_000), st.integers(0, 255))
@settings(max_examples=60, deadline=None)
def test_a_changed_byte_is_refused_or_gives_events(place: int, byte: int):
    packed = bytearray(pack(written(words=5).events))
    packed[place % len(packed)] = byte
    with contextlib.suppress(NotEvents):
        unpack(bytes(packed))
