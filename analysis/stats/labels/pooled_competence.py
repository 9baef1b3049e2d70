"""Competence of workers over all questions, shrunk towards the crowd, with intervals.

If a worker w knows with probability k_w and otherwise answers out of habit, then the answers of two
workers to the same items have covariance k_w k_u D, whatever the habits: D is the variation of the
truth, 1 - 1/K where its K options are equally frequent (the prior of MACE). So

    k_w = C_w / sqrt(mean C * D),

C_w the covariance of the worker's answers with those of the fellows on the same items. It is
computed for each item over all questions, so the questions of one item need not be independent. The
estimate of one worker is noisy: it is shrunk to the mean of the crowd in proportion to its error
(empirical Bayes; the width with the corrections of Morris 1983, Parametric Empirical Bayes
Inference).

Fewer than ten workers are no crowd to shrink to. With the topics of the items, each estimate is
then left as it is, and its interval is that of a jackknife over topics: for these raters on other
topics, each relative to the others (benchmarks/coverage/few_raters_competence.py).
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import scipy

from analysis.stats.arrays import Floats, Ints, total
from analysis.stats.crossed_errors import error_over_units
from analysis.stats.design_checks import LEAST_UNITS, About, about_raters, few_clusters
from analysis.stats.errors import CannotCompute, no_votes
from analysis.stats.resampling import check_confidence
from analysis.stats.votes import Votes, common_names, vote_matrix

NO_AGREEMENT_WITHOUT = (
    "No interval for competence: without one of the topics, answers to the same item agree no "
    "more than answers to different items."
)


@dataclass(frozen=True, eq=False, kw_only=True)
class PooledCompetence:
    """Competence of each worker with two items or more.

    frame: worker, competence, low, high (shrunk, within 0 and 1), unshrunk, items, votes, about:
    the raters that the interval is about (for these raters nothing is shrunk). Where why is not
    empty no interval is offered, low and high are NaN. mean, spread: of the competences of
    the crowd; the estimate of a mean near 1 can exceed 1 and is cut there, since it divides by the
    variation that the truth has on average, and on few items it may vary more. reliability: the
    share of the variance between unshrunk competences that is not error, NaN where they are all
    alike. questions: the number whose answers vary together.

    Competence is low on close texts even for honest workers, so honest_comparison.py marks workers.
    """

    frame: pd.DataFrame
    mean: float
    spread: float
    reliability: float
    questions: int
    confidence: float
    why: str


def pooled_competence(
    questions: Sequence[Votes],
    *,
    topics: Mapping[Any, Hashable] | None = None,
    confidence: float = 0.95,
) -> PooledCompetence:
    """Estimate competence from the votes on each question, with common names of items and workers.

    topics: of the items, for the interval of fewer than ten workers.

    Raises CannotCompute (no_votes, no_agreement), BadSetting.
    """
    check_confidence(confidence)
    worker_names = common_names(votes.workers for votes in questions)
    item_names = common_names(votes.items for votes in questions)
    parts = [
        part
        for votes in questions
        if (part := _shared(votes, worker_names, item_names)) is not None
    ]
    if not any(len(votes) for votes in questions):
        raise no_votes("Competence")
    if not parts:
        raise CannotCompute(
            "no_agreement",
            "Competence cannot be computed because answers to the same item agree no more than "
            "answers to different items.",
        )
    workers = _cells(parts)
    worker, present = pd.factorize(workers["worker"], sort=True)
    names = worker_names.take(present.to_numpy())
    n = np.bincount(worker)
    value = workers["value"].to_numpy(dtype=np.float64)
    mean = total(worker, value, len(n)) / n
    squares = total(worker, (value - mean[worker]) ** 2, len(n))
    # One variance for all: that of high competence is larger, and shrinking it by more than low
    # competence would take the mean down.
    common = squares.sum() / np.maximum(n - 1, 0).sum()
    shrunk = _shrunk(mean, common / n, _fellows(questions, names))
    half = scipy.stats.norm.ppf((1 + confidence) / 2) * np.sqrt(shrunk.variance)
    why = few_clusters(
        "competence", units=int(n.max()), workers=len(n), called="items of one worker"
    )
    low, high = (np.clip(shrunk.value + side, 0, 1) for side in (-half, half))
    frame = pd.DataFrame(
        {
            "worker": names,
            "competence": np.clip(shrunk.value, 0, 1),
            "low": np.nan if why else low,
            "high": np.nan if why else high,
            "unshrunk": mean,
            "items": n,
            "votes": total(worker, workers["votes"].to_numpy(dtype=np.float64), len(n)).astype(int),
            "about": about_raters(len(n)),
        }
    )
    if topics is not None and about_raters(len(n)) is About.THESE:
        low, high, why = _for_these(questions, frame, topics, confidence)
        items = pd.Series(item_names.take(workers["item"].to_numpy()))
        several = items.map(topics).groupby(worker).nunique().to_numpy() >= LEAST_UNITS
        for name, column in (("competence", mean), ("low", low), ("high", high)):
            shown = several if name != "competence" else True
            frame[name] = np.where(shown, np.clip(column, 0, 1), np.nan)
    return PooledCompetence(
        frame=frame, mean=min(max(shrunk.mean, 0.0), 1.0), spread=shrunk.spread,
        reliability=shrunk.reliability, questions=len(parts), confidence=confidence, why=why,
    )  # fmt: skip


def _cells(parts: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Return the mean value of each worker on each item over questions, and the votes."""
    cells = pd.concat(parts).groupby(["worker", "item"], sort=True)
    return cells.agg(value=("value", "mean"), votes=("value", "size")).reset_index()


def _for_these(
    questions: Sequence[Votes],
    frame: pd.DataFrame,
    topics: Mapping[Any, Hashable],
    confidence: float,
) -> tuple[Floats, Floats, str]:
    """Return low and high ends over topics of unshrunk competences, and why there are none."""
    value = frame["unshrunk"].to_numpy()
    none = np.full(len(value), np.nan)
    item_names = sorted({item for votes in questions for item in votes.items}, key=str)
    place = {item: k for k, item in enumerate(item_names)}
    row = {worker: k for k, worker in enumerate(frame["worker"])}
    topic, names = pd.factorize(np.array([str(topics[item]) for item in item_names]))
    if why := few_clusters("competence", units=len(names), workers=None, called="topics"):
        return none, none, why
    coded = [
        (
            votes,
            np.array([place[item] for item in votes.items]),
            np.array([row.get(worker, -1) for worker in votes.workers]),
        )
        for votes in questions
    ]
    changes = np.empty((len(names), len(value)))
    for left_out in range(len(names)):
        n, sums = np.zeros((2, len(value) * len(item_names)))
        for votes, items, rows in coded:
            added = _additions(votes.only(topic[items[votes.item]] != left_out))
            if added is not None:
                worker, item, addition = added
                cell = rows[worker] * len(item_names) + items[item]
                n += np.bincount(cell, minlength=len(n))
                sums += np.bincount(cell, addition, minlength=len(n))
        mean = np.divide(sums, n, out=np.full_like(sums, np.nan), where=n > 0)
        if not n.any():
            return none, none, NO_AGREEMENT_WITHOUT
        with np.errstate(invalid="ignore"):
            items_of = (n > 0).reshape(len(value), -1).sum(axis=1)
            total_of = np.nansum(mean.reshape(len(value), -1), axis=1)
            changes[left_out] = np.where(items_of > 0, total_of / np.maximum(items_of, 1), np.nan)
    return *error_over_units(changes - value).interval(value, confidence), ""


def _shared(votes: Votes, workers: pd.Index, items: pd.Index) -> pd.DataFrame | None:
    """Return the addition of each answer to its worker's competence: worker, item, value.

    Workers and items are numbers of their names. Workers with one item, and items with one vote,
    are left out; None without any others.
    """
    added = _additions(votes)
    if added is None:
        return None
    worker, item, value = added
    return pd.DataFrame(
        {
            "worker": workers.get_indexer(pd.Index(votes.workers))[worker],
            "item": items.get_indexer(pd.Index(votes.items))[item],
            "value": value,
        }
    )


def _additions(votes: Votes) -> tuple[Ints, Ints, Floats] | None:
    """Return worker, item and addition of each answer, as `_shared`, by index."""
    N, W, V = len(votes.items), len(votes.workers), len(votes.options)
    keep = np.bincount(votes.worker, minlength=W)[votes.worker] >= 2
    keep &= np.bincount(votes.item[keep], minlength=N)[votes.item] >= 2
    item, worker, value = votes.item[keep], votes.worker[keep], votes.value[keep]
    n, m = np.bincount(worker, minlength=W), np.bincount(item, minlength=N)
    if V < 2 or not len(item):
        return None
    shares = total(worker * np.int64(V) + value, np.ones(len(value)), W * V).reshape(W, V)
    centred = np.eye(V)[value] - (shares / np.maximum(n, 1)[:, None])[worker]
    sums = np.stack([total(item, column, N) for column in centred.T], axis=1)
    fellows = (sums[item] - centred) / np.maximum(m[item] - 1, 1)[:, None]
    # the own shares are those of the same items, which takes 1/n of what varies away
    correction = n / np.maximum(n - 1, 1)
    covariance = (centred * fellows).sum(axis=1) * correction[worker]
    crowd = covariance[m[item] >= 2].mean()
    if crowd <= 0:
        return None
    return worker, item, covariance / np.sqrt(crowd * (1 - 1 / V))


def _fellows(questions: Sequence[Votes], names: pd.Index) -> Ints:
    """Return the number of others each worker has shared an item with, at least 1."""
    votes = max(questions, key=len)
    judged = vote_matrix(votes.worker, votes.item, (len(votes.workers), len(votes.items)))
    met = (judged @ judged.T).tocsr()
    others = np.diff(met.indptr) - (met.diagonal() > 0)
    by_name = dict(zip(votes.workers, others.tolist(), strict=True))
    return np.array([max(by_name.get(name, 1), 1) for name in names])


@dataclass(frozen=True, eq=False)
class _Shrunk:
    value: Floats
    variance: Floats
    mean: float
    spread: float
    reliability: float


def _shrunk(raw: Floats, error: Floats, fellows: Ints) -> _Shrunk:
    """Return the empirical Bayes estimate of W estimates (W,) with error variances (W,)."""
    W = len(raw)
    mean = float(raw.mean())
    between = max(float(raw.var(ddof=1)) - float(error.mean()), 0.0) if W > 1 else 0.0
    # Fellows who know more or less than the crowd shift the estimate of whoever is compared with
    # them, in proportion.
    error = error + (mean**2 + between) * between / (mean**2 * fellows)
    between = max(float(raw.var(ddof=1)) - float(error.mean()), 0.0) if W > 1 else 0.0
    B = error / (error + between) if between > 0 else np.ones(W)
    B = B * max(W - 3, 0) / max(W - 1, 1) if W > 3 else B
    value = raw + B * (mean - raw)
    variance = error * (1 - B * (W - 1) / W) + 2 / max(W - 3, 1) * B**2 * (raw - mean) ** 2
    both = between + float(error.mean())  # none where all workers gave the same answers
    reliability = between / both if both > 0 else np.nan
    return _Shrunk(value, variance, mean, float(np.sqrt(between)), reliability)
