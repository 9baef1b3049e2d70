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
    passage_share  the largest share of its 5-grams that one passage has
    passages_share the share that all passages together have
    own_share      the share that the text right before had; 0 once too much has been looked at
    """

    kind: Kind
    seq: int
    ms: int
    at: int
    deleted: int
    size: int
    passage: int | None
    passage_share: float
    passages_share: float
    own_share: float

    @property
    def is_rework(self) -> bool:
        """It replaced a stretch that held nearly all of it: an edit of own text in two places."""
        return self.deleted > 0 and self.own_share >= NEAR


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
    wanted = grams(inserted)
    exact = passages.verbatim(inserted)
    nearest, passage = passages.nearest(wanted)
    together = share(wanted, passages.together())
    looked = memory.may_look_at(GRAMS * len(before))
    kind: Kind = "foreign"
    if exact is not None:
        kind, passage = "verbatim", exact
    elif nearest >= NEAR:
        kind = "near-verbatim"
    elif memory.holds(inserted, before):
        kind = "own"
    elif together >= MIXED:
        kind = "mixed"
    elif code_of(NO_PASTE) in step.codes:
        kind = "no paste"
    return Insertion(
        kind=kind,
        seq=step.seq,
        ms=step.ms,
        at=step.at,
        deleted=step.deleted,
        size=len(step.inserted) // 2,
        passage=passage if kind in ("verbatim", "near-verbatim") else None,
        passage_share=nearest,
        passages_share=together,
        own_share=share(wanted, grams(before)) if looked else 0.0,
    )
