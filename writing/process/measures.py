"""The measures of a text that are kept, and how far out each lies in its study. Pure.

A value is kept with the moment (ms) to look at, if there is one. Shares are from 0 to 1.
"""

from collections.abc import Iterable, Mapping, Sequence

from writing.log.clocks import Clocks
from writing.process.baseline import Copied
from writing.process.evidence import Flag, FlagLimits, FlagRank, Kind, percentile, standing
from writing.process.process import Process
from writing.process.timeline import TimelineMark

# Raise it with every change of what is measured, classed or flagged: then all is measured again.
VERSION = 5
COMPOSITIONS = 3  # from this version on, compositions count as net edits
ENOUGH = 20  # other texts from which on a flag says how far out it lies among them

Value = tuple[float | None, int | None]  # and its moment
Values = Mapping[str, Sequence[float | None]]  # a Value as JSON has it, by name

# Which measure a flag is drawn from, and whether a high (1) or a low value (-1) is one.
DRAWN_FROM: dict[Kind, tuple[str, int]] = {
    "foreign insertion": ("longest_foreign", 1),
    "pace": ("typing_pace", 1),
    "no corrections": ("deleted_by_typed", -1),
    "homogeneous rhythm": ("key_variation", -1),
    "focus loss before a paste": ("away_before_paste", 1),
    "source without the text": ("unsupported", 1),
    "clock ahead of ours": ("clock_ahead_minutes", 1),
    "arrived all at once": ("at_once_minutes", 1),
}


def values_of(
    process: Process,
    marks: Sequence[TimelineMark],
    flags: Iterable[Flag],
    limits: FlagLimits | None = None,
    *,
    clocks: Clocks | None = None,
    copied: Copied | None = None,
) -> dict[str, Value]:
    """Return the measures by name; one that rests on too little to be flagged has no value."""
    limits = limits or FlagLimits()
    every = process.intervals[0]
    typing = max(process.bursts, key=lambda each: each.size, default=None)
    at = typing.ms if typing else None
    foreign = [insertion for insertion in process.long_insertions if insertion.kind == "foreign"]
    largest = max(foreign, key=lambda each: each.size, default=None)
    flagged = {flag.kind: flag.value for flag in sorted(flags, key=lambda flag: flag.value)}
    paced = process.typing.paced >= limits.pace_from
    corrected = process.typing.units >= limits.corrections_from
    return {
        "active_minutes": (process.active_seconds / 60, None),
        "typing_pace": (process.typing.words_per_minute if paced else None, at),
        "copy_pace": (copied.words_per_minute if copied else None, None),
        "typed_share": (process.typed_share, at),
        "paste_ratio": (process.paste_ratio, _largest("paste", marks)),
        "deletion_ratio": (process.deletion_ratio, _largest("deletion", marks)),
        "deleted_by_typed": (process.deleted_by_typed if corrected else None, None),
        "away_seconds": (process.absent_seconds, _largest("away", marks)),
        "away_before_paste": (flagged.get("focus loss before a paste", 0), None),
        "key_variation": (every.variation if every.n >= limits.variation_from else None, at),
        "foreign_insertions": (len(foreign), largest.ms if largest else None),
        "longest_foreign": (flagged.get("foreign insertion", 0), None),
        "leading_edge_share": (process.leading_edge_share, None),
        "produced_to_final": (process.produced_to_final, None),
        "p_bursts": (sum(burst.ended_by == "pause" for burst in process.bursts), None),
        "r_bursts": (sum(burst.ended_by == "revision" for burst in process.bursts), None),
        "pauses": (process.pauses[-1].n, None),
        "inserted": (process.inserted, None),
        "deleted": (process.deleted, None),
        "typed": (process.typing.units, None),
        "replaced": (process.replaced, None),
        "pasted": (process.pasted, _largest("paste", marks)),
        "moved": (process.moved, None),
        "without_paste": (process.without_paste, None),
        "elsewhere": (process.elsewhere, None),
        "elsewhere_share": (process.elsewhere_share, None),
        **{f"{name}_share": (share, None) for name, share in _shares(process).items()},
        "rewritten": (int(process.rewritten), None),
        "window_recorded": (int(process.window_recorded), None),
        "passages_viewed": (len(process.viewed), None),
        "viewed_seconds": (sum(process.viewed.values()), None),
        "final": (process.final, None),
        "unsupported": (flagged.get("source without the text", 0), None),
        "clock_ahead_minutes": (clocks.ahead / 60_000 if clocks else None, None),
        "at_once_minutes": (flagged.get("arrived all at once", 0), None),
        "burst_minutes": ((clocks.burst / 60_000, clocks.burst_from) if clocks else (None, None)),
    }


def _shares(process: Process) -> dict[str, float]:
    """Return the shares of the last text by origin."""
    kinds = {"passages": "passage", "without_paste": "no paste", "own": "own", "at_once": "at once"}
    return {name: process.shares.get(kind, 0.0) for name, kind in kinds.items()}


def _largest(kind: str, marks: Iterable[TimelineMark]) -> int | None:
    marks_of_kind = [mark for mark in marks if mark.kind == kind]
    return max(marks_of_kind, key=lambda mark: mark.size).ms if marks_of_kind else None


def value(name: str, values: Values) -> float | None:
    """Return a measure by name, or None."""
    return values[name][0] if name in values else None


def flag_standing(kind: Kind, of: float, among: Iterable[Values]) -> FlagRank | None:
    """Return how extreme the value of a flag is: `percentile` of the others are less extreme.

    None below 20 others with that measure: of few nobody can say what is usual.
    """
    name, sign = DRAWN_FROM[kind]
    rank = standing(sign * of, (_signed(name, sign, values) for values in among))
    return rank if rank is not None and rank.n >= ENOUGH else None


def _signed(name: str, sign: int, values: Values) -> float | None:
    number = value(name, values)
    return None if number is None else sign * number


def extremities(works: Sequence[Values]) -> list[float]:
    """Return the most extreme percentile (0 to 100) of each submission over the flag measures.

    It is the largest share of the submissions that lie less far, ties half.
    """
    most = [0.0] * len(works)
    for name, sign in DRAWN_FROM.values():
        column = [_signed(name, sign, values) for values in works]
        shares = sorted(share for share in column if share is not None)
        for at, mine in enumerate(column):
            if mine is not None:
                most[at] = max(most[at], percentile(mine, shares))
    return most
