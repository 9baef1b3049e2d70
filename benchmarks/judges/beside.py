"""Coverage of a judge's preference for a system, and of its agreement on pairs of systems."""

from collections import defaultdict
from functools import partial

import numpy as np
import pandas as pd

from analysis.stats.arrays import Ints
from analysis.stats.judges.agreement import JudgeMeasure
from analysis.stats.judges.biases import Bias
from analysis.stats.judges.judge_comparison import Judge
from benchmarks.coverage.intervals import COPIED, STUDIES, Intervals, Part, Truth, Truths
from benchmarks.judges.drawn import (
    COPIES,
    JUDGES,
    KNOWING,
    TIMES,
    judged,
    large,
    people_of,
    points,
    sized,
)
from benchmarks.reporting import Row
from benchmarks.simulated_studies import OPTIONS, Study, World, draw

SIZES = ((10, 30), (30, 10), (30, 30))  # topics, workers
HELD = (*JUDGES, next(iter(KNOWING)))
PREFERENCE, PART = "preference for a system, less that of people", "same answer where systems meet"


def parts(truth: Truths) -> list[Part]:
    return [partial(of_size, *size, truth) for size in SIZES]


def of_size(topics: int, workers: int, truth: Truths, studies: int = STUDIES) -> list[Row]:
    world = World(topics=topics, workers=workers)
    rng = np.random.default_rng(topics * 1000 + workers + 2)
    found = Intervals()
    for _ in range(studies):
        for (judge, name), got in beside_people(draw(world, rng), rng).items():
            found.add(judge, name, got.low, got.high)
    return found.rows(truth, size=sized(topics, workers), promises={(COPIES, PREFERENCE): COPIED})


def true_values(world: World, rng: np.random.Generator) -> Truths:
    found: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    for _ in range(TIMES):
        for key, got in beside_people(large(world, rng), rng).items():
            found[key].append(got.value)
    return {key: Truth.of(values) for key, values in found.items()}


def beside_people(
    study: Study, rng: np.random.Generator
) -> dict[tuple[str, str], Bias | JudgeMeasure]:
    """Of each judge, by name."""
    people, systems = people_of(study), pd.Series(study.system.astype(str))
    units, votes = np.arange(len(study.a)), labels_of(study, study.item, study.value)
    part = study.system[study.a] != study.system[study.b]
    found: dict[tuple[str, str], Bias | JudgeMeasure] = {}
    for name in HELD:
        mine = labels_of(study, units, judged(name, study, rng).label)
        judge = Judge(
            name=name, labels=mine, asked=mine, people=people, votes=votes,
            numbers=points(np.arange(3)), is_pair=True,
        )  # fmt: skip
        found[name, PREFERENCE] = judge.for_system(systems, "1", 0.95)["difference"]
        found[name, PART] = judge.agreement_on(part, 0.95)
    return found


def labels_of(study: Study, item: Ints, value: Ints) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "unit": item.astype(str), "value": np.array(OPTIONS)[value],
            "topic": study.topic[item], "first": study.a[item], "second": study.b[item],
        }
    )  # fmt: skip
