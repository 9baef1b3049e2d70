"""Agreement of each worker compared with that of an honest worker on the same items.

Votes of honest workers on close texts scatter, so a fixed cut of competence accuses them. Here
the items set the measure. The vote of an honest worker on an item is v with
probability P(v), from the votes of the others on it and the Dirichlet prior of all items
(label_certainty.py). With g = P less its mean over the items of the worker, which takes away
constant habits, the sum of g over the votes of a worker is

    A = sum_i g_i(v_i)

with the mean E = sum_i sum_v P_i(v) g_i(v) under an honest worker and 0 under a guesser.

A / E of honest workers has the median mu and the standard deviation tau, both estimated without
suspects. The variance of A is that of votes under P times their dependence within items; that of a
guesser follows from a shuffle of the worker's votes over the worker's items. A worker is marked who
is below honest workers (q, Benjamini and Hochberg 1995) and not above a guesser, and only where a
guesser would be noticed more often than not.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import scipy

from analysis.stats.arrays import Flags, Floats, Ints, total
from analysis.stats.design_checks import few_clusters
from analysis.stats.errors import BadSetting, no_votes
from analysis.stats.labels.label_certainty import concentration_of
from analysis.stats.resampling import check_confidence
from analysis.stats.votes import Votes

ROUNDS = 10  # suspects settle in two to four
SMALLEST = 1e-9  # of a sum of probabilities: nothing differs between items


@dataclass(frozen=True, eq=False, kw_only=True)
class HonestComparison:
    """Comparison of W workers with honest workers on the same items.

    frame: worker; items with votes of others; ratio, low, high: agreement with others beyond
    chance, in units of an honest worker's on the same items (1: as an honest worker, 0: as a
    guesser), with the interval over items; p and q of as little agreement by an honest worker;
    p_guess of as much by a guesser; comparable: a guesser on these items would be marked more
    often than not; mark. ratio, low and high are NaN where a worker is not comparable.
    tau: the standard deviation of the ratio between honest workers. why: the reason why nobody is
    compared, or empty.
    """

    frame: pd.DataFrame
    tau: float
    level: float
    confidence: float
    why: str


def compare_with_honest(
    questions: Sequence[Votes], *, level: float = 0.05, confidence: float = 0.95
) -> HonestComparison:
    """Compare workers by their votes on questions with common names of items and workers.

    Suspects, below honest workers with p < level and not above a guesser, predict nobody's votes
    and don't count for mu and tau; this is repeated until they stay the same.
    Raises CannotCompute (no_votes), BadSetting.
    """
    check_confidence(confidence)
    if not 0 < level < 1:
        raise BadSetting("level", level, "between 0 and 1")
    if not any(len(votes) for votes in questions):
        raise no_votes("The comparison of participants")
    names, parts = _common(questions)
    W = len(names)
    out = np.zeros(W, dtype=bool)
    honest = None
    for round_number in range(ROUNDS):
        sums = _sums(parts, W, out)
        honest = _honest(sums, out, upper_only=not round_number)
        p = honest.p(sums.agreement)
        p_guess = scipy.stats.norm.sf(sums.agreement / np.sqrt(sums.guess))
        suspects = (p < level) & (p_guess > level)
        if (suspects == out).all():
            break
        out = suspects
    assert honest is not None
    q = _q(p, sums.items > 1)
    flagged = (q < level) & (p_guess > level)
    workers = int((sums.items > 1).sum())
    why = few_clusters(
        "agreement", units=int(sums.items.max()), workers=workers, called="items of one worker"
    )
    # The guesser of middle agreement, 0, would be among the marked.
    share = max(int(flagged.sum()), 1) / max(workers, 1)
    comparable = (honest.p(np.zeros(W)) < level * share) & (sums.items > 1) & (not why)
    unit = np.where(comparable, honest.mu * sums.expected, np.nan)
    half = scipy.stats.norm.ppf((1 + confidence) / 2) * np.sqrt(honest.variance)
    frame = pd.DataFrame(
        {
            "worker": names,
            "items": sums.items,
            "ratio": sums.agreement / unit,
            "low": (sums.agreement - half) / unit,
            "high": (sums.agreement + half) / unit,
            "p": p,
            "q": q,
            "p_guess": p_guess,
            "comparable": comparable,
            "mark": flagged & comparable,
        }
    )
    return HonestComparison(
        frame=frame, tau=honest.tau, level=level, confidence=confidence, why=why
    )


def _common(questions: Sequence[Votes]) -> tuple[list[object], list[tuple[Votes, Ints, Ints]]]:
    """Return the names of workers, and of each question its votes with common item and worker."""
    item_of: dict[object, int] = {}
    worker_of: dict[object, int] = {}
    voters = {v.workers[k] for v in questions for k in np.unique(v.worker).tolist()}
    for name in sorted(voters, key=str):
        worker_of[name] = len(worker_of)
    parts = []
    for votes in questions:
        if len(votes) and len(votes.options) > 1:
            items = np.array([item_of.setdefault(name, len(item_of)) for name in votes.items])
            workers = np.array([worker_of.get(name, -1) for name in votes.workers])
            parts.append((votes, items[votes.item], workers[votes.worker]))
    return list(worker_of), parts


@dataclass(frozen=True, eq=False)
class _VoteSums:
    """A, E, the variance of A under an honest worker and a guesser, and the items of W workers."""

    agreement: Floats
    expected: Floats
    honest: Floats
    guess: Floats
    items: Ints


def _sums(parts: Sequence[tuple[Votes, Ints, Ints]], W: int, out: Flags) -> _VoteSums:
    """Return the sums of all questions; the votes of `out` (W,) predict nobody's."""
    cells, moves = [], []
    agreement, expected, variance = np.zeros(W), np.zeros(W), np.zeros(W)
    for votes, item, worker in parts:
        one, P, kept = _predicted(votes, ~out[worker])
        worker, item, one, P = worker[kept], item[kept], one[kept], P[kept]
        g, own = P - _mean(P, worker, W), one - _mean(one, worker, W)
        given, mean = (one * g).sum(axis=1), (P * g).sum(axis=1)
        agreement += total(worker, given, W)
        expected += total(worker, mean, W)
        variance += total(worker, (P * g**2).sum(axis=1) - mean**2, W)
        cells.append(pd.DataFrame({"worker": worker, "item": item, "move": given - mean}))
        moves.append((own, g))
    table = pd.concat(cells, ignore_index=True)
    row = np.asarray(table.groupby(["worker", "item"], sort=True).ngroup(), dtype=np.int64)
    by_cell = table.groupby(["worker", "item"], sort=True)["move"].sum()
    of_cell = np.asarray(by_cell.index.get_level_values("worker"), dtype=np.int64)
    squares = total(of_cell, by_cell.to_numpy() ** 2, W)
    keep = ~out
    dependence = squares[keep].sum() / max(variance[keep].sum(), SMALLEST)
    return _VoteSums(
        agreement=agreement,
        expected=np.maximum(expected, SMALLEST),
        honest=variance * max(dependence, 1.0) + SMALLEST,
        guess=_guess(moves, row, of_cell, W) + SMALLEST,
        items=np.bincount(of_cell, minlength=W),
    )


def _predicted(votes: Votes, keep: Flags) -> tuple[Floats, Floats, Flags]:
    """Return the votes (n, V), their probabilities from those of others, and which have others.

    keep (n,): the votes that predict.
    """
    V = len(votes.options)
    counts = votes.only(keep).counts()
    one = np.eye(V)[votes.value]
    others = counts[votes.item] - one * keep[:, None]
    a = concentration_of(counts) if counts.any() else np.ones(V)
    P = (others + a) / (others.sum(axis=1) + a.sum())[:, None]
    return np.asarray(one), np.asarray(P), np.asarray(others.any(axis=1))


def _mean(values: Floats, worker: Ints, W: int) -> Floats:
    """Return the mean of the worker for each vote, (n, V)."""
    n = np.maximum(np.bincount(worker, minlength=W), 1)
    sums = np.stack([total(worker, column, W) for column in values.T], axis=1)
    return np.asarray((sums / n[:, None])[worker])


def _guess(moves: Sequence[tuple[Floats, Floats]], row: Ints, worker: Ints, W: int) -> Floats:
    """Return the variance (W,) of A if votes of a worker are shuffled over the worker's items.

    Votes of an item move together: with y_i the votes on item i less their means and g_j the
    predictions for item j, the variance is sum_ij (y_i g_j)^2 / (n - 1). row (n,): the cell of
    each vote; worker: that of each cell, sorted.
    """
    width = sum(own.shape[1] for own, _ in moves)
    Y, G = np.zeros((2, len(worker), width))
    first = place = 0
    for own, g in moves:
        n, V = own.shape
        Y[row[first : first + n], place : place + V] = own
        G[row[first : first + n], place : place + V] = g
        first, place = first + n, place + V
    variance = np.zeros(W)
    for w, start, end in _runs(worker):
        y, g = Y[start:end], G[start:end]
        variance[w] = ((y.T @ y) * (g.T @ g)).sum() / max(end - start - 1, 1)
    return variance


def _runs(worker: Ints) -> list[tuple[int, int, int]]:
    """Return each worker of a sorted array with the start and the end of its run."""
    names, starts = np.unique(worker, return_index=True)
    ends = np.append(starts[1:], len(worker))[: len(starts)]
    return list(zip(names.tolist(), starts.tolist(), ends.tolist(), strict=True))


@dataclass(frozen=True, eq=False)
class _Honest:
    """Distribution of agreement of honest workers: t around mu E."""

    mu: float
    tau: float
    expected: Floats
    variance: Floats
    freedom: int

    def p(self, agreement: Floats) -> Floats:
        """Return the probability of as little agreement (W,)."""
        error = np.sqrt(self.variance + (self.tau * self.mu * self.expected) ** 2)
        z = (agreement - self.mu * self.expected) / error
        return np.asarray(scipy.stats.t.cdf(z, self.freedom))


def _honest(sums: _VoteSums, out: Flags, *, upper_only: bool) -> _Honest:
    """Estimate mu and tau without suspects; upper_only: tau from workers above the median.

    With guessers still among the workers, those below the median would make tau too large.
    """
    keep = ~out & (sums.items > 1)
    E, v = sums.expected, sums.honest
    if not keep.any():
        return _Honest(1.0, 0.0, E, v, 1)
    ratio, weight = (sums.agreement / E)[keep], (E**2 / v)[keep]
    order = np.argsort(ratio, kind="stable")
    behind = weight[order].cumsum()
    mu = max(float(ratio[order][np.searchsorted(behind, behind[-1] / 2)]), SMALLEST)
    apart = sums.agreement - mu * E
    used = keep & ((apart >= 0) | (not upper_only))
    size = float(((mu * E[used]) ** 2).sum())  # 0 where all votes are the same option
    between = float((apart[used] ** 2 - v[used]).sum()) / size if size else 0.0
    return _Honest(mu, max(between, 0.0) ** 0.5, E, v, max(int(keep.sum()) - 1, 1))


def _q(p: Floats, tested: Flags) -> Floats:
    """Return q by Benjamini and Hochberg (W,) of the tested workers, 1 for the others."""
    q = np.ones(len(p))
    if tested.any():
        q[tested] = scipy.stats.false_discovery_control(p[tested])
    return q
