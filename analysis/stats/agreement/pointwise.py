"""Scores given to single responses: means, agreement, and how they rank next to pairwise grades."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.stats.agreement.alpha import AlphaResult, Level, krippendorff_alpha
from analysis.stats.arrays import Floats, Ints
from analysis.stats.effects.means import MeansResult, NoScores, mean_scores
from analysis.stats.errors import BadSetting, CannotCompute
from analysis.stats.resampling import percentile_interval
from analysis.stats.votes import MissingColumns, Votes

DIGITS = 10  # means of the same scores in another order are equal


class NothingToRank(CannotCompute):
    """Scores and grades have too few responses in common."""

    def __init__(self, reason: str) -> None:
        super().__init__(
            f"The rank agreement of scores and grades cannot be computed because {reason}."
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class PointwiseResult:
    """The scores of one question. means: an item's mean, interval and n, as of mean_scores.

    alpha: Krippendorff's, with its interval; None where it cannot be computed, and then refusal is
    the sentence that says why.
    """

    means: MeansResult
    alpha: AlphaResult | None
    refusal: str
    items: int
    workers: int
    votes: int


@dataclass(frozen=True, kw_only=True)
class RankAgreement:
    """Kendall's tau-b of mean scores and grades over the pairs of responses within topics.

    pairs: of responses within a topic. low, high: percentiles of a bootstrap over topics.
    items: responses that have both; only_scored, only_graded: that have one, and are left out.
    """

    tau: float
    low: float
    high: float
    items: int
    topics: int
    pairs: int
    only_scored: int
    only_graded: int
    draws: int
    undefined_draws: int
    confidence: float
    seed: int


def pointwise(
    scores: pd.DataFrame,
    *,
    scale: Sequence[float],
    level: Level = "interval",
    draws: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
) -> PointwiseResult:
    """Means and agreement from a long frame: item, worker, score (empty: no answer).

    scale: all scores that the question offers, ascending. Raises NoScores, BadSetting,
    MissingColumns, UnknownValue.
    """
    _check_columns(scores, ("item", "worker", "score"))
    if scores["score"].isna().all():
        raise NoScores
    if list(scale) != sorted(set(scale)):
        raise BadSetting("scale", list(scale), "ascending numbers, each once")
    votes = Votes.from_frame(
        scores.rename(columns={"score": "value"})[["item", "worker", "value"]], options=scale
    )
    alpha, refusal = None, ""
    try:
        alpha = krippendorff_alpha(
            votes, level=level, draws=draws, confidence=confidence, seed=seed
        )
    except BadSetting:
        raise
    except CannotCompute as reason:
        refusal = str(reason)
    return PointwiseResult(
        means=mean_scores(scores, confidence=confidence),
        alpha=alpha,
        refusal=refusal,
        items=len(votes.items),
        workers=len(votes.workers),
        votes=len(votes),
    )


def rank_agreement(
    means: pd.DataFrame,
    grades: pd.DataFrame,
    *,
    draws: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
) -> RankAgreement:
    """Do scores and pairwise comparisons put the responses of a topic in the same order?

    means: item, mean; grades: item, topic, grade, items being response ids. Grades rank within a
    topic, so only responses of the same topic are compared; the pairs of all topics count together.

    Raises NothingToRank, MissingColumns, BadSetting.
    """
    if draws < 1:
        raise BadSetting("draws", draws, "1 or more")
    if not 0 < confidence < 1:
        raise BadSetting("confidence", confidence, "between 0 and 1")
    both = _matched(means, grades)
    topic, _ = pd.factorize(both["topic"], sort=True)
    parts, pairs = _by_topic(
        topic, both["mean"].to_numpy(dtype=np.float64), both["grade"].to_numpy(dtype=np.float64)
    )
    ranked = parts[pairs > 0]
    if len(ranked) < 2:
        raise NothingToRank(
            f"{len(ranked)} topics have two responses with a score and a grade, "
            "and it takes two for an interval"
        )
    tau = _tau(ranked.sum(axis=0)[None])[0]
    if np.isnan(tau):
        raise NothingToRank("within every topic all scores, or all grades, are the same")
    rng = np.random.default_rng(seed)
    T = len(ranked)
    drawn = _tau(rng.multinomial(T, np.full(T, 1 / T), draws) @ ranked)
    low, high, undefined = percentile_interval(drawn, confidence)
    return RankAgreement(
        tau=float(tau),
        low=low,
        high=high,
        items=len(both),
        topics=T,
        pairs=int(pairs.sum()),
        only_scored=len(means) - len(both),
        only_graded=len(grades) - len(both),
        draws=draws,
        undefined_draws=undefined,
        confidence=confidence,
        seed=seed,
    )


def _matched(means: pd.DataFrame, grades: pd.DataFrame) -> pd.DataFrame:
    """item, topic, mean, grade of the responses that have both, checked."""
    _check_columns(means, ("item", "mean"))
    _check_columns(grades, ("item", "topic", "grade"))
    for name, frame, column in (("score", means, "mean"), ("grade", grades, "grade")):
        if frame["item"].duplicated().any():
            item = frame["item"][frame["item"].duplicated()].iloc[0]
            raise NothingToRank(f"the response {item!r} has more than one {name}")
        bad = int((~np.isfinite(frame[column].to_numpy(dtype=np.float64))).sum())
        if bad:
            raise NothingToRank(f"{bad} responses have a {name} that is not a finite number")
    return means[["item", "mean"]].merge(grades[["item", "topic", "grade"]], on="item")


def _by_topic(topic: Ints, x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Of each topic P - Q and its pairs untied in x and in y (T, 3), and all its pairs (T,)."""
    x = np.round(x, DIGITS)
    counts = np.bincount(topic)
    sums = np.zeros((len(counts), 4))
    ends = np.cumsum(counts)
    order = np.argsort(topic)
    for t, (start, end) in enumerate(zip(ends - counts, ends, strict=True)):
        mine = order[start:end]
        i, j = np.triu_indices(len(mine), 1)
        sx, sy = (np.sign(value[mine[i]] - value[mine[j]]) for value in (x, y))
        sums[t] = (sx * sy).sum(), (sx**2).sum(), (sy**2).sum(), len(i)
    return sums[:, :3], sums[:, 3]


def _tau(sums: Floats) -> Floats:
    """tau-b (D,) from P - Q and the untied pairs (D, 3); NaN if either side is all ties."""
    untied = sums[:, 1] * sums[:, 2]
    out = np.full(len(sums), np.nan)
    return np.asarray(np.divide(sums[:, 0], np.sqrt(untied), out=out, where=untied > 0))


def _check_columns(frame: pd.DataFrame, columns: Sequence[str]) -> None:
    missing = [column for column in columns if column not in frame.columns]
    if missing:
        raise MissingColumns(missing)
