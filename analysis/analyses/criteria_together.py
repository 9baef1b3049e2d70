"""Agreement of LLM judges and people over the scores of all criteria of a method in one list.

As RAGElo does: the ratings of all criteria are flattened into one list each, by judge and people.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from analysis.analyses.score_pairs import NO_RANK_INTERVAL, to_machine_scores
from analysis.inputs.analysis_input import AnalysisInput, Tables, table_of
from analysis.inputs.columns import BESIDE_PEOPLE, COUNT, TAU, Column
from analysis.inputs.definition import Analysis, Reads
from analysis.inputs.measures import Measure
from analysis.stats.effects.method_comparison import (
    LEAST_GROUPS,
    NotTwoMeasures,
    bland_altman,
    rank_correlations,
)
from analysis.stats.errors import CannotCompute

COLUMNS = {
    "together": (
        "judge", "method", "criteria", "n", "topics", "rho", "rho_low", "rho_high", "tau",
        "tau_low", "tau_high", "difference", "sd", "lower_limit", "upper_limit",
    ),
    "undefined": ("judge", "method", "reason"),
}  # fmt: skip
Rows = Iterator[tuple[str, dict[str, Any]]]


def criteria_together(data: AnalysisInput) -> Tables:
    """Return tau-b, rho and limits of agreement over the scores of all criteria of a method."""
    rows: dict[str, list[dict[str, Any]]] = {name: [] for name in COLUMNS}
    for method, measures in _methods(data.measures).items():
        for judge, units in _judges(data, [measure.key for measure in measures]):
            about = {"judge": judge, "method": method}
            for name, row in _compared(units, data.confidence):
                rows[name].append(about | {"criteria": len(measures)} | row)
    if not any(rows.values()):
        raise CannotCompute(
            "no_common_scores",
            "Scores cannot be compared over all criteria because no item has scores by a "
            "model and by people on two criteria of the same scale.",
        )
    return {
        name: table_of(columns, [[row.get(column) for column in columns] for row in rows[name]])
        for name, columns in COLUMNS.items()
    }


def _methods(measures: Sequence[Measure]) -> Mapping[str, Sequence[Measure]]:
    """Return the measures of each method with two or more on the same scale."""
    by_scale: dict[tuple[str, tuple[str, ...]], list[Measure]] = {}
    for measure in measures:
        by_scale.setdefault((measure.instrument, measure.labels), []).append(measure)
    return {method: each for (method, _), each in by_scale.items() if len(each) > 1}


def _judges(data: AnalysisInput, keys: Sequence[str]) -> Iterator[tuple[str, pd.DataFrame]]:
    """Yield each model with its answers: topic, score, people; one row an item and criterion."""
    assert data.beside is not None  # it reads judges beside people
    unit = ["item", "question"]
    people = data.beside.people.groupby(unit)["score"].mean().rename("people").dropna()
    ours = data.frame[data.frame["question"].isin(keys)]
    for judge, answers in ours.groupby("worker", sort=True):
        means = answers.groupby(unit).agg(topic=("topic", "first"), score=("score", "mean"))
        units = means.dropna(subset="score").join(people, how="inner").reset_index()
        if units["question"].nunique() > 1:
            yield str(judge), units


def _compared(units: pd.DataFrame, confidence: float) -> Rows:
    topics = units["topic"].nunique()
    groups = list(units["topic"])
    try:
        ranks = rank_correlations(
            units["score"], units["people"], groups=groups, confidence=confidence
        )
        limits = bland_altman(units["score"], units["people"], confidence=confidence)
    except NotTwoMeasures as reason:
        yield "undefined", {"reason": str(reason)}
        return
    yield (
        "together",
        vars(ranks)
        | {
            "n": len(units),
            "topics": topics,
            "difference": limits.bias,
            "sd": limits.sd,
            "lower_limit": limits.lower_limit,
            "upper_limit": limits.upper_limit,
        },
    )
    if topics < LEAST_GROUPS:
        why = NO_RANK_INTERVAL.format(least=LEAST_GROUPS, topics=topics)
        yield "undefined", {"reason": why}


ANALYSIS = Analysis(
    name="criteria_together",
    title="Scores of all criteria by LLM judges and people",
    answers="How close are scores by LLM judges and people, over all criteria?",
    assumes="Criteria of a method share a scale and have equal weight.",
    reads=Reads.ALL_BESIDE_PEOPLE,
    applies=to_machine_scores,
    function=criteria_together,
    least=2,
    columns={
        "method": Column("Method"),
        "criteria": COUNT,
        "rho": Column("Spearman's rho", interval=("rho_low", "rho_high")),
        "tau": replace(TAU, interval=("tau_low", "tau_high")),
        "difference": Column(meaning=BESIDE_PEOPLE),
    },
    published=False,
)
