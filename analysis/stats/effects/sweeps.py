"""Pairs of groups in which every vote prefers one of them: who wins, with a one-sided bound.

Without variation there is no standard error, and a merit has no finite maximum. The sign test is
exact: of n units that all go one way p = 2 / 2^n, and with confidence 1 - alpha at least
alpha^(1/n) of such units do (Clopper and Pearson 1934). Topics and workers are both samples, so n
is the smaller number of the two: the weaker claim. Both hold however often one looks at a running
study: a sweep of n units was one of all fewer units before, so looking again adds no errors.
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from analysis.stats.arrays import Flags
from analysis.stats.design_checks import at_least
from analysis.stats.effects.crossed_means import (
    NOTHING_VARIES,
    CrossedMeans,
    adjusted_q,
    letters_of,
)
from analysis.stats.effects.families import holm

Pair = frozenset[Hashable]
LEAST_SWEPT = 6  # units of which all go one way with p < .05 by the sign test


@dataclass(frozen=True, kw_only=True)
class Sweep:
    """A winner of all votes on a pair, over topics and workers."""

    winner: Hashable
    loser: Hashable
    votes: int
    topics: int
    workers: int

    @property
    def units(self) -> int:
        return min(self.topics, self.workers)

    @property
    def shows_winner(self) -> bool:
        """True if topics and workers are enough for the sign test to reach p < .05."""
        return self.units >= LEAST_SWEPT

    @property
    def p(self) -> float:
        """Two-sided p of the sign test over the fewer of topics and workers."""
        return float(min(1.0, 2 * 0.5**self.units))

    def least(self, confidence: float = 0.95) -> float:
        """Return the lower bound of the share of topics, or workers, that go to the winner."""
        return least_share(self.units, confidence)

    def claim(self, confidence: float = 0.95, *, winner: str = "the same system") -> str:
        """Return the one-sided bound as a sentence; rows and pages name the winner."""
        units = "topics" if self.topics <= self.workers else "participants"
        return (
            f"all {self.votes:,} votes prefer {winner}: with {confidence:.0%} "
            f"confidence, at least {self.least(confidence):.0%} of {units} like these agree "
            f"(one-sided, {self.topics:,} topics, {self.workers:,} participants)."
        )

    def sentence(self, confidence: float = 0.95) -> str:
        """Return the claim, or the reason for none, as the reason for no interval."""
        if self.shows_winner:
            return f"No interval: {self.claim(confidence)}"
        lacking = [
            at_least(LEAST_SWEPT, name, number)
            for name, number in (("topics", self.topics), ("participants", self.workers))
            if number < LEAST_SWEPT
        ]
        return (
            f"No interval: all {self.votes:,} votes prefer the same system. A bound needs at "
            f"least {' and '.join(lacking)}."
        )


def least_share(units: int, confidence: float) -> float:
    """Return the one-sided lower bound of a share if all of `units` are successes."""
    return float((1 - confidence) ** (1 / units))


def sweeps_of(votes: pd.DataFrame) -> dict[Pair, Sweep]:
    """Return the swept pairs; those of fewer than LEAST_SWEPT topics or workers show no winner.

    votes: columns first, second (groups), outcome (1, 0, -1, of the first), topic, worker.
    """
    between = votes[_one_way(votes)]
    if between.empty:
        return {}
    won = between["outcome"] >= 0
    frame = between.assign(
        winner=between["first"].where(won, between["second"]),
        loser=between["second"].where(won, between["first"]),
    )
    rows = frame.groupby(["winner", "loser"], sort=False).agg(
        votes=("outcome", "size"), topics=("topic", "nunique"), workers=("worker", "nunique")
    )
    counts: list[list[int]] = rows.to_numpy(dtype=np.int64).tolist()
    return {
        frozenset(way): Sweep(
            winner=way[0], loser=way[1], votes=number, topics=topics, workers=workers
        )
        for way, (number, topics, workers) in zip(rows.index, counts, strict=True)
    }


def _one_way(votes: pd.DataFrame) -> Flags:
    """Return the votes (n,) on pairs of groups of which all votes prefer the same one."""
    code, names = pd.factorize(pd.concat([votes["first"], votes["second"]], ignore_index=True))
    first, second = code.reshape(2, -1).astype(np.int64)
    outcome = votes["outcome"].to_numpy()
    # a tie is a vote for both
    at_least = np.zeros((len(names), len(names)), dtype=bool)
    at_least[first[outcome >= 0], second[outcome >= 0]] = True
    at_least[second[outcome <= 0], first[outcome <= 0]] = True
    return np.asarray((at_least != at_least.T)[first, second])


def with_sweeps(result: CrossedMeans, sweeps: Mapping[Pair, Sweep]) -> CrossedMeans:
    """Return the means with exact tests of swept pairs that have no interval, or are the only one.

    The difference of merits of such a pair depends on the ridge alone. Adjusted p are Holm's then:
    sign tests have no covariance with the others. A pair of too few workers to show a winner
    gets this as its reason where nothing varies.
    """
    result = _with_reasons(result, sweeps)
    pairs = result.differences.copy()
    only = len(pairs) == 1
    swept: dict[Hashable, Sweep] = {}
    missing = pairs["p"].isna().tolist()
    for k, names in enumerate(zip(pairs["first"], pairs["second"], strict=True)):
        sweep = sweeps.get(frozenset(names))
        if sweep is None or not sweep.shows_winner or not (only or missing[k]):
            continue
        swept[k] = sweep
        ahead = 1 - sweep.p / 2
        leads = names[0] == sweep.winner
        pairs.loc[k, ["low", "high", "error"]] = np.nan
        pairs.at[k, "p"] = sweep.p
        pairs.at[k, "ahead"] = ahead if leads else 1 - ahead
        pairs.at[k, "why"] = sweep.sentence(result.confidence)
    if not swept:
        return result
    p = pairs["p"].to_numpy(dtype=np.float64)
    pairs = pairs.assign(p_adjusted=holm(p), q=adjusted_q(p))
    means = result.means.copy()
    if only:
        means[["low", "high"]] = np.nan
        means["why"] = next(iter(swept.values())).sentence(result.confidence)
    means["letters"] = letters_of(pairs, list(means["group"]), result.alpha)
    return replace(result, means=means, differences=pairs)


def _with_reasons(result: CrossedMeans, sweeps: Mapping[Pair, Sweep]) -> CrossedMeans:
    """Return the means with the reason of swept pairs that have no interval and show no winner."""
    pairs, means = result.differences.copy(), result.means.copy()
    is_flat = (pairs["why"] == NOTHING_VARIES).tolist()
    for k, names in enumerate(zip(pairs["first"], pairs["second"], strict=True)):
        sweep = sweeps.get(frozenset(names))
        if sweep is None or sweep.shows_winner or not is_flat[k]:
            continue
        pairs.at[k, "why"] = sweep.sentence(result.confidence)
        if len(pairs) == 1:
            means["why"] = means["why"].where(means["low"].notna(), pairs.at[k, "why"])
    return replace(result, means=means, differences=pairs)
