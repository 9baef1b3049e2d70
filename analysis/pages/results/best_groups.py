"""Groups that no other group beats, by the pairs of a run with all of them taken together.

Runs as published have the false discovery rate of their paper; runs of earlier versions have no
adjusted p, and get Holm's.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from django.utils.translation import gettext

from analysis.stats.effects.families import holm
from analysis.stats.effects.sweeps import least_share

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
        return gettext("false discovery rate 5%")
    return gettext("family-wise error 5%")


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


def sweep_of(best: Sequence[Row], pairs: Sequence[Row], confidence: float) -> str:
    """Return the one-sided bound of a best group that all votes prefer to every other; else ''.

    Each unit in which it wins all its votes is a success, so one bound covers all the others.
    """
    if len(best) != 1:
        return ""
    group = best[0]["group"]
    rows = [row for row in pairs if row["group"] == group]
    if not rows or not all(is_swept(row) for row in rows):
        return ""
    topics, workers = (min(row[name] for row in rows) for name in ("topics", "workers"))
    sentence = (
        gettext(
            "Every vote prefers the winner. With {percent:.0f}% confidence, so do at least "
            "{share:.0f}% of topics like these (one-sided; {topics} topics, {workers} "
            "participants)."
        )
        if topics <= workers
        else gettext(
            "Every vote prefers the winner. With {percent:.0f}% confidence, so do at least "
            "{share:.0f}% of participants like these (one-sided; {topics} topics, {workers} "
            "participants)."
        )
    )
    share = least_share(min(topics, workers), confidence)
    return sentence.format(
        percent=100 * confidence, share=100 * share, topics=topics, workers=workers
    )


def is_swept(row: Row) -> bool:
    """Return whether all votes on a pair prefer the same group: tested, and without an interval."""
    return p_of(row) is not None and row.get("low") is None and bool(row.get("workers"))
