r"""Interaction logs as bytes: JSON as browsers send it, and one small piece to keep.

Pure. In JSON half of a surrogate pair is an escape such as \ud83d, as JSON.stringify writes it.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import compress, pairwise
from operator import eq, not_
from typing import Any, cast

import msgspec

from annotation.texts.coded_errors import CodedError
from writing.log.columns import BrokenColumns, ColumnReader, ColumnWriter
from writing.log.events import (
    MOST_UNITS,
    VERSION,
    Away,
    Back,
    Blur,
    Click,
    Copy,
    Cut,
    Drop,
    Dwell,
    Edit,
    Event,
    Filter,
    Focus,
    Hidden,
    Key,
    Paste,
    Resize,
    Scroll,
    Select,
    Shown,
    Snapshot,
    Start,
    units,
    well_formed,
)

__all__ = [
    "MOST_UNITS",
    "VERSION",
    "Away",
    "Back",
    "Blur",
    "Click",
    "Copy",
    "Cut",
    "Drop",
    "Dwell",
    "Edit",
    "Event",
    "Filter",
    "Focus",
    "Hidden",
    "Key",
    "NotEvents",
    "Paste",
    "Resize",
    "Scroll",
    "Select",
    "Shown",
    "Snapshot",
    "Start",
    "decode",
    "encode",
    "encode_one",
    "pack",
    "units",
    "unpack",
    "well_formed",
]

_decoder = msgspec.json.Decoder(list[Event])
_HALF = re.compile(rb"\\u[dD][89a-fA-F]")
_ZERO = rb"\u0000"


class NotEvents(CodedError):
    """These bytes are not a list of events; the sentence says why."""


def decode(data: bytes) -> list[Event]:
    """Parse a JSON array of events, in order. Raises NotEvents."""
    try:
        events = _decoder.decode(data)
    except msgspec.ValidationError as error:
        raise NotEvents("invalid", f"An event has the wrong format: {error}.") from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        if not _HALF.search(data):
            raise NotEvents("not_json", "These events are not JSON.") from error
        events = _decode_halves(data)
    _check(events, data)
    return events


def _decode_halves(data: bytes) -> list[Event]:
    """Decode texts with half a surrogate pair, which msgspec refuses and Python's json accepts."""
    try:
        return msgspec.convert(json.loads(data, parse_constant=_no_number), list[Event])
    except msgspec.ValidationError as error:
        raise NotEvents("invalid", f"An event has the wrong format: {error}.") from error
    except (ValueError, RecursionError) as error:
        raise NotEvents("not_json", "These events are not JSON.") from error


def _no_number(name: str) -> float:
    raise ValueError(f"{name} isn't a number")


def _check(events: Sequence[Event], data: bytes) -> None:
    """Check order, times and texts of the events. Raises NotEvents."""
    if not events:
        raise NotEvents("empty", "There are no events.")
    before = None
    for event in events:
        if before is not None and event.seq != before.seq + 1:
            raise NotEvents("gap", f"Event {before.seq} is followed by event {event.seq}.")
        if before is not None and event.ms < before.ms:
            raise NotEvents("earlier", f"Event {event.seq} is earlier than the event before it.")
        before = event
        _check_one(event)
    if _ZERO in data and any("\x00" in text for event in events for text in _texts(event)):
        raise NotEvents("nul", "A text contains a NUL character.")


def _check_one(event: Event) -> None:
    if isinstance(event, Edit | Snapshot):
        text = event.inserted if isinstance(event, Edit) else event.text
        if len(text) > MOST_UNITS // 2 and units(text) > MOST_UNITS:
            raise NotEvents("too_long", f"Event {event.seq} has a text over {MOST_UNITS} units.")
    elif isinstance(event, Copy | Paste | Drop) and (event.source == "passage") != (
        event.passage is not None
    ):
        raise NotEvents("passage", f"Event {event.seq}: its source and its passage disagree.")


def _texts(event: Event) -> list[str]:
    return [value for value in msgspec.structs.astuple(event) if isinstance(value, str)]


def encode(events: Sequence[Event]) -> bytes:
    """Return the events as a JSON array in ASCII; half a surrogate pair becomes an escape."""
    return b"[" + b",".join(encode_one(event) for event in events) + b"]"


def encode_one(event: Event) -> bytes:
    """One event as a JSON object, in ASCII."""
    fields: dict[str, Any] = msgspec.to_builtins(event)
    return json.dumps(fields, separators=(",", ":")).encode()


# -- One small piece to keep -------------------------------------------------------------------
# How each field is written: with the method of this name, or as a position, which is told from
# the caret, or from the position before it in the same event. What is missing here is special.
_FIELDS: dict[type[Event], dict[str, str]] = {
    Start: {"length": "number", "version": "number", "agent": "word"},
    Edit: {"at": "position", "deleted": "number", "input": "word"},
    Select: {"start": "position", "end": "position"},
    Key: {},
    Copy: {"source": "word", "length": "number", "passage": "optional"},
    Cut: {"at": "position", "length": "number"},
    Paste: {"at": "position", "length": "number", "source": "word", "passage": "optional"},
    Drop: {"at": "position", "length": "number", "source": "word", "passage": "optional"},
    Focus: {},
    Blur: {},
    Hidden: {},
    Shown: {},
    Away: {},
    Back: {},
    Dwell: {"passage": "number", "duration": "number"},
    Filter: {"query": "word", "matches": "number"},
    Click: {"target": "word"},
    Scroll: {"part": "word", "top": "number"},
    Resize: {"width": "number", "height": "number"},
    Snapshot: {"text": "text"},
}
_TYPES: dict[str, type[Event]] = {str(field.__struct_config__.tag): field for field in _FIELDS}
_KINDS = {kind: tag for tag, kind in _TYPES.items() if kind is not Key}
# Name, way of writing and column of each field, by kind.
_COLUMNS: dict[str, list[tuple[str, str, str]]] = {
    kind: [(name, how, f"{kind} {name}") for name, how in _FIELDS[_TYPES[kind.split()[0]]].items()]
    for kind in (*_KINDS.values(), "key down", "key up")
}
_WAYS = ("number", "optional", "text", "word")  # methods of writer and reader, beside positions
_PACKING = 1  # the first byte; another way to pack gets another number


class _Known:
    """State that packing and unpacking share after each event.

    From it both expect the next event, and an expected one takes next to no space: a letter goes
    in at the caret, a key puts in what it put in the last time, and comes up after it went down.
    """

    def __init__(self) -> None:
        self.seq = self.ms = self.caret = 0
        self.kind = "nothing"
        self.pressed: list[str] = []
        self.stroke = ""  # the key that went down last, and whether Shift was down
        self.typed: dict[str, str] = {}

    def learn(self, event: Event, kind: str) -> None:
        self.seq, self.ms, self.kind = event.seq, event.ms, kind
        if isinstance(event, Edit):
            self.caret = event.at + units(event.inserted)
            self.typed[self.stroke] = event.inserted
        elif isinstance(event, Select):
            self.caret = event.end
        elif isinstance(event, Key):
            if event.code in self.pressed:
                self.pressed.remove(event.code)
            if event.down:
                self.pressed.append(event.code)
                shift = any(code.startswith("Shift") for code in self.pressed)
                self.stroke = f"{event.code} {shift}"


def pack(events: Sequence[Event]) -> bytes:
    """All events of a log in few bytes; `unpack` gives the very same back."""
    writer, state = ColumnWriter(), _Known()
    signed, write = writer.signed, {how: getattr(writer, how) for how in _WAYS}
    writer.number("events", len(events))
    run = _final_edits(events)
    for event in events[: len(events) - len(run)]:
        kind = _kind(event)
        writer.word(f"after {state.kind}", kind)
        signed("seq", event.seq - state.seq - 1)
        signed(f"ms of {kind} after {state.kind}", event.ms - state.ms)
        _write_key_or_text(event, writer, state)
        before = state.caret
        for name, how, column in _COLUMNS[kind]:
            value = getattr(event, name)
            if how == "position":
                signed(column, value - before)
                before = value
            else:
                write[how](column, value)
        state.learn(event, kind)
    _write_edits(run, writer, state)
    return bytes([_PACKING]) + writer.packed()


def _final_edits(events: Sequence[Event]) -> Sequence[Edit]:
    """Return the edits at the end, without the first two, whose columns are those of all others.

    A log of snapshots consists of them.
    """
    first = len(events)
    while first and type(events[first - 1]) is Edit:
        first -= 1
    return cast("Sequence[Edit]", events[first + 2 :])


def _write_edits(edits: Sequence[Edit], writer: ColumnWriter, known: _Known) -> None:
    """Write edits that follow edits, each column at once."""
    if not edits:
        return
    texts = [edit.inserted for edit in edits]
    expected = list(map(eq, texts, [known.typed[known.stroke], *texts]))
    carets = [known.caret, *(edit.at + units(edit.inserted) for edit in edits)]
    seqs = pairwise([known.seq, *(edit.seq for edit in edits)])
    times = pairwise([known.ms, *(edit.ms for edit in edits)])
    writer.all_words("after edit", ["edit"] * len(edits))
    writer.all_signed("seq", [seq - before - 1 for before, seq in seqs])
    writer.all_signed("ms of edit after edit", [ms - before for before, ms in times])
    writer.numbers("inserted as expected", expected)
    writer.texts("inserted", list(compress(texts, map(not_, expected))))
    writer.all_signed(
        "edit at", [edit.at - caret for edit, caret in zip(edits, carets, strict=False)]
    )
    writer.numbers("edit deleted", [edit.deleted for edit in edits])
    writer.all_words("edit input", [edit.input for edit in edits])


def _kind(event: Event) -> str:
    """Its type, and of a key which way it went."""
    if isinstance(event, Key):
        return "key down" if event.down else "key up"
    return _KINDS[type(event)]


def _write_key_or_text(event: Event, writer: ColumnWriter, known: _Known) -> None:
    if isinstance(event, Key):
        place = 0
        if not event.down:
            place = known.pressed.index(event.code) + 1 if event.code in known.pressed else 0
            writer.number("key up", place)
        if not place:
            writer.word("key", event.code)
    elif isinstance(event, Edit):
        expected = known.typed.get(known.stroke) == event.inserted
        writer.number("inserted as expected", expected)
        if not expected:
            writer.text("inserted", event.inserted)


def unpack(data: bytes) -> list[Event]:
    """Return the events of a packed log. Raises NotEvents."""
    if data[:1] != bytes([_PACKING]):
        raise NotEvents("not_packed", "This is not a packed log, or it has a newer version.")
    try:
        reader, state = ColumnReader(data[1:]), _Known()
        read = {how: getattr(reader, how) for how in _WAYS}
        return [_read(reader, read, state) for _ in range(reader.number("events"))]
    except (BrokenColumns, LookupError, ValueError) as error:
        raise NotEvents("damaged", "This packed log is damaged.") from error


def _read(reader: ColumnReader, read: Mapping[str, Callable[[str], Any]], known: _Known) -> Event:
    kind = reader.word(f"after {known.kind}")
    fields: dict[str, Any] = {"seq": known.seq + 1 + reader.signed("seq")}
    fields["ms"] = known.ms + reader.signed(f"ms of {kind} after {known.kind}")
    if kind.startswith("key"):
        place = reader.number("key up") if kind == "key up" else 0
        fields["code"] = known.pressed[place - 1] if place else reader.word("key")
        fields["down"] = kind == "key down"
    elif kind == "edit":
        expected = reader.number("inserted as expected")
        fields["inserted"] = known.typed[known.stroke] if expected else reader.text("inserted")
    before = known.caret
    for name, how, column in _COLUMNS[kind]:
        if how == "position":
            fields[name] = before = before + reader.signed(column)
        else:
            fields[name] = read[how](column)
    event = _TYPES[kind if kind in _TYPES else "key"](**fields)
    known.learn(event, kind)
    return event
