"""Verdicts of results on the best system of simulated studies.

A winner is the only system that no other beats, with all pairs taken together
(effects/families.py): a clear difference from one other system is not enough. Merits of topics,
errors over topics and workers and degrees of freedom are those of results (merits.py,
merit_errors.py, crossed_means.py), here of many studies at once.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
import scipy

from analysis.stats.arrays import Flags, Floats, Ints, total
from analysis.stats.bradley_terry.comparisons import Comparisons
from analysis.stats.bradley_terry.merit_errors import MeritErrors, merit_errors
from analysis.stats.bradley_terry.merits import FIRTH, fit_merits
from analysis.stats.design_checks import LEAST_UNITS, LEAST_WORKERS, check_comparisons
from analysis.stats.effects.families import critical_p
from analysis.stats.verdicts import LimitVerdict

ALPHA = 0.05  # the family-wise error of claims about systems
MOST_TIMES = 10.0  # a study larger than that is too far from the simulated one
LARGER = 1.05  # factor between the sizes that are tried


@dataclass(frozen=True, eq=False, kw_only=True)
class Differences:
    """Differences of G systems in D studies, row minus column, as results find them.

    value, error, degrees (D, G, G): error NaN where a pair is not compared. from_topics,
    from_workers (D, G, G): their parts in the variance, without the noise of single votes. general
    (D,): whether all pairs have workers enough to stand for others like them.
    """

    value: Floats
    error: Floats
    degrees: Floats
    from_topics: Floats
    from_workers: Floats
    general: Flags

    @classmethod
    def joined(cls, parts: "Sequence[Differences]") -> "Differences":
        names = ("value", "error", "degrees", "from_topics", "from_workers", "general")
        return cls(**{name: np.concatenate([getattr(p, name) for p in parts]) for name in names})


def study_differences(
    comparisons: Comparisons, *, study: Ints, system: Ints, worker: Ints, tie_parameter: float
) -> Differences:
    """Return the differences of systems in each study.

    study (P,): of each problem, which is a topic of one study. system (R,): of each response.
    worker (M,): of each comparison; nobody is in two studies. All count from 0.
    """
    fit = fit_merits(comparisons, tie_parameter=tie_parameter, ridge=FIRTH)
    topics = _Topics.of(
        comparisons, merit_errors(fit, workers=worker.tolist()), study=study, system=system
    )
    D, G = int(study.max()) + 1, int(system.max()) + 1
    value, from_topics, from_workers = np.zeros((3, D, G, G))
    error, degrees = np.full((D, G, G), np.nan), np.ones((D, G, G))
    general = np.ones(D, dtype=bool)
    for i, j in combinations(range(G), 2):
        pair = topics.difference(i, j, D)
        value[:, i, j], value[:, j, i] = pair.value, -pair.value
        error[:, i, j] = error[:, j, i] = pair.error
        degrees[:, i, j] = degrees[:, j, i] = pair.degrees
        from_topics[:, i, j] = from_topics[:, j, i] = pair.from_topics
        from_workers[:, i, j] = from_workers[:, j, i] = pair.from_workers
        general &= pair.workers >= LEAST_WORKERS
    return Differences(
        value=value,
        error=error,
        degrees=degrees,
        from_topics=from_topics,
        from_workers=from_workers,
        general=general,
    )


@dataclass(frozen=True, eq=False)
class _Pair:
    """Difference of two systems in each study (D,): as in Differences, with its workers."""

    value: Floats
    error: Floats
    degrees: Floats
    from_topics: Floats
    from_workers: Floats
    workers: Ints


@dataclass(frozen=True, eq=False)
class _Topics:
    """Values of systems in topics (P, G), NaN where there is none, and their changes.

    study (P,): of each topic. changes (C, G): of the values without a worker in a topic; worker,
    topic (C,): of the changes.
    """

    value: Floats
    study: Ints
    changes: Floats
    worker: Ints
    topic: Ints

    @classmethod
    def of(
        cls, comparisons: Comparisons, errors: MeritErrors, *, study: Ints, system: Ints
    ) -> "_Topics":
        P, G = len(study), int(system.max()) + 1
        place = comparisons.entry_problem * G + system
        size = np.bincount(place, minlength=P * G)
        sums = total(place, errors.merit, P * G)
        value = np.divide(sums, size, out=np.full(P * G, np.nan), where=size > 0).reshape(P, G)
        value[check_comparisons(comparisons)["parts"].to_numpy() > 1] = np.nan
        entry = errors.changed_entry
        key = np.asarray(errors.changed_worker) * np.int64(P) + comparisons.entry_problem[entry]
        keys, cell = np.unique(key, return_inverse=True)
        change = errors.change / size[place[entry]]
        changes = total(cell * G + system[entry], change, len(keys) * G).reshape(len(keys), G)
        return cls(value, study, changes, keys // P, keys % P)

    def difference(self, i: int, j: int, D: int) -> _Pair:
        """Return the mean of i minus j over the topics with both, in each of D studies."""
        apart = self.value[:, i] - self.value[:, j]
        both = ~np.isnan(apart)
        study, apart = self.study[both], apart[both]
        T = np.bincount(study, minlength=D)
        value = total(study, apart, D) / np.maximum(T, 1)
        spread = total(study, (apart - value[study]) ** 2, D)
        over_units = spread / np.maximum(T * (T - 1), 1)
        mine = both[self.topic]
        of_change = self.study[self.topic[mine]]
        change = (self.changes[mine, i] - self.changes[mine, j]) / T[of_change]
        workers, first, who = np.unique(self.worker[mine], return_index=True, return_inverse=True)
        sums, of_worker = total(who, change, len(workers)), of_change[first]
        W = np.bincount(of_worker, minlength=D)
        squares = total(of_worker, sums**2, D) - total(of_worker, sums, D) ** 2 / np.maximum(W, 1)
        over_workers = squares * (W - 1) / np.maximum(W, 1)
        noise = total(of_change, change**2, D)
        both_ways = over_units + over_workers - noise
        variance = np.maximum(both_ways, np.maximum(over_units, over_workers))
        terms = over_units**2 / np.maximum(T - 1, 1) + over_workers**2 / np.maximum(W - 1, 1)
        degrees = np.divide(variance**2, terms, out=np.ones(D), where=terms > 0)
        error = np.where(T >= LEAST_UNITS, np.sqrt(variance), np.nan)
        parts = over_units - noise, over_workers - noise
        return _Pair(value, error, np.maximum(degrees, 1.0), *parts, W)


@dataclass(frozen=True, eq=False)
class WinnerPower:
    """Claims in simulated studies whose best system is `best` (D,), all others being equal."""

    differences: Differences
    best: Ints

    @cached_property
    def _is_best(self) -> Flags:
        return np.asarray(np.arange(self.differences.value.shape[1]) == self.best[:, None])

    @cached_property
    def lead(self) -> Floats:
        """Lead of the best over the others, as estimated: (D,)."""
        G = self._is_best.shape[1]
        return np.asarray(self.differences.value[self._is_best].sum(axis=1) / (G - 1))

    @cached_property
    def _expected(self) -> Floats:
        """Mean difference of the systems: (D, G, G)."""
        is_best = self._is_best.astype(np.float64)
        return np.asarray(self.lead.mean() * (is_best[:, :, None] - is_best[:, None, :]))

    @cached_property
    def critical_p(self) -> float:
        """The p of one pair at which results call it different, with all pairs taken together."""
        first, second = np.triu_indices(self._is_best.shape[1], 1)
        errors = (self.differences.value - self._expected)[:, first, second]
        return critical_p(errors.T, ALPHA)

    def named(self, times: float = 1.0) -> float:
        """Return how often the best is named, with a multiple of the topics and workers."""
        pair_differences = self.differences
        value = self._expected + (pair_differences.value - self._expected) / np.sqrt(times)
        p = scipy.stats.t.sf(
            value * np.sqrt(times) / pair_differences.error, pair_differences.degrees * times
        )
        beaten = np.asarray(2 * p <= self.critical_p).any(axis=1)
        alone = (beaten != self._is_best).all(axis=1)
        return float((alone & (pair_differences.general | (times > 1))).mean())

    def apart(self) -> float:
        """Return how often the best differs from one other, by the interval of this pair alone."""
        pair_differences = self.differences
        t = np.abs(pair_differences.value[self._is_best] / pair_differences.error[self._is_best])
        p = 2 * scipy.stats.t.sf(t, pair_differences.degrees[self._is_best])
        clear = (p <= ALPHA) & pair_differences.general[:, None]
        return float(clear.sum() / (clear.size - len(clear)))

    def ahead(self) -> float:
        """Return how often the best has the higher mean than one other."""
        ahead = self.differences.value[self._is_best] > 0
        return float(ahead.sum() / (ahead.size - len(ahead)))

    def lever(self) -> LimitVerdict:
        """Return what adds more to the error: topics, or workers."""
        parts = (
            part[self._is_best].mean()
            for part in (self.differences.from_topics, self.differences.from_workers)
        )
        of_topics, of_workers = parts
        return LimitVerdict.RATERS if of_workers > of_topics else LimitVerdict.TOPICS

    def times_wanted(self, wanted: float) -> float | None:
        """Return how many times topics and workers give this power; None beyond MOST_TIMES."""
        sizes = LARGER ** np.arange(int(np.log(MOST_TIMES) / np.log(LARGER)) + 1)
        low, high = 0, len(sizes) - 1
        if self.named(float(sizes[high])) < wanted:
            return None
        while low < high:
            middle = (low + high) // 2
            enough = self.named(float(sizes[middle])) >= wanted
            low, high = (low, middle) if enough else (middle + 1, high)
        return float(sizes[high])
