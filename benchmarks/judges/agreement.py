"""Coverage of the agreement between a judge and people, and between people.

It includes how often a judge is reported to know more than its habits.
"""

from collections import defaultdict
from functools import partial

import numpy as np

from analysis.stats.judges import comparators
from analysis.stats.judges.agreement import judge_measure
from analysis.stats.judges.biases import share
from analysis.stats.judges.permutation_null import habits_alone
from analysis.stats.judges.tables import PeopleVotes, Tables, majority_shares
from benchmarks.coverage.intervals import ALWAYS, STUDIES, Intervals, Part, Promise, Truth, Truths
from benchmarks.judges.drawn import (
    COPIES,
    GUESSES,
    JUDGES,
    LEFT,
    SLIPS,
    STATISTICS,
    TIMES,
    Judged,
    judged,
    large,
    people_of,
    sized,
)
from benchmarks.reporting import Row
from benchmarks.simulated_studies import World, draw

SIZES = ((10, 30), (30, 10), (30, 30), (30, 40), (65, 100))  # topics, workers
NULLS = 50  # studies in which it is asked whether a judge knows more than its habits
LEAST_PEOPLE = 40  # from so many on people have an interval beside people
LEFTS = "left side, of labels that choose"
CEILING = "people against people"
CEILINGS = {"split halves": comparators.split_halves(), "leave one out": comparators.leave_one_out}


def parts(truth: Truths) -> list[Part]:
    return [partial(of_size, *size, truth) for size in SIZES]


def of_size(topics: int, workers: int, truth: Truths, studies: int = STUDIES) -> list[Row]:
    world = World(topics=topics, workers=workers)
    rng = np.random.default_rng(topics * 1000 + workers)
    found = Intervals()
    known: defaultdict[str, list[float]] = defaultdict(list)
    for number in range(studies):
        study = draw(world, rng)
        people = people_of(study)
        if workers >= LEAST_PEOPLE:
            for name, make in CEILINGS.items():
                held = Tables.of(people, make)
                got = judge_measure(held, STATISTICS["alpha"], name="alpha", of_people=True)
                found.add(CEILING, name, got.low, got.high)
        for judge in JUDGES:
            said = judged(judge, study, rng)
            alpha = of_judge(found, judge, people, said)
            if number < NULLS:
                known[judge].append(knows_more(people, said, alpha, seed=number))
    size = sized(topics, workers)
    promises: dict[tuple[str, str], Promise] = {(LEFT, LEFTS): ALWAYS}
    return found.rows(truth, size=size, promises=promises) + [
        Row(
            what=f"{judge}: said to know more than its habits", n=size,
            ours=100 * float(np.mean(known[judge])), unit="%",
            remark=f"of {NULLS} studies, p ≤ .05",
        )
        for judge in JUDGES
    ]  # fmt: skip


def of_judge(found: Intervals, judge: str, people: PeopleVotes, said: Judged) -> float:
    """Add the intervals of a judge in one study; return its alpha."""
    held, reached = Tables.of(people, comparators.judge(np.eye(3)[said.label])), {}
    for name, statistic in STATISTICS.items():
        got = judge_measure(held, statistic, name=name)
        reached[name] = got.value
        found.add(judge, name, got.low, got.high)
    decided = (said.label != 1).astype(float)
    lefts = decided * (said.label == 2 * said.left_is_second)
    habit = share(lefts, decided, people.topic, name="left")
    found.add(judge, LEFTS, habit.low, habit.high)
    return reached["alpha"]


def knows_more(people: PeopleVotes, said: Judged, alpha: float, *, seed: int) -> bool:
    """Whether the page would say that it knows more than its habits."""
    null = habits_alone(
        label=said.label, left_is_second=said.left_is_second,
        gold=majority_shares(people.counts()[:, 0]), weight=np.ones(len(said.label)), ends=(0, 2),
        statistics={"alpha": STATISTICS["alpha"]}, reached={"alpha": alpha}, seed=seed,
    )  # fmt: skip
    return null["alpha"].p <= 0.05


def true_values(world: World, rng: np.random.Generator) -> Truths:
    """Return the true values of each judge and of people, for any size of study."""
    found: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    for _ in range(TIMES):
        people = people_of(large(world, rng))
        counts, every = people.counts(), np.arange(len(people.units))
        gold = majority_shares(counts[:, 0])
        guess = np.outer(np.full(3, 1 / 3), gold.sum(axis=0))
        expected = {
            COPIES: (1 - SLIPS) * gold.T @ gold + SLIPS * guess,
            LEFT: np.outer([0.5, 0, 0.5], gold.sum(axis=0)),
            GUESSES: guess,
        }
        for judge, T in expected.items():
            for name, statistic in STATISTICS.items():
                found[judge, name].append(float(statistic(T[None])[0]))
            found[judge, LEFTS].append(1.0 if judge == LEFT else 0.5)
        for name, make in CEILINGS.items():
            T = make(counts, every).sum(axis=0)
            found[CEILING, name].append(float(STATISTICS["alpha"](T[None])[0]))
    return {key: Truth.of(values) for key, values in found.items()}
