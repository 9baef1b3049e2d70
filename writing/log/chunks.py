"""True if a chunk of an interaction log fits where its number puts it.

Pure: it is checked against what is known of the nearest events before and after it, so that no
other chunk has to be read. What is not known (the text before it, as long as a chunk before it is
missing) is checked when the text is rebuilt.
"""

from collections.abc import Sequence
from typing import NamedTuple

from annotation.refusals import Refusal, too_large
from annotation.texts.sentences import Sentence
from writing.log.eventlog import MOST_UNITS, Edit, Event, NotEvents, Snapshot, Start, decode, units

MOST_BYTES = 1_000_000
MOST_CHUNKS = 100_000  # more than two days of one every two seconds
# Of a whole log, as JSON: some twenty times what a writer of 250 words sends.
MOST_LOG_EVENTS = 100_000
MOST_LOG_BYTES = 8_000_000
# More that a full log takes of whole texts, so that what is written on is not lost.
RESERVE_EVENTS = 10_000
RESERVE_BYTES = 2_000_000


def _not_a_chunk(sentence: str) -> Refusal:
    return Refusal("NotAChunk", sentence, status=422)


class Before(NamedTuple):
    """The nearest event before a chunk that is here, and the chunk it is in; 0 for none."""

    number: int = 0
    seq: int = 0
    ms: int = 0
    length: int | None = None  # of the text, in UTF-16 units


class After(NamedTuple):
    """The nearest event after a chunk that is here, and the chunk it is in."""

    number: int
    seq: int
    ms: int


BEGINNING = Before(length=0)


def read(*, number: int, events_json: bytes) -> list[Event]:
    """Return the events of a chunk, checked by themselves. Raises TooLarge or NotAChunk."""
    if len(events_json) > MOST_BYTES:
        raise too_large()
    if not 1 <= number <= MOST_CHUNKS:
        raise _not_a_chunk(Sentence("Chunks are numbered from 1 to {most}.", most=MOST_CHUNKS))
    try:
        return decode(events_json)
    except NotEvents as error:
        raise _not_a_chunk(error.args[0]) from error


def check(*, number: int, events: Sequence[Event], before: Before, after: After | None) -> None:
    """Check the order and time of events against their neighbours. Raises NotAChunk."""
    first, last = events[0], events[-1]
    _check_seq(first.seq - before.seq, number - before.number, first.seq)
    if first.ms < before.ms:
        raise _not_a_chunk(
            Sentence("Event {seq} is earlier than the event before it.", seq=first.seq)
        )
    if after is None:
        return
    _check_seq(after.seq - last.seq, after.number - number, after.seq)
    if after.ms < last.ms:
        raise _not_a_chunk(
            Sentence("Event {seq} is earlier than the event before it.", seq=after.seq)
        )


def check_room(*, events: Sequence[Event], size: int) -> None:
    """Check that a log of `size` bytes with these events fits the limits. Raises LogFull."""
    most_events, most_bytes = MOST_LOG_EVENTS, MOST_LOG_BYTES
    if all(isinstance(event, Start | Snapshot) for event in events):
        most_events, most_bytes = most_events + RESERVE_EVENTS, most_bytes + RESERVE_BYTES
    if events[-1].seq > most_events or size > most_bytes:
        raise Refusal(
            "LogFull",
            Sentence(
                "The recording of your text has reached its maximum length. Please submit "
                "your text or download a copy."
            ),
            status=413,
        )


def _check_seq(events: int, chunks: int, seq: int) -> None:
    """One chunk further is the very next event; several further at least as many events."""
    if events < chunks or (chunks == 1 and events != 1):
        raise _not_a_chunk(Sentence("Event {seq} doesn't follow the last stored event.", seq=seq))


def length_after(*, events: Sequence[Event], length: int | None) -> int | None:
    """Units of the text after these events, where that is known.

    Raises NotAChunk for an edit that reaches outside the text, and for a text without end.
    """
    for event in events:
        if isinstance(event, Start) and length is None:
            length = event.length
        elif isinstance(event, Snapshot):
            length = units(event.text)
        elif isinstance(event, Edit) and length is not None:
            if event.at + event.deleted > length:
                outside = Sentence(
                    "Event {seq} edits {deleted} units at {at}, outside a text of {length} units.",
                    seq=event.seq,
                    deleted=event.deleted,
                    at=event.at,
                    length=length,
                )
                raise _not_a_chunk(outside)
            length += units(event.inserted) - event.deleted
        if length is not None and length > MOST_UNITS:
            raise _not_a_chunk(
                Sentence(
                    "After event {seq}, the text has more than {most} units.",
                    seq=event.seq,
                    most=MOST_UNITS,
                )
            )
    return length
