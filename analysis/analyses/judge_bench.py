"""People on one question, with whom each LLM judge is compared."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from analysis.analyses.conditions import PAIRS
from analysis.inputs.analysis_input import AnalysisInput
from analysis.inputs.machine_calls import JudgeData
from analysis.inputs.measures import Does, Measure
from analysis.stats.arrays import Floats
from analysis.stats.judges import comparators, system_ranking
from analysis.stats.judges.agreement import JudgeMeasure, judge_measure
from analysis.stats.judges.orientation import oriented
from analysis.stats.judges.tables import (
    PeopleVotes,
    Statistic,
    Tables,
    accuracy_of,
    alpha_at,
    kappa_of,
)
from judging.items.kinds import Holds, item_kind

ENDS = ("alpha", "accuracy", "kappa")
CEILINGS = ("two directions", "split halves", "leave one out")
Rows = Iterator[tuple[str, dict[str, Any]]]


@dataclass(frozen=True)
class Bench:
    """Votes of people on one question, and what is computed of each judge beside them."""

    measure: Measure
    votes: pd.DataFrame  # of people, oriented
    people: PeopleVotes
    beside: JudgeData
    confidence: float
    seed: int

    @property
    def is_pair(self) -> bool:
        return compares_pairs(self.measure)

    @cached_property
    def statistics(self) -> dict[str, Statistic]:
        scores = [option.score for option in self.measure.options]
        numbers = self.measure.level in ("interval", "ratio")
        positions = np.array(scores if numbers else range(len(scores)), dtype=np.float64)
        alpha = alpha_at(self.measure.level, positions)
        return {"alpha": alpha, "accuracy": accuracy_of, "kappa": kappa_of}

    @cached_property
    def numbers(self) -> Floats | None:
        """The value of each label; None if labels have no order."""
        measure = self.measure
        if self.is_pair:
            signs = [measure.outcomes[label] for label in measure.labels]
            return (np.array(signs, dtype=np.float64) + 1) / 2
        if measure.does == Does.SCORES:
            return np.array([option.score for option in measure.options], dtype=np.float64)
        if measure.positive:
            return np.array([label in measure.positive for label in measure.labels], dtype=float)
        return None

    @cached_property
    def texts(self) -> pd.DataFrame:
        return self.beside.texts.set_index("response")

    def worth(self, labels: pd.DataFrame) -> pd.DataFrame:
        assert self.numbers is not None
        numbers = dict(zip(self.measure.labels, self.numbers.tolist(), strict=True))
        return system_ranking.worth_of(labels, numbers, is_pair=self.is_pair)


def compares_pairs(measure: Measure) -> bool:
    return measure.does == Does.COMPARES and measure.kind in PAIRS


def labels_of(frame: pd.DataFrame, measure: Measure) -> pd.DataFrame:
    """Return votes in one orientation; those on one text have it as `a` if an item holds one."""
    if not compares_pairs(measure):
        subject = item_kind(measure.kind).subject
        has_subject = subject.holds == Holds.RESPONSE and subject.name in frame
        frame = frame.assign(a=frame[subject.name] if has_subject else None, b=None)
    return oriented(frame, turns=compares_pairs(measure))


def bench_of(data: AnalysisInput) -> Bench:
    assert data.beside is not None  # it reads judges beside people
    votes = labels_of(data.beside.people, data.measure)
    return Bench(
        measure=data.measure,
        votes=votes,
        people=PeopleVotes.of(votes, options=data.options),
        beside=data.beside,
        confidence=data.confidence,
        seed=data.seed,
    )


def ends_of(measures: Mapping[str, JudgeMeasure]) -> dict[str, Any]:
    return {
        f"{name}{end}": getattr(measure, attribute)
        for name, measure in measures.items()
        for end, attribute in (("", "value"), ("_low", "low"), ("_high", "high"))
    }


def measures_of_tables(bench: Bench, tables: Tables, **how: Any) -> dict[str, JudgeMeasure]:
    return {
        name: judge_measure(tables, statistic, name=name, confidence=bench.confidence, **how)
        for name, statistic in bench.statistics.items()
    }


# -- People among themselves ----------------------------------------------------------------------


def ceilings(bench: Bench) -> Rows:
    both = PeopleVotes.of(bench.votes, options=bench.measure.labels, directions=True)
    made = (
        Tables.of(both, comparators.two_directions, slots=2),
        Tables.of(bench.people, comparators.split_halves(bench.seed)),
        Tables.of(bench.people, comparators.leave_one_out),
    )
    for name, tables in zip(CEILINGS, made, strict=True):
        if name == "two directions" and not bench.is_pair:
            continue
        if not len(tables.T):
            yield "undefined", {"judge": "", "table": name, "reason": _NO_CEILING[name]}
            continue
        measures = measures_of_tables(bench, tables, of_people=True)
        first = measures["alpha"]
        yield "ceiling", {
            "against": name, **ends_of(measures), "items": first.units, "workers": first.workers,
            "over": first.over,
        }  # fmt: skip
        for why in dict.fromkeys(measure.why for measure in measures.values() if measure.why):
            yield "undefined", {"judge": "", "table": name, "reason": why}


_NO_CEILING = {
    "two directions": "People cannot be compared across the two directions because no pair was "
    "judged in both.",
    "split halves": "People cannot be split into halves because no item has two votes.",
    "leave one out": "No person can be compared with the others because no item has two votes.",
}
