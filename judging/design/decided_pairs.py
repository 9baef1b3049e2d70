"""Storage of pairs that the rule on empty answers decided, in the design of a batch."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from annotation.models import Batch, Response
from judging.designers.decided import DecidedTexts

DECIDED = "decided"  # in the design of a batch


class DecidedPair(NamedTuple):
    """A decided pair by response keys. `winner` is a, b or tie; it counts as `votes` votes."""

    kind: str
    topic: str
    a: str
    b: str
    winner: str
    votes: int


def stored(kind: str, votes: int, pairs: Sequence[DecidedTexts]) -> dict[str, Any]:
    """Return the decided pairs of a plan as JSON."""
    ids = {pk for pair in pairs for pk in (pair.a, pair.b)}
    rows = Response.objects.filter(pk__in=ids).values_list("pk", "key", "topic__key")
    keys = {pk: (key, topic) for pk, key, topic in rows}
    listed = [[keys[p.a][1], keys[p.a][0], keys[p.b][0], p.winner] for p in pairs]
    return {"kind": kind, "votes": votes, "pairs": listed}


def decided_in(batches: Iterable[Batch]) -> Iterator[DecidedPair]:
    """Yield the decided pairs stored in batches."""
    for batch in batches:
        parts: Sequence[Mapping[str, Any]] = batch.design.get(DECIDED, ())
        for part in parts:
            for topic, a, b, winner in part["pairs"]:
                yield DecidedPair(part["kind"], topic, a, b, winner, part["votes"])
