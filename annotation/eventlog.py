"""The events of an interaction log, version 1, as docs/interaction-log.md describes them.

Pure. Positions and lengths count UTF-16 code units. A text may hold half of a surrogate pair, as
a browser's may: in Python a lone surrogate, in JSON an escape such as \\ud83d.
"""

import json
import re
from collections.abc import Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

VERSION = 1
MOST_UNITS = 200_000  # UTF-16 code units of one text
MOST = 2**31 - 1  # of any number: about 24 days of milliseconds

Whole = Annotated[int, Meta(ge=0, le=MOST)]
Seq = Annotated[int, Meta(ge=1, le=MOST)]
Text = Annotated[str, Meta(max_length=MOST_UNITS)]
Word = Annotated[str, Meta(max_length=100)]
From = Literal["passage", "own", "outside"]


class NotEvents(ValueError):
    """These bytes are not a list of events; the sentence says why."""


class _Event(Struct, tag_field="type", forbid_unknown_fields=True, gc=False):
    seq: Seq
    ms: Whole

    @property
    def type(self) -> str:
        return str(self.__struct_config__.tag)


class Start(_Event, tag="start"):
    length: Whole
    version: Literal[1]
    agent: Annotated[str, Meta(max_length=1000)]


class Edit(_Event, tag="edit"):
    at: Whole
    deleted: Whole
    inserted: Text
    input: Word


class Select(_Event, tag="select"):
    start: Whole
    end: Whole


class Key(_Event, tag="key"):
    code: Word
    down: bool


class Copy(_Event, tag="copy"):
    source: Literal["passage", "own"]
    length: Whole
    passage: Whole | None = None


class Cut(_Event, tag="cut"):
    at: Whole
    length: Whole


class Paste(_Event, tag="paste"):
    at: Whole
    length: Whole
    source: From
    passage: Whole | None = None


class Drop(_Event, tag="drop"):
    at: Whole
    length: Whole
    source: From
    passage: Whole | None = None


class Focus(_Event, tag="focus"):
    pass


class Blur(_Event, tag="blur"):
    pass


class Hidden(_Event, tag="hidden"):
    pass


class Shown(_Event, tag="shown"):
    pass


class Dwell(_Event, tag="dwell"):
    passage: Whole
    duration: Whole


class Filter(_Event, tag="filter"):
    query: Annotated[str, Meta(max_length=500)]
    matches: Whole


class Open(_Event, tag="open"):
    passage: Whole


class Close(_Event, tag="close"):
    passage: Whole


class Click(_Event, tag="click"):
    target: Word


class Scroll(_Event, tag="scroll"):
    part: Literal["editor", "passages"]
    top: Whole


class Resize(_Event, tag="resize"):
    width: Whole
    height: Whole


class Snapshot(_Event, tag="snapshot"):
    text: Text


Event = (
    Start
    | Edit
    | Select
    | Key
    | Copy
    | Cut
    | Paste
    | Drop
    | Focus
    | Blur
    | Hidden
    | Shown
    | Dwell
    | Filter
    | Open
    | Close
    | Click
    | Scroll
    | Resize
    | Snapshot
)

_decoder = msgspec.json.Decoder(list[Event])
_HALF = re.compile(rb"\\u[dD][89a-fA-F]")
_ZERO = rb"\u0000"


def units(text: str) -> int:
    """How many UTF-16 code units a text has: what a browser calls its length."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def well_formed(text: str) -> str:
    """The text with U+FFFD for every half of a surrogate pair: what a database can keep.

    Its length stays the same. Halves that stand side by side become the character they make.
    """
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def decode(data: bytes) -> list[Event]:
    """The events of a JSON array, in order. Raises NotEvents."""
    try:
        events = _decoder.decode(data)
    except msgspec.ValidationError as error:
        raise NotEvents(f"An event is not as the format wants it: {error}.") from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        if not _HALF.search(data):
            raise NotEvents("These events are not JSON.") from error
        events = _decode_halves(data)
    _check(events, data)
    return events


def _decode_halves(data: bytes) -> list[Event]:
    """As `decode`, for texts with half a surrogate pair: msgspec takes none, Python's json does."""
    try:
        return msgspec.convert(json.loads(data, parse_constant=_no_number), list[Event])
    except msgspec.ValidationError as error:
        raise NotEvents(f"An event is not as the format wants it: {error}.") from error
    except (ValueError, RecursionError) as error:
        raise NotEvents("These events are not JSON.") from error


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is no number")


def _check(events: Sequence[Event], data: bytes) -> None:
    """What a type cannot say: order, time, texts. Raises NotEvents."""
    if not events:
        raise NotEvents("There are no events.")
    before = None
    for event in events:
        if before is not None and event.seq != before.seq + 1:
            raise NotEvents(f"After event {before.seq} comes event {event.seq}.")
        if before is not None and event.ms < before.ms:
            raise NotEvents(f"Event {event.seq} is earlier than the event before it.")
        before = event
        _check_one(event)
    if _ZERO in data and any("\x00" in text for event in events for text in _texts(event)):
        raise NotEvents("A text has a NUL in it.")


def _check_one(event: Event) -> None:
    if isinstance(event, Edit | Snapshot):
        text = event.inserted if isinstance(event, Edit) else event.text
        if len(text) > MOST_UNITS // 2 and units(text) > MOST_UNITS:
            raise NotEvents(f"Event {event.seq} has a text of more than {MOST_UNITS} units.")
    elif isinstance(event, Copy | Paste | Drop) and (event.source == "passage") != (
        event.passage is not None
    ):
        raise NotEvents(f"Event {event.seq} names a passage if and only if it is its source.")


def _texts(event: Event) -> list[str]:
    return [value for value in msgspec.structs.astuple(event) if isinstance(value, str)]


def encode(events: Sequence[Event]) -> bytes:
    """The events as a JSON array, in ASCII: a half of a surrogate pair is an escape."""
    return b"[" + b",".join(encode_one(event) for event in events) + b"]"


def encode_one(event: Event) -> bytes:
    """One event as a JSON object, in ASCII."""
    fields: dict[str, Any] = msgspec.to_builtins(event)
    return json.dumps(fields, separators=(",", ":")).encode()
