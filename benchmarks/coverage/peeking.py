"""Growing studies in which some look misses the truth, or finds a difference where none is.

Workers arrive one by one, and the study is looked at 10 times, 50 times, or after each submission,
from the first interval on (growing_studies.py). Systems do not differ and no side is preferred, so
that 0 is true by symmetry; alpha is that of large studies.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pandas as pd
import scipy

from analysis.stats.agreement.alpha import krippendorff_alpha
from analysis.stats.agreement.crossed_alpha import crossed_alpha
from analysis.stats.arrays import Floats, Ints
from analysis.stats.bradley_terry.merit_errors import merit_errors
from analysis.stats.bradley_terry.position_effect import position_effect
from analysis.stats.bradley_terry.position_errors import position_errors
from analysis.stats.crossed_errors import crossed_error
from analysis.stats.design_checks import LEAST_UNITS, LEAST_WORKERS
from analysis.stats.effects.crossed_means import crossed_means
from analysis.stats.effects.worker_changes import from_merits, from_scores
from analysis.stats.sequential import look_confidence
from benchmarks.coverage.votes import TIE, fitted
from benchmarks.growing_studies import Growth, grown, until
from benchmarks.reporting import Row
from benchmarks.simulated_studies import Study

STUDIES = 500
MOST = 5.0
FEW, MANY = 10, 50  # looks
LARGE = Growth(topics=1500, workers=3000)  # for the truth of alpha
NOTE = (
    f"Share of {STUDIES} simulated studies (standard error 1) in which some look misses the truth: "
    "by 95 % intervals that hold at every look and, in the remark, by those of one look. "
    "Conservative is fine. Where topics are all there from the beginning, their part of the error "
    "is the same at each look, which makes looks alike and misses rare."
)
WORLDS = (
    Growth(topics=10, workers=100),
    Growth(topics=30, workers=100),
    Growth(topics=30, workers=100, other=True),
    Growth(topics=60, workers=100, waves=True),
    Growth(topics=60, workers=100, waves=True, other=True),
    Growth(topics=200, workers=200, load=3, waves=True, other=True),
)
SMALL = (
    Growth(topics=12, workers=50, load=12),
    Growth(topics=30, workers=50, waves=True, other=True),
)
MERITS, ALPHA = "difference of two systems by merits", "alpha, topics and workers"
SIDE = "effect of position"
Misses = dict[str, tuple[bool, bool]]  # by number: at every look, and of one look


def rows(studies: int) -> Iterator[Row]:
    for world in WORLDS:
        yield from of_points(world, studies)
    for world in SMALL:
        yield from of_votes(world, studies)
    for other in (False, True):
        yield of_topics(studies, other=other)
    yield of_scores(studies, systems=4)


def row(what: str, size: str, missed: Floats) -> Row:
    """Return the row of some looks; missed (studies, 2): at every look, and of one look."""
    every, one = 100 * missed.mean(axis=0)
    return Row(
        what=what, n=size, ours=every, unit="%", most=MOST, remark=f"of one look {one:.1f} %"
    )


def looks_at(first: int, last: int, number: int) -> list[int]:
    return np.unique(np.linspace(first, last, number).round().astype(int)).tolist()


# -- Points of a system: every submission -------------------------------------------------------


def of_points(world: Growth, studies: int) -> Iterator[Row]:
    """Yield the rows of the points of a system, at 10, 50 and all looks."""
    rng = np.random.default_rng(world.topics + world.workers + world.other)
    missed: dict[str, list[tuple[bool, bool]]] = {}
    for _ in range(studies):
        study = grown(world, rng)
        looks = range(first_look(study), world.workers + 1)
        p = np.array([p_of_points(*played(until(study, look))) for look in looks])
        below = np.column_stack([p < 1 - look_confidence(0.95), p < 0.05])
        for number in (FEW, MANY, len(p)):
            name = "each submission" if number == len(p) else f"{number} looks"
            some = below[looks_at(0, len(p) - 1, number)].any(axis=0)
            missed.setdefault(name, []).append((bool(some[0]), bool(some[1])))
    for name, pairs in missed.items():
        yield row(f"points of a system, {name}", str(world), np.array(pairs))


def first_look(study: Study) -> int:
    """Return how many workers it takes until workers and topics are enough for an interval."""
    between = study.system[study.a] != study.system[study.b]
    votes = study.worker[between[study.item]], study.topic[study.item][between[study.item]]
    enough = [
        int(of_worker[np.sort(np.unique(names, return_index=True)[1])[least - 1]])
        for of_worker, names, least in (
            (votes[0], votes[0], LEAST_WORKERS),
            (votes[0], votes[1], LEAST_UNITS),
        )
    ]
    return max(enough) + 1


def played(study: Study) -> tuple[Ints, Ints, Floats]:
    """Return topic, worker and score (of system 1) of the votes between systems."""
    first, second = (study.system[side[study.item]] for side in (study.a, study.b))
    score = np.array([1.0, 0.5, 0.0])[study.value]
    between = first != second
    mine = np.where(first == 1, score, 1 - score)
    return study.topic[study.item][between], study.worker[between], mine[between]


def p_of_points(topic: Ints, worker: Ints, score: Floats) -> float:
    """Return p of a half, as stats.tournaments.head_to_head has it, in a tenth of the time."""

    def changes(keys: Ints) -> Floats:
        _, of = np.unique(keys, return_inverse=True)
        n, sums = np.bincount(of), np.bincount(of, score)
        return np.asarray((score.sum() - sums) / (len(score) - n) - score.mean())[:, None]

    error = crossed_error(changes(topic), changes(worker), changes(topic * 10**6 + worker))
    return float(error.p(np.array([score.mean() - 0.5]))[0])


# -- What costs more: ten looks -----------------------------------------------------------------


def of_votes(world: Growth, studies: int) -> Iterator[Row]:
    """Yield the rows of merits, alpha and position, by the product's own functions."""
    rng = np.random.default_rng(world.topics * 100 + world.workers)
    large = replace(world, topics=LARGE.topics, workers=LARGE.workers)
    alpha = krippendorff_alpha(grown(large, rng).all_votes(), draws=0).value
    missed: dict[str, list[tuple[bool, bool]]] = {}
    for _ in range(studies):
        study = grown(world, rng)
        some: Misses = {}
        for look in looks_at(max(LEAST_WORKERS, first_look(study)), world.workers, FEW):
            for name, miss in misses(until(study, look), alpha).items():
                before = some.get(name, (False, False))
                some[name] = (before[0] or miss[0], before[1] or miss[1])
        for name, miss in some.items():
            missed.setdefault(name, []).append(miss)
    for name, pairs in missed.items():
        yield row(f"{name}, {FEW} looks", str(world), np.array(pairs))


def misses(study: Study, alpha: float) -> Misses:
    """Return which intervals of this look miss the truth, at every look and of one look."""
    comparisons, result = fitted(study)
    workers, systems = study.worker.tolist(), dict(enumerate(study.system.tolist()))
    values = from_merits(result, merit_errors(result, workers=workers), systems)
    position = position_effect(comparisons, tie_parameter=TIE)
    votes, topics = study.all_votes(), study.topic.tolist()

    pair = crossed_means(*values, sequential=True).differences.iloc[0]
    found = crossed_alpha(votes, together=topics, sequential=True)
    side = position_errors(comparisons, position, workers=workers, sequential=True)
    W = float(side.workers[0]) - 1
    return {
        MERITS: outside(pair["difference"], pair["low"], pair["error"], pair["degrees"], 0.0),
        ALPHA: outside(found.value, found.low, found.error, found.degrees, alpha),
        SIDE: outside(side.effect[0], side.low[0], side.error[0], W, 0.0),
    }


def outside(
    value: float, low: float, error: float, degrees: float, true: float
) -> tuple[bool, bool]:
    """Return whether the interval that ends at low, and that of one look, misses the truth."""
    off = abs(value - true)
    return bool(off > value - low), bool(off > scipy.stats.t.ppf(0.975, degrees) * error)


# -- Topics alone, and scores -------------------------------------------------------------------


def of_topics(studies: int, *, other: bool, topics: int = 200) -> Row:
    """Return the row of a mean over topics that come one by one, raters taken as given."""
    rng = np.random.default_rng(topics + other)
    drawn = rng.standard_t(5, (studies, topics)) if other else rng.normal(size=(studies, topics))
    n = np.arange(1, topics + 1)
    mean = drawn.cumsum(axis=1) / n
    with np.errstate(invalid="ignore", divide="ignore"):
        variance = ((drawn**2).cumsum(axis=1) - n * mean**2) / (n - 1) / n
    t = (mean / np.sqrt(variance))[:, LEAST_UNITS - 1 :]
    p = 2 * scipy.stats.t.sf(np.abs(t), n[LEAST_UNITS - 1 :] - 1)
    missed = np.column_stack([(p < 1 - look_confidence(0.95)).any(axis=1), (p < 0.05).any(axis=1)])
    name = "t with 5 degrees" if other else "normal"
    return row("mean over topics, each topic", f"{LEAST_UNITS} to {topics} topics, {name}", missed)


def of_scores(studies: int, *, systems: int, topics: int = 20, workers: int = 40) -> Row:
    """Return the row of equal systems by scores: those with some false difference."""
    rng = np.random.default_rng(systems)
    missed = []
    for _ in range(studies):
        votes, speaks = scores(rng, systems, topics, workers)
        apart = [False, False]
        for look in looks_at(LEAST_WORKERS, workers, FEW):
            frames = from_scores(votes[votes["worker"] < look], speaks)
            for kind, sequential in enumerate((True, False)):
                found = crossed_means(*frames, sequential=sequential).differences
                apart[kind] |= bool((found["p_adjusted"] <= 0.05).any())
        missed.append(apart)
    size = f"{systems} equal systems, {topics} topics, up to {workers} workers"
    return row(f"some systems called different by scores, {FEW} looks", size, np.array(missed))


def scores(
    rng: np.random.Generator, systems: int, topics: int, workers: int, load: int = 12
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return votes and units of single texts of equal systems, scored by workers who lean."""
    N = topics * systems
    topic, system = np.divmod(np.arange(N), systems)
    worth = rng.laplace(0, 8, N)
    unit = np.concatenate([rng.choice(N, load, replace=False) for _ in range(workers)])
    worker = np.repeat(np.arange(workers), load)
    lean = rng.laplace(0, 4, (workers, systems))[worker, system[unit]]
    score = worth[unit] + lean + rng.normal(0, 15, len(unit)) + rng.normal(0, 10, workers)[worker]
    votes = pd.DataFrame({"worker": worker, "unit": unit, "score": score})
    names = {"unit": np.arange(N), "response": np.arange(N), "topic": topic, "group": system}
    return votes, pd.DataFrame(names)
