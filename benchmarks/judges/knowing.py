"""How far a judge ranks the texts of a topic as people do, and how many votes a label is worth."""

from collections import defaultdict
from functools import partial

import numpy as np

from analysis.stats.arrays import Ints
from analysis.stats.judges.system_ranking import texts_alike
from analysis.stats.judges.vote_worth import VoteWorth, votes_worth
from benchmarks.coverage.intervals import END, STUDIES, Intervals, Part, Truth, Truths
from benchmarks.judges.drawn import (
    COPIES,
    GUESSES,
    KNOWING,
    LEFT,
    TIMES,
    judged,
    large,
    points,
    sized,
    text_scores,
)
from benchmarks.reporting import Row
from benchmarks.simulated_studies import Study, World, draw

SIZES = ((10, 30), (30, 10), (30, 30), (65, 100))  # topics, workers
TAU, WORTH = "tau of texts", "worth in votes"


def parts(truth: Truths) -> list[Part]:
    return [partial(of_size, *size, truth) for size in SIZES]


def of_size(topics: int, workers: int, worth: Truths, studies: int = STUDIES) -> list[Row]:
    world = World(topics=topics, workers=workers)
    rng = np.random.default_rng(topics * 1000 + workers + 1)
    found = Intervals()
    taus: defaultdict[str, list[float]] = defaultdict(list)
    for _ in range(studies):
        study = draw(world, rng)
        people = text_scores(study, study.item, study.value, study.worker)
        every = np.arange(len(study.a))
        for judge in (COPIES, LEFT, GUESSES, *KNOWING):
            label = judged(judge, study, rng).label
            mine = text_scores(study, every, label, np.zeros_like(every))
            alike = texts_alike(mine, people, confidence=0.95)
            taus[judge].append(alike.tau)
            found.add(judge, TAU, alike.low, alike.high)
            votes = worth_of(study, label)
            found.add(judge, WORTH, votes.low, votes.high)
    # How far a topic is ranked alike depends on how many votes are behind a text, and by how many
    # people: what is true is what such studies say on average.
    truth = {(judge, TAU): Truth.of(each) for judge, each in taus.items()} | worth
    promises = {(judge, WORTH): END for judge in (COPIES, LEFT, GUESSES)}
    return found.rows(truth, size=sized(topics, workers), promises=promises)


def worth_of(study: Study, label: Ints) -> VoteWorth:
    return votes_worth(
        judge=2 * points(label) - 1, cluster=study.topic, unit=study.item, worker=study.worker,
        number=2 * points(study.value) - 1, symmetric=True,
    )  # fmt: skip


def true_values(world: World, rng: np.random.Generator) -> Truths:
    """Return true values: an ignorant judge is worth nothing, a copying one any number."""
    votes: defaultdict[str, list[float]] = defaultdict(list)
    for _ in range(TIMES):
        study = large(world, rng)
        for judge in KNOWING:
            votes[judge].append(worth_of(study, judged(judge, study, rng).label).votes)
    return {(judge, WORTH): Truth.of(each) for judge, each in votes.items()} | {
        (COPIES, WORTH): Truth(float("inf")),
        (LEFT, WORTH): Truth(0.0),
        (GUESSES, WORTH): Truth(0.0),
    }
