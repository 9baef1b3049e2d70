"""Scale of merits: what a true difference of 1 logit is estimated as, and what it means in votes.

The truth of a text is the merit that very many votes of other workers like these give it. Two
generators: that of simulated_studies.py, and one with probit votes, skewed texts, tastes with long
tails, careless workers, uneven loads and missing pairs.
"""

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from analysis.stats.arrays import Floats, Ints
from analysis.stats.bradley_terry.comparisons import Comparisons
from analysis.stats.bradley_terry.merit_errors import merit_errors
from analysis.stats.bradley_terry.merits import MeritsResult, fit_merits
from analysis.stats.bradley_terry.tie_models import TieModelName
from benchmarks.coverage.intervals import MOST, coverage_row
from benchmarks.reporting import Row
from benchmarks.simulated_studies import World, draw, vote

STUDIES, CROWDS = 500, 25  # a set of texts is judged by so many crowds
TOPICS, WORKERS = 30, 30
MANY, SHARED_VOTES = 200, 40  # votes a pair behind the truth, and behind the share of votes
NEAR = 0.2  # pairs whose true difference is so near 1
SHARE_LEAST, SHARE_MOST = 71.0, 75.0
SCALE_LEAST, SCALE_MOST = 93.0, 107.0
ENOUGH = 5  # comparisons of a text, from which the scale is promised
NOTE = (
    f"{STUDIES} simulated studies each, {STUDIES // CROWDS} sets of texts; coverage in % of 95 % "
    "intervals, standard error 1. The scale is the mean estimate for pairs of texts that are "
    "truly .8 to 1.2 apart, in % of the mean true difference; remarks have that of maximum "
    "likelihood with a ridge of .2, the former estimate. It is promised from five comparisons of "
    "a text on. With one vote a pair intervals of merits may cover more. Other generator: probit "
    "votes, skewed texts, tastes with long tails, one worker in ten careless, uneven loads, a "
    "fifth of the pairs missing."
)
Votes = Callable[[int, bool, np.random.Generator], pd.DataFrame]  # votes a pair, whether ties


@dataclass(frozen=True)
class Texts:
    """Texts, each of system 0 or 1 (R,), and a way to draw votes on their pairs."""

    system: Ints
    votes: Votes


def own(responses: int, tie: float, rng: np.random.Generator) -> Texts:
    world = World(topics=TOPICS, workers=WORKERS, responses=responses, tie=tie, difference=1.0)
    study = draw(world, rng)

    def votes(number: int, ties: bool, rng: np.random.Generator) -> pd.DataFrame:
        crowd = max(WORKERS, number * WORKERS // 5)
        drawn_from = replace(world, votes=number, workers=crowd, tie=tie if ties else 0.0)
        return vote(drawn_from, study.merit, rng).comparisons()

    return Texts(study.system, votes)


def other(responses: int, tie: float, rng: np.random.Generator) -> Texts:
    system = np.tile(np.arange(responses) % 2, TOPICS)
    merit = 0.6 * system + 0.5 * (rng.gamma(2, size=len(system)) - 2) / 2**0.5
    i, j = np.triu_indices(responses, 1)
    first = np.repeat(np.arange(TOPICS) * responses, len(i))
    a, b = first + np.tile(i, TOPICS), first + np.tile(j, TOPICS)
    present = rng.random(len(a)) < 0.8
    a, b = a[present], b[present]

    def votes(number: int, ties: bool, rng: np.random.Generator) -> pd.DataFrame:
        crowd = max(WORKERS, number * WORKERS // 5)
        load = rng.exponential(size=crowd) + 0.2
        item = np.repeat(np.arange(len(a)), number)
        worker = _unlike(load, len(a), number, rng)
        lean = 0.3 * rng.laplace(size=crowd)
        sharp = np.exp(rng.normal(0, 0.3, crowd)) * (rng.random(crowd) > 0.1)
        gap = (merit[a] - merit[b])[item] + lean[worker] * (system[a] - system[b])[item]
        felt = sharp[worker] * gap + rng.normal(size=len(item))
        middle = 0.6 * tie if ties else 0.0
        outcome = np.where(felt > middle, "a", np.where(felt < -middle, "b", "tie"))
        return pd.DataFrame(
            {"problem": a[item] // responses, "a": a[item], "b": b[item], "outcome": outcome,
             "worker": worker}
        )  # fmt: skip

    return Texts(system, votes)


def _unlike(load: Floats, items: int, number: int, rng: np.random.Generator) -> Ints:
    """Return different workers for the votes on each item, those with more load more often."""
    race = rng.exponential(size=(items, len(load))) / load
    return np.argpartition(race, number - 1, axis=1)[:, :number].ravel()


WORLDS = [
    (name, texts, responses, tie, votes)
    for name, texts in (("own generator", own), ("other generator", other))
    for responses, tie, votes in (
        (4, 0.6, 3),
        (4, 0.6, 5),
        (6, 0.6, 1),
        (6, 0.6, 3),
        (6, 0.6, 5),
        (6, 0.0, 1),
        (6, 0.0, 3),
    )
]


def rows(studies: int) -> Iterator[Row]:
    for seed, (name, texts, responses, tie, votes) in enumerate(WORLDS):
        rng = np.random.default_rng(seed)
        scale = Scale()
        for _ in range(max(1, studies // CROWDS)):
            scale.add(texts(responses, tie, rng), votes, rng)
        size = f"{name}, {responses} texts, {votes} vote{'s' * (votes > 1)} a pair"
        size += ", ties" if tie else ", no ties"
        enough = votes * (responses - 1) * (0.8 if texts is other else 1) >= ENOUGH
        yield from scale.rows(size, votes=votes, enough=enough)


class Scale:
    """True and estimated differences, votes, and hits of intervals."""

    def __init__(self) -> None:
        self.true = self.estimated = self.former = 0.0
        self.share: list[bool] = []
        self.hits: list[float] = []

    def add(self, texts: Texts, votes: int, rng: np.random.Generator) -> None:
        truth = fitted(texts.votes(MANY, True, rng))
        merit = dict(zip(truth.comparisons.responses, truth.merits.tolist(), strict=True))
        self._count_votes(texts.votes(SHARED_VOTES, False, rng), merit)
        for _ in range(CROWDS):
            self._compare(texts.votes(votes, True, rng), merit)

    def _count_votes(self, frame: pd.DataFrame, merit: dict[Hashable, float]) -> None:
        gap = frame["a"].map(merit) - frame["b"].map(merit)
        near = (gap.abs() - 1).abs() < NEAR
        self.share += ((frame["outcome"] == "a") == (gap > 0))[near].tolist()

    def _compare(self, frame: pd.DataFrame, merit: dict[Hashable, float]) -> None:
        result = fitted(frame)
        comparisons = result.comparisons
        former = fit_merits(comparisons, ties=result.ties, tie_parameter="estimated").merits
        true = np.array([merit[response] for response in comparisons.responses])
        a, b = np.unique(np.column_stack([comparisons.a, comparisons.b]), axis=0).T
        gap = true[a] - true[b]
        near = np.abs(np.abs(gap) - 1) < NEAR
        way = np.sign(gap[near])
        self.true += float(np.abs(gap[near]).sum())
        self.estimated += float(((result.merits[a] - result.merits[b])[near] * way).sum())
        self.former += float(((former[a] - former[b])[near] * way).sum())
        errors = merit_errors(result, workers=frame["worker"].tolist())
        level = np.bincount(comparisons.entry_problem, weights=true) / comparisons.sizes
        centred, offered = true - level[comparisons.entry_problem], ~np.isnan(errors.low)
        inside = (errors.low <= centred) & (centred <= errors.high)
        self.hits.append(float(inside[offered].mean()) if offered.any() else np.nan)

    def rows(self, size: str, *, votes: int, enough: bool) -> Iterator[Row]:
        now, before = (100 * x / self.true for x in (self.estimated, self.former))
        yield coverage_row(
            "estimate of a true difference of 1",
            size,
            now,
            least=SCALE_LEAST if enough else None,
            most=SCALE_MOST if enough else None,
            remark=f"former {before:.0f}",
        )
        yield coverage_row(
            "votes for a text that is 1 ahead",
            size,
            100 * float(np.mean(self.share)),
            least=SHARE_LEAST,
            most=SHARE_MOST,
        )
        share = 100 * float(np.nanmean(self.hits))
        yield coverage_row("merits in a topic", size, share, most=MOST if votes > 1 else None)


def fitted(frame: pd.DataFrame) -> MeritsResult:
    comparisons = Comparisons.from_frame(frame)
    ties = bool((frame["outcome"] == "tie").any())
    model: TieModelName = "rao-kupper" if ties else "none"
    return fit_merits(comparisons, ties=model, tie_parameter="estimated", ridge="firth")
