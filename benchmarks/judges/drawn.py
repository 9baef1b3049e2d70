"""Judges of known quality beside the people of a drawn study, for benchmarks/judges.

One copies the majority of people but for a tenth of its labels, which are drawn at random; one
always says left; one guesses; others know the merits of the texts more or less, and lean to one
system.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from analysis.stats.arrays import Floats, Ints
from analysis.stats.judges.tables import (
    PeopleVotes,
    Statistic,
    accuracy_of,
    alpha_at,
    kappa_of,
    majority_shares,
)
from benchmarks.simulated_studies import OPTIONS, Study, World, draw

SLIPS = 0.1
LARGE, TIMES = 4000, 12  # topics of a study that says what is true, and how many of these
COPIES, LEFT, GUESSES = JUDGES = ("copies people", "always left", "guesses")
KNOWING: Mapping[str, float] = {"knows something": 1.0, "knows much": 3.0}
LEAN = 0.8  # to one system, of those that know something
STATISTICS: dict[str, Statistic] = {
    "alpha": alpha_at("ordinal", np.arange(3.0)),
    "kappa": kappa_of,
    "accuracy": accuracy_of,
}


@dataclass(frozen=True, eq=False)
class Judged:
    """label (N,): the judge's vote on each pair; left_is_second (N,): swapped sides."""

    label: Ints
    left_is_second: Ints


def sized(topics: int, workers: int) -> str:
    return f"{topics} topics, {workers} workers"


def large(world: World, rng: np.random.Generator) -> Study:
    """Return a study of the same world with very many topics and workers."""
    return draw(replace(world, topics=LARGE, workers=LARGE), rng)


def people_of(study: Study) -> PeopleVotes:
    return PeopleVotes(
        unit=study.item, worker=study.worker, value=study.value,
        slot=np.zeros(len(study.item), dtype=np.int64), topic=study.topic,
        units=tuple(map(str, range(len(study.a)))), options=OPTIONS,
    )  # fmt: skip


def judged(judge: str, study: Study, rng: np.random.Generator) -> Judged:
    """Return the votes of a judge, by its name."""
    N = len(study.a)
    left_is_second, guess = rng.integers(0, 2, N), rng.integers(0, 3, N)
    if judge in KNOWING:
        return Judged(knowing_labels(study, KNOWING[judge], LEAN, rng), left_is_second)
    if judge == GUESSES:
        return Judged(guess, left_is_second)
    if judge == LEFT:
        return Judged(2 * left_is_second, left_is_second)
    counts = np.zeros((N, len(OPTIONS)))
    np.add.at(counts, (study.item, study.value), 1)
    shares = majority_shares(counts)
    copied = (rng.random(N)[:, None] > shares.cumsum(axis=1) + 1e-9).sum(axis=1)
    return Judged(np.where(rng.random(N) < SLIPS, guess, copied), left_is_second)


def knowing_labels(study: Study, knows: float, lean: float, rng: np.random.Generator) -> Ints:
    """One label on each pair, from the merits and a lean to one system, with ties."""
    gap = knows * (study.merit[study.a] - study.merit[study.b])
    gap = gap + lean * (study.system[study.a] - study.system[study.b])
    drawn = rng.random(len(gap))
    first, second = (1 / (1 + np.exp(0.3 - sign * gap)) for sign in (1, -1))
    return np.where(drawn < first, 0, np.where(drawn < 1 - second, 1, 2))


def points(value: Ints) -> Floats:
    """Of the first text."""
    return np.array([1.0, 0.5, 0.0])[value]


def text_scores(study: Study, item: Ints, value: Ints, worker: Ints) -> pd.DataFrame:
    """One row a label and text, in the columns of standing.WORTH."""
    of_first = points(value)
    return pd.DataFrame(
        {
            "worker": np.tile(worker, 2),
            "unit": np.tile(item, 2),
            "at": np.concatenate([2 * item, 2 * item + 1]),
            "text": np.concatenate([study.a[item], study.b[item]]),
            "topic": np.tile(study.topic[item], 2),
            "score": np.concatenate([of_first, 1 - of_first]),
        }
    )
