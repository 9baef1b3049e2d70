"""The alternative annotator test: whether a judge may stand in for one of the annotators.

Calderon, Reichart and Dror (2025), "The Alternative Annotator Test for LLM-as-a-Judge". Each
annotator j is left out in turn, and the judge f and j are compared by how well they agree with the
others. Of an item i that j has judged and others have, with S(x, i, j) the share of the others who
gave the answer x:

    W_f(i, j) = 1 if S(f(i), i, j) >= S(j(i), i, j), W_j(i, j) = 1 if it is <=, else 0.

rho_f,j and rho_h,j are their means over items: ties count for both. With a cost-benefit margin
epsilon for what a judge saves (.2 beside experts, .15 skilled, .1 crowd workers), j is won where

    H0: rho_f,j <= rho_h,j - epsilon

is rejected by a one-sided paired t test at a false discovery rate of .05 (Benjamini and Yekutieli
2001, as annotators share items). omega is the share of annotators that are won; the judge passes
from omega = .5 on. rho, the average advantage probability, is the mean of rho_f,j.

Items of a topic are alike, so where items have topics the t test is over the means of topics: that
is stricter than the paper, where items are independent.
"""

from dataclasses import dataclass

import numpy as np
import scipy

from analysis.stats.arrays import Floats, Ints, total
from analysis.stats.errors import BadSetting

EPSILON = {"expert": 0.2, "skilled": 0.15, "crowd": 0.1}
LEAST_ITEMS = 30  # of an annotator: below, the paper's t test is not to be trusted
LEAST_ANNOTATORS = 3
PASSES = 0.5
FALSE_DISCOVERIES = 0.05


@dataclass(frozen=True, eq=False, kw_only=True)
class AlternativeAnnotator:
    """Result over J annotators with enough items.

    advantage, opponent (J,): rho_f,j and rho_h,j; p, q (J,); won (J,): q at most .05. omega, rho;
    passes: omega at least .5; None where why gives the reason that nothing can be said.
    """

    annotators: Ints
    items: Ints
    advantage: Floats
    opponent: Floats
    p: Floats
    q: Floats
    omega: float
    rho: float
    passes: bool | None
    epsilon: float
    why: str

    @property
    def p_passes(self) -> float:
        """The least false discovery rate at which the judge passes; NaN without annotators."""
        needed = int(np.ceil(PASSES * len(self.q)))
        return float(np.sort(self.q)[needed - 1]) if len(self.q) else float("nan")

    @property
    def won(self) -> Ints:
        return np.flatnonzero(self.q <= FALSE_DISCOVERIES)


def alternative_annotator(
    *,
    judge: Ints,
    item: Ints,
    worker: Ints,
    value: Ints,
    epsilon: float,
    topic: Ints | None = None,
    least_items: int = LEAST_ITEMS,
) -> AlternativeAnnotator:
    """Test a judge against each annotator.

    Parameters
    ----------
    judge : (N,), its answer to each item, -1 for none.
    item, worker, value : (n,), the votes of people, one a worker and item.
    topic : (N,), of each item; None takes items as independent.
    """
    if not 0 <= epsilon < 1:
        raise BadSetting("epsilon", epsilon, "from 0 to below 1")
    N, V = len(judge), int(max(value.max(initial=0), judge.max(initial=0))) + 1
    counts = np.zeros((N, V))
    np.add.at(counts, (item, value), 1)
    others = counts.sum(axis=1)[item] - 1
    used = (judge[item] >= 0) & (others > 0)
    at, who, own = item[used], worker[used], value[used]
    of_person = counts[at, own] - 1
    of_judge = counts[at, judge[at]] - (judge[at] == own)
    wins = np.stack([of_judge >= of_person, of_person >= of_judge]).astype(np.float64)
    cluster = np.arange(N) if topic is None else topic
    rows = [_annotator(wins[:, who == w], cluster[at[who == w]], epsilon) for w in np.unique(who)]
    sizes = np.array([int((who == w).sum()) for w in np.unique(who)], dtype=np.int64)
    enough = sizes >= least_items
    return _summed(
        np.unique(who)[enough], sizes[enough], np.array(rows).reshape(-1, 3)[enough], epsilon
    )


def _annotator(wins: Floats, cluster: Ints, epsilon: float) -> tuple[float, float, float]:
    """Return rho_f,j, rho_h,j and p of one annotator, from wins (2, n) of judge and annotator."""
    advantage, opponent = (float(side.mean()) for side in wins)
    index = np.unique(cluster, return_inverse=True)[1]
    G, n = int(index.max()) + 1, wins.shape[1]
    # The difference is a ratio of sums over clusters of unequal size.
    centred = wins[0] - wins[1] - (advantage - opponent)
    sums = total(index, centred, G)
    if G < 2:
        return advantage, opponent, 1.0
    error = float(np.sqrt(G / (G - 1) * (sums**2).sum())) / n
    gap = advantage - opponent + epsilon
    if error < 1e-12:
        return advantage, opponent, 0.0 if gap > 0 else 1.0
    return advantage, opponent, float(scipy.stats.t.sf(gap / error, G - 1))


def _summed(workers: Ints, items: Ints, rows: Floats, epsilon: float) -> AlternativeAnnotator:
    nan, J = float("nan"), len(workers)
    p = rows[:, 2]
    q = scipy.stats.false_discovery_control(p, method="by") if J else p
    why = ""
    if J < LEAST_ANNOTATORS:
        why = (
            f"The alternative annotator test needs at least {LEAST_ANNOTATORS} people (you have "
            f"{J}) with {LEAST_ITEMS} items each that others judged."
        )
    omega = float((q <= FALSE_DISCOVERIES).mean()) if not why else nan
    return AlternativeAnnotator(
        annotators=workers, items=items, advantage=rows[:, 0], opponent=rows[:, 1], p=p, q=q,
        omega=omega, rho=float(rows[:, 0].mean()) if not why else nan,
        passes=None if why else omega >= PASSES, epsilon=epsilon, why=why,
    )  # fmt: skip
