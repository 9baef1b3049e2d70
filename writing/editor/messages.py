"""Messages of the editor, read strictly."""

import json
from typing import Annotated, Any, TypeVar

import msgspec

from annotation.fieldwork.work.ordering_requests import Number
from annotation.fieldwork.work.refusals import NotAnAnswer
from annotation.texts.sentences import Sentence

UNREADABLE = Sentence("We couldn't read this request.")


class ChunkIn(msgspec.Struct):
    tab: str
    number: int
    events: msgspec.Raw


class WriterHereIn(msgspec.Struct):
    tab: str
    past_gaps: bool = msgspec.field(default=False, name="anew")
    number: Number = 0


class TurnIn(msgspec.Struct):
    tab: str


class RestIn(msgspec.Struct):
    words: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
    tab: str = ""


class _LooseChunk(msgspec.Struct):
    tab: str
    number: int
    events: list[Any]


M = TypeVar("M", ChunkIn, WriterHereIn, TurnIn, RestIn)


def read(body: bytes, kind: type[M]) -> M:
    """Parse a message of this kind. Raises NotAnAnswer."""
    try:
        message = msgspec.json.decode(body, type=kind)
    # Bytes that are no UTF-8 and brackets nested without end are no DecodeError.
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise NotAnAnswer(UNREADABLE) from error
    if "\x00" in message.tab:
        raise NotAnAnswer(UNREADABLE)
    return message


def read_chunk(body: bytes) -> ChunkIn:
    """Parse a chunk; its events stay JSON and may hold half a surrogate pair.

    Raises NotAnAnswer.
    """
    try:
        return read(body, ChunkIn)
    except NotAnAnswer:
        if b"\\u" not in body:
            raise
    try:  # msgspec takes no half of a pair, Python's json does
        loose = msgspec.convert(json.loads(body), _LooseChunk)
    except (ValueError, RecursionError) as error:
        raise NotAnAnswer(UNREADABLE) from error
    events = json.dumps(loose.events, separators=(",", ":")).encode()
    return ChunkIn(loose.tab, loose.number, msgspec.Raw(events))
