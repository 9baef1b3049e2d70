"""Scores of systems at two revisions of a bank, and the entries behind the difference.

Every score of a topic here is a weighted mean over its entries: sum of w v / sum of w, with v the
value of an entry for a system (covered or not, the support of an answer) and w its weight at a
revision (1; 0 for what is not counted; 0.5 for okay), or 0 without weights. A change is an entry
that was added, retired, weighted otherwise, or put in place of another, which is one change. The
share of a change in the difference is its Shapley value: what it adds when it is made after the
others, averaged over all orders, so that the shares add up to the difference. It is exact up to
EXACT changes a topic, and averaged over ORDERS random orders beyond, which add up as well.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import factorial

import numpy as np
import pandas as pd

from analysis.stats.arrays import Floats
from analysis.stats.errors import CannotCompute

Revision = Mapping[str, Mapping[str, float]]  # topic -> entry -> weight
EXACT, ORDERS = 10, 200
CAUSES = ("system", "topic", "entry", "replaces", "change", "difference")


@dataclass(frozen=True, eq=False)
class RevisionDifference:
    """Scores at two revisions.

    board: one row a system: now, before, difference, topics, unknown (values of the entries of both
    revisions that nobody gave, which count as 0). causes: one row a system and changed entry; its
    differences add up to that of the system. left_out: topics without an entry in one of the
    revisions, which have no difference.
    """

    board: pd.DataFrame
    causes: pd.DataFrame
    left_out: tuple[str, ...]


@dataclass(frozen=True)
class _Change:
    """Weights that change together: entry -> (before, now)."""

    entry: str
    replaces: str
    kind: str
    weights: Mapping[str, tuple[float, float]]


def revision_difference(
    values: pd.DataFrame,
    before: Revision,
    now: Revision,
    systems: Sequence[str],
    *,
    replaces: Mapping[str, str] | None = None,
    seed: int = 0,
) -> RevisionDifference:
    """Compare the scores of systems at two revisions on the same values.

    values: system, topic, entry, value, from 0 to 1; a pair without a row, or with NaN, is unknown.
    replaces: new entry -> the one that it was put in place of. Raises CannotCompute (empty_bank).
    """
    topics = [{topic for topic, bank in of.items() if bank} for of in (before, now)]
    common = sorted(topics[0] & topics[1])
    if not common:
        raise CannotCompute(
            "empty_bank",
            "The revisions cannot be compared because no topic has counted entries in both.",
        )
    rng = np.random.default_rng(seed)
    wide = values.pivot_table(
        index="system", columns=["topic", "entry"], values="value", aggfunc="mean"
    ).reindex(index=list(systems))
    column = {tuple(map(str, pair)): at for at, pair in enumerate(wide.columns)}
    cells = wide.to_numpy(np.float64)
    scores = np.zeros((2, len(systems)))
    unknown, causes = np.zeros(len(systems), dtype=int), []
    for topic in common:
        entries = sorted({*before[topic], *now[topic]})
        v = np.full((len(systems), len(entries)), np.nan)
        for place, entry in enumerate(entries):
            if (at := column.get((topic, entry))) is not None:
                v[:, place] = cells[:, at]
        unknown += np.isnan(v).sum(axis=1)
        v = np.nan_to_num(v)
        changes = _changes(before[topic], now[topic], replaces or {})
        ends, shares = _shapley(v, entries, before[topic], changes, rng)
        scores += ends / len(common)
        causes += [
            (system, topic, change.entry, change.replaces, change.kind, share / len(common))
            for change, part in zip(changes, shares, strict=True)
            for system, share in zip(systems, part.tolist(), strict=True)
        ]
    board = pd.DataFrame(
        {
            "system": list(systems), "now": scores[1], "before": scores[0],
            "difference": scores[1] - scores[0], "topics": len(common), "unknown": unknown,
        }
    )  # fmt: skip
    left_out = tuple(sorted((topics[0] | topics[1]) - set(common)))
    return RevisionDifference(board, pd.DataFrame(causes, columns=list(CAUSES)), left_out)


def _changes(
    before: Mapping[str, float], now: Mapping[str, float], replaces: Mapping[str, str]
) -> list[_Change]:
    pairs = {entry: (before.get(entry, 0.0), now.get(entry, 0.0)) for entry in {*before, *now}}
    differing = {entry: pair for entry, pair in sorted(pairs.items()) if pair[0] != pair[1]}
    changes, used = [], set[str]()
    for entry, pair in differing.items():
        old = replaces.get(entry, "")
        if pair[1] and not pair[0] and old in differing and not differing[old][1]:
            weights = {entry: pair, old: differing[old]}
            changes.append(_Change(entry, old, "replaced", weights))
            used |= {entry, old}
    for entry, pair in differing.items():
        if entry not in used:
            kind = "added" if not pair[0] else "reweighted" if pair[1] else "retired"
            changes.append(_Change(entry, "", kind, {entry: pair}))
    return changes


def _shapley(
    v: Floats,
    entries: Sequence[str],
    before: Mapping[str, float],
    changes: Sequence[_Change],
    rng: np.random.Generator,
) -> tuple[Floats, Floats]:
    """Return the scores before and now (2, S), and the share of each change (C, S)."""
    place = {entry: at for at, entry in enumerate(entries)}
    start = np.array([before.get(entry, 0.0) for entry in entries])
    steps = np.zeros((len(changes), len(entries)))
    for row, change in enumerate(changes):
        for entry, (old, new) in change.weights.items():
            steps[row, place[entry]] += new - old

    def score(made: Floats) -> Floats:
        """Return the scores (M, S) after the changes of each row of `made` (M, C)."""
        w = start + made @ steps
        total = w.sum(axis=1, keepdims=True)
        nothing = np.zeros((len(w), len(v)))
        return np.asarray(np.divide(w @ v.T, total, out=nothing, where=total > 0))

    C = len(changes)
    ends = score(np.array([np.zeros(C), np.ones(C)]))
    if C <= EXACT:
        return ends, _exact(score, C, len(v))
    shares = np.zeros((C, len(v)))
    for _ in range(ORDERS):
        order = rng.permutation(C)
        made = np.zeros((C + 1, C))
        for at, change in enumerate(order):
            made[at + 1 :, change] = 1
        shares[order] += np.diff(score(made), axis=0) / ORDERS
    return ends, shares


def _exact(score: Callable[[Floats], Floats], C: int, S: int) -> Floats:
    """Return the Shapley value of each change from the scores of all sets of changes."""
    sets = [subset for size in range(C + 1) for subset in combinations(range(C), size)]
    made = np.zeros((len(sets), C))
    for row, subset in enumerate(sets):
        made[row, list(subset)] = 1
    values = score(made)
    at = {subset: row for row, subset in enumerate(sets)}
    shares = np.zeros((C, S))
    for subset, row in at.items():
        if len(subset) == C:
            continue
        weight = factorial(len(subset)) * factorial(C - len(subset) - 1) / factorial(C)
        for change in set(range(C)) - set(subset):
            gain = values[at[tuple(sorted((*subset, change)))]] - values[row]
            shares[change] += weight * gain
    return shares
