"""What do responses, judgments and gold labels cost, and what do workers earn an hour?"""

from typing import Any

import numpy as np

from analysis.analyses.agreement import votes_of
from analysis.inputs.asked import Asked, Tables, table_of
from analysis.stats.effects.cost import hourly_wage, saving, unit_cost
from analysis.stats.errors import CannotCompute
from analysis.stats.votes import Votes

UNITS = ("response", "judgment", "gold label")
COST = ("unit", "value", "low", "high", "total", "units", "payments", "fee")
WAGE = (
    "value", "low", "high", "median", "below", "target", "assignments", "untimed",
    "whole", "active_minutes", "elapsed_minutes",
)  # fmt: skip
SAVINGS = ("votes_per_item", "share_saved", "kept", "low", "high", "items", "votes")
MOST_WAYS = 5_000  # of drawing votes from an item; more take minutes


class NobodyPaid(CannotCompute):
    """Pay is 0, or nothing was handed in."""

    def __init__(self) -> None:
        super().__init__("Costs cannot be computed because the study pays nothing.")


class TooManyWays(CannotCompute):
    def __init__(self) -> None:
        super().__init__(
            "What fewer votes would keep cannot be computed because there are too many votes and "
            "options an item to try all ways of drawing some."
        )


def cost(asked: Asked) -> Tables:
    """Cost of a response, a judgment and a gold label; the hourly wage against its target.

    Judgments have an interval over assignments. Labels and responses are bought by all assignments
    together, a lump sum, and have none.
    """
    frame = asked.frame
    if not frame["pay"].sum() > 0:
        raise NobodyPaid
    fee = float(asked.parameters.get("fee", 0.0))
    how: dict[str, Any] = {
        "draws": asked.draws, "confidence": asked.confidence, "seed": asked.seed,
    }  # fmt: skip
    rows, undefined = [], []
    for unit in UNITS:
        bought = frame["labels" if unit == "gold label" else f"{unit}s"]
        paid, units = frame["pay"], bought
        if unit != "judgment":
            paid, units = paid.groupby(lambda _: 0).sum(), units.groupby(lambda _: 0).sum()
        try:
            found = unit_cost(list(paid), list(units), unit=unit, fee=fee, **how)
        except CannotCompute as reason:
            undefined.append([unit, str(reason)])
        else:
            rows.append(
                [unit, found.value, found.low, found.high, found.total, found.units, found.n, fee]
            )
    wages, why = _wage(asked, how)
    return {
        "units": table_of(COST, rows),
        "wage": table_of(WAGE, wages),
        "undefined": table_of(("what", "reason"), undefined + why),
    }


def _wage(asked: Asked, how: dict[str, Any]) -> tuple[list[list[Any]], list[list[str]]]:
    """One row, or the reason why there is none. Only work that was paid."""
    paid = asked.frame[asked.frame["pay"] > 0]
    try:
        found = hourly_wage(
            list(paid["pay"]),
            list(paid["seconds"].fillna(0) / 60),
            target=float(paid["target"].iloc[0]) or None,
            **how,
        )
    except CannotCompute as reason:
        return [], [["hourly wage", str(reason)]]
    below = None if np.isnan(found.below) else found.below
    numbers = [found.value, found.low, found.high, found.median, below, found.target]
    timed = paid[paid["seconds"] > 0]
    minutes = [
        None if np.isnan(each) else each / 60 for each in timed[["seconds", "elapsed"]].median()
    ]
    return [[*numbers, found.n, found.untimed, int(timed["whole"].sum()), *minutes]], []


def savings(asked: Asked) -> Tables:
    """What part of the votes 1, 2, ... votes an item would save, and how often the majority stays.

    The part of the votes is that of the money, since every vote costs the same.
    """
    frame = asked.frame[asked.frame["counted"]]
    votes = votes_of(frame, asked.options)
    counts = votes.counts()
    if (counts + 1).prod(axis=1, dtype=float).max() > MOST_WAYS:
        raise TooManyWays
    rows = [
        _saved(votes, fewer, asked) for fewer in range(1, max(2, int(counts.sum(axis=1).max())))
    ]
    return {"savings": table_of(SAVINGS, rows)}


def _saved(votes: Votes, fewer: int, asked: Asked) -> list[Any]:
    found = saving(
        votes,
        fewer=fewer,
        price=1.0,
        draws=asked.draws,
        confidence=asked.confidence,
        seed=asked.seed,
    )
    return [fewer, found.share, found.kept, found.low, found.high, found.n, found.votes]
