"""The insertions of a log that are too long to be typed at once, and what they consist of. Pure.

Classes after docs/methods/process.md. Lengths are UTF-16 units, shares are of 5-grams of words.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from writing.log.snapshots import decoded
from writing.process.provenance import (
    LONG,
    NEAR,
    NO_PASTE,
    Memory,
    Passages,
    code_of,
    grams,
    share,
)
from writing.process.replay import Step

MIXED = 0.3  # share of 5-grams in the passages from which an insertion is not foreign

GRAMS = 100  # how much longer it takes to cut a unit into 5-grams than to look at it

Kind = Literal["verbatim", "near-verbatim", "own", "mixed", "no paste", "foreign"]


@dataclass(frozen=True)
class Insertion:
    """More than 80 units entered by event `seq`, `ms` milliseconds into the log.

    kind           verbatim in a passage; near-verbatim, with 80 % of its 5-grams in one passage;
                   own, a piece of an earlier state of the text; mixed, with 30 % of its 5-grams
                   in the passages together; no paste, recorded without a paste or drop, as
                   dictation is; foreign, anything else
    passage        the passage of the first two kinds, from 0
    is_rework      of a foreign one: it replaced a stretch, and the text right before had nearly
                   all of it, so that own text was edited in two places; False once too much has
                   been looked at
    """

    kind: Kind
    seq: int
    ms: int
    at: int
    deleted: int
    size: int
    passage: int | None
    is_rework: bool


def insertions_of(steps: Sequence[Step], passages: Passages) -> list[Insertion]:
    """Return the insertions of more than 80 units among the steps of a log, in order."""
    insertions: list[Insertion] = []
    text, memory = bytearray(), Memory()
    last = max((n for n, step in enumerate(steps) if len(step.inserted) > 2 * LONG), default=-1)
    for step in steps[: last + 1]:
        size = len(step.inserted) // 2
        if size > LONG:
            insertions.append(_classified(step, decoded(text), passages, memory))
        memory.before(text, step.at, step.deleted, size)
        text[2 * step.at : 2 * (step.at + step.deleted)] = step.inserted
    return insertions


def _classified(step: Step, before: str, passages: Passages, memory: Memory) -> Insertion:
    inserted = decoded(step.inserted)
    may_compare = memory.may_look_at(GRAMS * len(before))
    kind: Kind = "verbatim"
    passage, is_rework = passages.verbatim(inserted), False
    if passage is None:
        wanted = grams(inserted)
        nearest, number = passages.nearest(wanted)
        if nearest >= NEAR:
            kind, passage = "near-verbatim", number
        elif memory.holds(inserted, before):
            kind = "own"
        elif passages.share_of(wanted) >= MIXED:
            kind = "mixed"
        elif code_of(NO_PASTE) in step.codes:
            kind = "no paste"
        else:
            kind = "foreign"
            replaces = may_compare and step.deleted > 0
            is_rework = replaces and share(wanted, grams(before)) >= NEAR
    return Insertion(
        kind=kind,
        seq=step.seq,
        ms=step.ms,
        at=step.at,
        deleted=step.deleted,
        size=len(step.inserted) // 2,
        passage=passage,
        is_rework=is_rework,
    )
