"""The events of an interaction log, version 1, as docs/interaction-log.md describes them.

Pure. Positions and lengths count UTF-16 code units. A text may hold half of a surrogate pair, as
a browser's may: in Python it is a lone surrogate.
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct

VERSION = 1
MOST_UNITS = 200_000  # UTF-16 code units of one text
MOST = 2**31 - 1  # of any number: about 24 days of milliseconds

Whole = Annotated[int, Meta(ge=0, le=MOST)]
Seq = Annotated[int, Meta(ge=1, le=MOST)]
Text = Annotated[str, Meta(max_length=MOST_UNITS)]
Word = Annotated[str, Meta(max_length=100)]
From = Literal["passage", "own", "outside"]


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


class Away(_Event, tag="away"):
    pass


class Back(_Event, tag="back"):
    pass


class Dwell(_Event, tag="dwell"):
    passage: Whole
    duration: Whole


class Filter(_Event, tag="filter"):
    query: Annotated[str, Meta(max_length=500)]
    matches: Whole


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
    | Away
    | Back
    | Dwell
    | Filter
    | Click
    | Scroll
    | Resize
    | Snapshot
)


def units(text: str) -> int:
    """Count the UTF-16 code units of a text: its length in a browser."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def well_formed(text: str) -> str:
    """Replace each half of a surrogate pair with U+FFFD, so that a database can store the text.

    The length in UTF-16 units stays the same. Adjacent halves become their character.
    """
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
