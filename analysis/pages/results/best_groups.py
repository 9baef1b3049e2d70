"""Groups that no other group beats, by the pairs of a run with all of them taken together.

Runs as published have the false discovery rate of their paper; runs of earlier versions have no
adjusted p, and get Holm's.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from django.utils.translation import gettext

from analysis.stats.effects.families import holm

Row = dict[str, Any]
ALPHA = 0.05


def with_adjusted_p(pairs: Sequence[Row]) -> list[Row]:
    """Return the pairs of one question, in both directions, with an adjusted p in each row."""
    if not pairs or is_as_published(pairs) or "p_adjusted" in pairs[0]:
        return list(pairs)
    once = {tuple(sorted((row["group"], row["other"]))): row["p"] for row in pairs}
    p = np.array(list(once.values()), dtype=np.float64)
    adjusted = dict(zip(once, holm(p).tolist(), strict=True))
    return [
        row
        | {
            "p_adjusted": None
            if row["p"] is None
            else adjusted[tuple(sorted((row["group"], row["other"])))]
        }
        for row in pairs
    ]


def is_as_published(pairs: Sequence[Row]) -> bool:
    """Return whether p is already adjusted, for the false discovery rate of the paper."""
    return bool(pairs) and not {"q", "p_adjusted"} & pairs[0].keys()


def rate_of(pairs: Sequence[Row]) -> str:
    """Return the error rate that claims about these pairs control."""
    if is_as_published(pairs):
        return gettext("a false discovery rate of 5%")
    return gettext("a family-wise error of 5%")


def p_of(row: Row) -> float | None:
    """Return the p that decides about a pair; None if it was not compared."""
    p: float | None = row.get("p_adjusted", row.get("p"))
    return p


def beats(row: Row) -> bool:
    """Return whether the group of a pair is higher than the other, with all pairs together."""
    p = p_of(row)
    return p is not None and p <= ALPHA and row["ahead"] > 0.5


def best_of(groups: Sequence[Row], pairs: Sequence[Row]) -> list[Row]:
    """Return the groups that none of the others beats."""
    names = {row["group"] for row in groups}
    beaten = {row["other"] for row in pairs if row["group"] in names and beats(row)}
    return [row for row in groups if row["group"] not in beaten]
