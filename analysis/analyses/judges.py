"""LLM judges compared with people."""

from collections.abc import Iterator
from typing import Any

import pandas as pd

from analysis.analyses.conditions import to_options
from analysis.analyses.judge_bench import Bench, bench_of, ceilings, labels_of
from analysis.analyses.judge_rows import COLUMNS, rows_of
from analysis.inputs.analysis_input import AnalysisInput, Tables, table_of
from analysis.inputs.columns import COUNT, SHARE, TWO_DIGITS, Column, NumberFormat, P
from analysis.inputs.definition import Analysis, Reads
from analysis.inputs.machine_calls import MODELS
from analysis.inputs.measures import Measure
from analysis.stats.errors import CannotCompute
from analysis.stats.judges.judge_comparison import Judge


def to_judges(measure: Measure) -> bool:
    """Return whether models have answered by options."""
    return measure.pool == MODELS and to_options(measure) and not measure.per_slot


def judges(data: AnalysisInput) -> Tables:
    """Return tables that compare each model with people on one question, in one orientation."""
    bench = bench_of(data)
    if bench.votes.empty:
        raise CannotCompute(
            "no_people", "Judges cannot be held against people because no person has answered."
        )
    rows: dict[str, list[dict[str, Any]]] = {name: [] for name in COLUMNS}
    for name, row in ceilings(bench):
        rows[name].append(row)
    for judge in _judges(bench, data.frame):
        for name, row in rows_of(bench, judge):
            rows[name].append(row)
    return {
        name: table_of(columns, [[row.get(column) for column in columns] for row in rows[name]])
        for name, columns in COLUMNS.items()
    }


def _judges(bench: Bench, frame: pd.DataFrame) -> Iterator[Judge]:
    for name, rows in frame.groupby("worker", sort=True):
        labels = labels_of(rows, bench.measure)
        calls = bench.beside.calls
        calls = calls[(calls["worker"] == name) & calls["value"].notna()]
        call_labels = labels_of(calls, bench.measure) if len(calls) else labels
        yield Judge(
            name=str(name), labels=labels, asked=call_labels, people=bench.people,
            votes=bench.votes, numbers=bench.numbers, is_pair=bench.is_pair,
        )  # fmt: skip


# Of shares; elsewhere people have scores.
OF_SHARES = {
    "people": Column("People", NumberFormat.SHARE),
    "difference": Column("Difference", NumberFormat.SHARE),
}

ANALYSIS = Analysis(
    name="judges",
    title="Judges beside people",
    answers="Which judge can be trusted, and how far?",
    assumes="People are a draw from those whose judgment is wanted, and topics from those one "
    "wants to speak about.",
    reads=Reads.BESIDE_PEOPLE,
    applies=to_judges,
    function=judges,
    columns={
        "judge": Column("Judge"),
        "alpha": Column("Alpha"),
        "accuracy": Column("Same as people", NumberFormat.SHARE),
        "kappa": Column("Cohen’s kappa"),
        "null": Column("Alpha by habits alone"),
        "p": P,
        "items": COUNT,
        "workers": Column("People", NumberFormat.WHOLE),
        "against": Column("People against people"),
        "share": SHARE,
        "people": Column("People"),
        "labels": COUNT,
        "people_say": Column("People say"),
        "tau": Column("Kendall’s tau-b"),
        "of": Column("Ranking of"),
        "ranked": COUNT,
        "topics": COUNT,
        "score": Column("Score by the judge"),
        "people_score": Column("Score by people"),
        "place": Column("Place by the judge", NumberFormat.TWO),
        "people_place": Column("Place by people", NumberFormat.TWO),
        "votes": Column("Votes of a person that a label is worth", NumberFormat.TWO),
        "reliability": Column("Reliability of one vote"),
        "r2": Column("R²"),
        "value": Column("Prediction-powered score"),
        "tuning": Column("Tuning λ", NumberFormat.TWO),
        "gain": Column("As if so many times as many", NumberFormat.TWO),
        "units": COUNT,
        "more": Column("More by the judge alone", NumberFormat.ROUNDED),
        "calls": COUNT,
        "cost": Column("Cost", NumberFormat.THREE),
        "cost_of_item": Column("Cost of an item", NumberFormat.THREE),
        "cost_of_vote": Column("Cost of one person’s vote", NumberFormat.THREE),
        "difference": TWO_DIGITS,
    },
    published=False,
    table_columns={"habits": OF_SHARES, "systems": OF_SHARES},
)
