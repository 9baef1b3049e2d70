"""Whether the intervals of a judge that copies people are wide because it copies these very people.

`python -m benchmarks.judges copying`. One judge copies the people that it is compared with, another
one copies other people of the same world, who judged the same pairs. The labels of the first move
with the people it is compared with, who are left out without their part of its labels.
"""

import time
from collections import defaultdict

import numpy as np

from analysis.stats.arrays import Ints
from analysis.stats.judges.judge_comparison import Judge
from analysis.stats.judges.system_ranking import texts_alike
from benchmarks.coverage.intervals import USUAL, Intervals, Truth
from benchmarks.judges.beside import PART, labels_of
from benchmarks.judges.drawn import COPIES, judged, people_of, points, sized, text_scores
from benchmarks.judges.knowing import TAU
from benchmarks.reporting import Row, load_now, report
from benchmarks.simulated_studies import Study, World, draw, vote

SIZES = ((10, 30), (30, 30))  # topics, workers
STUDIES = 4000
THESE, OTHERS = "copies these people", "copies other people"
NOTE = (
    "Coverage in % of intervals at 95 % over {:,} simulated studies (standard error .3), of those "
    "in which one is offered. What is true is the mean of the studies. All of it took {:.0f} "
    "minutes of the processor."
)
Found = dict[tuple[str, str], tuple[float, float, float]]  # value, low, high of judge and number


def report_copying() -> None:
    load, began = load_now(), time.process_time()
    rows = [row for size in SIZES for row in of_size(*size)]
    minutes = (time.process_time() - began) / 60
    report("judges copying", rows, load=load, notes=(NOTE.format(STUDIES, minutes),))


def of_size(topics: int, workers: int, studies: int = STUDIES) -> list[Row]:
    world = World(topics=topics, workers=workers)
    rng = np.random.default_rng(topics * 1000 + workers + 4000)
    found, values = Intervals(), defaultdict[tuple[str, str], list[float]](list)
    for _ in range(studies):
        for key, (value, low, high) in copied(world, rng).items():
            found.add(*key, low, high)
            values[key].append(value)
    truth = {key: Truth.of(each) for key, each in values.items()}
    promises = dict.fromkeys(truth, USUAL)
    return found.rows(truth, size=sized(topics, workers), promises=promises)


def copied(world: World, rng: np.random.Generator) -> Found:
    """Of one study, for both judges."""
    study = draw(world, rng)
    other = vote(world, study.merit, rng)
    found: Found = {}
    for name, source in ((THESE, study), (OTHERS, other)):
        found |= _of_judge(name, judged(COPIES, source, rng).label, study)
    return found


def _of_judge(name: str, label: Ints, study: Study) -> Found:
    every = np.arange(len(study.a))
    mine = labels_of(study, every, label)
    judge = Judge(
        name=name, labels=mine, asked=mine, people=people_of(study),
        votes=labels_of(study, study.item, study.value), numbers=points(np.arange(3)), is_pair=True,
    )  # fmt: skip
    part = judge.agreement_on(study.system[study.a] != study.system[study.b], 0.95)
    people = text_scores(study, study.item, study.value, study.worker)
    alike = texts_alike(
        text_scores(study, every, label, np.zeros_like(every)), people, confidence=0.95
    )
    return {
        (name, PART): (part.value, part.low, part.high),
        (name, TAU): (alike.tau, alike.low, alike.high),
    }
