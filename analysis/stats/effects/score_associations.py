"""Association of several measures: Kendall's tau-b between their scores of the same things.

Within each topic, for scores of different topics are not to be compared; then the mean over topics.
tau-b = C / sqrt(A B) (Kendall, Rank Correlation Methods, 1948), with C the pairs of things that
both measures order alike less those that they order against each other, A and B the pairs that
either one orders. That is the cosine of the signs of all differences, so a topic costs one matrix
product however many measures there are.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
import scipy

from analysis.stats.arrays import Floats, Ints
from analysis.stats.errors import CannotCompute
from analysis.stats.resampling import check_confidence

DECIMALS = 9  # what two scores differ by below that is how their sums were rounded
LEAST_SHARED = 3  # things with a score of both: of two, tau says no more than their order
LEAST_TOPICS = 2  # for an interval over topics
COLUMNS = ("first", "second", "tau", "low", "high", "topics", "units")


class NotRankedTogether(CannotCompute):
    def __init__(self) -> None:
        super().__init__(
            "not_ranked_together",
            "Agreement of rankings by question cannot be computed because no topic has "
            f"{LEAST_SHARED} texts with different scores on two questions.",
        )


@dataclass(frozen=True, kw_only=True)
class ScoreAssociations:
    """Tau-b of pairs of measures: one row a pair with a value in some topic, columns as COLUMNS.

    tau: the mean over `topics`; low, high: its t interval over them, within [-1, 1], NaN below two
    topics. units: the things compared, over all these topics.
    """

    frame: pd.DataFrame
    confidence: float


def score_associations(frame: pd.DataFrame, *, confidence: float = 0.95) -> ScoreAssociations:
    """Compute tau-b from one row a thing and measure: topic, unit, measure, value.

    Raises NotRankedTogether, BadSetting.
    """
    check_confidence(confidence)
    frame = frame[frame["value"].notna()]
    if frame.empty:
        raise NotRankedTogether
    measures = list(dict.fromkeys(frame["measure"]))
    wide = frame.pivot_table(index=["topic", "unit"], columns="measure", values="value")
    wide = wide.reindex(columns=measures)
    topics = wide.index.get_level_values("topic")
    topic_results = [
        _topic(part.to_numpy(dtype=np.float64).round(DECIMALS))
        for _, part in wide.groupby(topics, sort=False)
    ]
    taus, shared = (np.array(arrays) for arrays in zip(*topic_results, strict=True))
    rows = []
    for i, j in zip(*np.triu_indices(len(measures), 1), strict=True):
        defined = ~np.isnan(taus[:, i, j])
        if defined.any():
            mean, low, high = _over_topics(taus[defined, i, j], confidence)
            units = int(shared[defined, i, j].sum())
            rows.append((measures[i], measures[j], mean, low, high, int(defined.sum()), units))
    if not rows:
        raise NotRankedTogether
    associated = pd.DataFrame(rows, columns=list(COLUMNS))
    return ScoreAssociations(frame=associated, confidence=confidence)


def _topic(values: Floats) -> tuple[Floats, Ints]:
    """Return tau-b (K, K) between columns of values (n, K), and the numbers of common things."""
    i, j = np.triu_indices(len(values), 1)
    difference = values[i] - values[j]
    is_defined = ~np.isnan(difference)
    sign = np.where(is_defined, np.sign(np.nan_to_num(difference)), 0.0)
    ordered = (sign != 0).T.astype(
        np.float64
    ) @ is_defined  # by the row, where the column knows both
    untied = ordered * ordered.T
    scored = (~np.isnan(values)).astype(np.int64)
    shared = scored.T @ scored
    defined = (untied > 0) & (shared >= LEAST_SHARED)
    tau = np.divide(
        sign.T @ sign, np.sqrt(untied), out=np.full(untied.shape, np.nan), where=defined
    )
    return tau, shared


def _over_topics(values: Floats, confidence: float) -> tuple[float, float, float]:
    mean, n = float(values.mean()), len(values)
    if n < LEAST_TOPICS:
        return mean, float("nan"), float("nan")
    error = float(values.std(ddof=1)) / n**0.5
    half = float(scipy.stats.t.ppf((1 + confidence) / 2, n - 1)) * error
    return mean, max(mean - half, -1.0), min(mean + half, 1.0)
