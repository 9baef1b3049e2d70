"""Association of questions: Kendall's tau-b between their labels, and clusters of questions."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import pandas as pd
import scipy

from analysis.stats.arrays import Floats, Ints
from analysis.stats.effects.rank_correlations import tau_b
from analysis.stats.errors import BadSetting, CannotCompute
from analysis.stats.resampling import Bootstrap
from annotation.texts.plurals import counted

Linkage = Literal["average", "complete", "single"]
CELLS_AT_ONCE = 4_000_000


def _labels_not_comparable(reason: str) -> CannotCompute:
    return CannotCompute(
        "labels_not_comparable",
        f"The correlation of questions cannot be computed because {reason}.",
    )


@dataclass(frozen=True, eq=False, kw_only=True)
class AssociationResult:
    """tau-b between K questions over the same n items, percentile intervals over items.

    tau, low, high (K, K), the diagonal 1. others (K,): the mean tau of a question with the others,
    itself left out, with others_low, others_high; mean: over all pairs of questions, with
    mean_low, mean_high. undefined_draws: draws with a constant question, left out.
    """

    questions: Sequence[Hashable]
    tau: Floats
    low: Floats
    high: Floats
    others: Floats
    others_low: Floats
    others_high: Floats
    mean: float
    mean_low: float
    mean_high: float
    items: int
    draws: int
    undefined_draws: int
    confidence: float
    seed: int

    def frame(self) -> pd.DataFrame:
        """Return one row a pair of questions: first, second, tau, low, high, items."""
        i, j = np.triu_indices(len(self.questions), 1)
        return pd.DataFrame(
            {
                "first": [self.questions[k] for k in i.tolist()],
                "second": [self.questions[k] for k in j.tolist()],
                "tau": self.tau[i, j],
                "low": self.low[i, j],
                "high": self.high[i, j],
                "items": self.items,
            }
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class ClusterResult:
    """Hierarchical clusters of K questions at the distance 1 - tau.

    merges (K - 1, 4): scipy's linkage: the two clusters merged, their distance, the questions in
    them. order: the questions as the leaves of the tree. members: the cluster of each question at
    the threshold, 1, 2, ... in the order of the leaves.
    """

    questions: Sequence[Hashable]
    merges: Floats
    order: Sequence[Hashable]
    members: Ints
    linkage: Linkage
    threshold: float


def associations(
    labels: pd.DataFrame,
    *,
    options: Sequence[Hashable],
    draws: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
) -> AssociationResult:
    """Compute tau-b between the columns of labels: a row an item, a column a question.

    options: the possible labels in the order of the scale, common to all questions. Items that lack
    a label of any question are left out. Labels of pairs refer to the same first response in all
    questions; choose it at random, since tau-b compares rows with each other. (Turning pairs of the
    Crowd RAG Corpus round at random moves a tau by .0006 on average, the one of all pairs in both
    orientations is within .005.)

    Raises CannotCompute (labels_not_comparable), BadSetting.
    """
    bootstrap = Bootstrap(draws=draws, confidence=confidence, seed=seed, least=1)
    values = _values(labels, options)
    N, K = values.shape
    # items with the same labels on all questions add the same, and there are few kinds of them
    kinds, count = np.unique(values, axis=0, return_counts=True)
    i, j = np.triu_indices(K, 1)
    V = len(options)
    cells = kinds[:, i] * V + kinds[:, j]
    tau = _taus(count[None].astype(np.float64), cells, V)[0]
    rng = bootstrap.generator()
    step = max(1, CELLS_AT_ONCE // max(len(kinds), len(i) * V * V))
    drawn = np.concatenate(
        [
            _taus(rng.multinomial(N, count / N, min(step, draws - k)).astype(float), cells, V)
            for k in range(0, draws, step)
        ]
    )
    defined = drawn[np.isfinite(drawn).all(axis=1)]
    if not len(defined):
        raise _labels_not_comparable("every bootstrap draw has a question with only one label")
    tails = [(1 - confidence) / 2, (1 + confidence) / 2]
    low, high = np.quantile(defined, tails, axis=0)
    others_low, others_high = np.quantile(_others(defined, K), tails, axis=0)
    mean_low, mean_high = np.quantile(defined.mean(axis=1), tails)
    return AssociationResult(
        questions=tuple(labels.columns),
        tau=_square(tau, K),
        low=_square(low, K),
        high=_square(high, K),
        others=_others(tau[None], K)[0],
        others_low=others_low,
        others_high=others_high,
        mean=float(tau.mean()),
        mean_low=float(mean_low),
        mean_high=float(mean_high),
        items=N,
        draws=draws,
        undefined_draws=draws - len(defined),
        confidence=confidence,
        seed=seed,
    )


def question_clusters(
    result: AssociationResult, *, linkage: Linkage = "average", threshold: float = 0.5
) -> ClusterResult:
    """Cluster the questions, cutting where 1 - tau exceeds the threshold. Raises BadSetting."""
    if linkage not in get_args(Linkage):
        raise BadSetting("linkage", linkage, "average, complete or single")
    if not 0 < threshold <= 2:
        raise BadSetting("threshold", threshold, "above 0 and at most 2")
    merges = scipy.cluster.hierarchy.linkage(
        scipy.spatial.distance.squareform(1 - result.tau, checks=False), method=linkage
    )
    leaves = scipy.cluster.hierarchy.leaves_list(merges)
    cluster = scipy.cluster.hierarchy.fcluster(merges, threshold, criterion="distance")
    _, first = np.unique(cluster[leaves], return_index=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(1, len(first) + 1)
    return ClusterResult(
        questions=result.questions,
        merges=merges,
        order=tuple(result.questions[k] for k in leaves.tolist()),
        members=rank[cluster - 1],
        linkage=linkage,
        threshold=threshold,
    )


def _values(labels: pd.DataFrame, options: Sequence[Hashable]) -> Ints:
    """Return checked indices into the options (N, K), without the items that lack a label."""
    if labels.shape[1] < 2:
        raise _labels_not_comparable(f"it needs two questions (you have {labels.shape[1]})")
    complete = labels.dropna()
    if len(complete) < 2:
        have = "has" if len(complete) == 1 else "have"
        raise _labels_not_comparable(
            f"only {counted(len(complete), 'item')} {have} a label for every question"
        )
    index = pd.Index(list(options))
    values = np.column_stack(
        [index.get_indexer(pd.Index(complete[column])) for column in complete.columns]
    )
    if (values < 0).any():
        row, column = np.argwhere(values < 0)[0].tolist()
        raise _labels_not_comparable(f"{complete.iloc[row, column]!r} is not among the options")
    constant = (values == values[0]).all(axis=0)
    if constant.any():
        question = complete.columns[int(np.argmax(constant))]
        raise _labels_not_comparable(f"all items have the same label for question {question!r}")
    return values


def _taus(weight: Floats, cells: Ints, V: int) -> Floats:
    """Return tau-b (D, Q) of Q pairs of questions.

    weight (D, kinds); cells (kinds, Q): of the contingency tables.
    """
    kinds, Q = cells.shape
    place = np.zeros((kinds, Q, V * V))
    np.put_along_axis(place, cells[:, :, None], 1.0, axis=2)
    tables = weight @ place.reshape(kinds, -1)
    return tau_b(tables.reshape(len(weight), Q, V, V))


def _others(tau: Floats, K: int) -> Floats:
    """Return the mean tau of each question with the others (D, K), from all pairs (D, Q)."""
    i, j = np.triu_indices(K, 1)
    takes_part = (np.arange(K) == i[:, None]) | (np.arange(K) == j[:, None])
    return np.asarray(tau @ takes_part / (K - 1))


def _square(tau: Floats, K: int) -> Floats:
    full = np.eye(K)
    full[np.triu_indices(K, 1)] = tau
    return np.asarray(full + np.triu(full, 1).T)
