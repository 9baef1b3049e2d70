"""LLM judges compared with people."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pandas as pd

from analysis.analyses.conditions import to_options
from analysis.analyses.judge_bench import Bench, bench_of, ceilings, labels_of
from analysis.analyses.judge_claims import adjust_claims
from analysis.analyses.judge_likeness import corrected
from analysis.analyses.judge_rows import COLUMNS, rows_of
from analysis.analyses.manipulation import PAIR_COLUMNS
from analysis.inputs.analysis_input import AnalysisInput, Tables, table_of
from analysis.inputs.columns import (
    ALPHA,
    BESIDE_PEOPLE,
    COUNT,
    HABITS_ALONE,
    INTERVAL,
    SHARE,
    Column,
    NumberFormat,
)
from analysis.inputs.definition import Analysis, Reads
from analysis.inputs.machine_calls import MODELS
from analysis.inputs.measures import Measure
from analysis.stats.errors import CannotCompute
from analysis.stats.judges.judge_comparison import Judge
from annotation.texts.sentences import marked


def to_judges(measure: Measure) -> bool:
    """Return whether models have answered by options."""
    return measure.pool == MODELS and to_options(measure) and not measure.per_slot


def judges(data: AnalysisInput) -> Tables:
    """Return tables that compare each model with people on one question, in one orientation."""
    bench = bench_of(data)
    if bench.votes.empty:
        raise CannotCompute(
            "no_people", "No one has voted, so judges cannot be compared with people."
        )
    rows: dict[str, list[dict[str, Any]]] = {name: [] for name in COLUMNS}
    for name, row in ceilings(bench):
        rows[name].append(row)
    for judge in _judges(bench, data.frame):
        for name, row in rows_of(bench, judge):
            rows[name].append(row)
    adjust_claims(rows)
    rows["likeness"] = corrected(rows["likeness"])
    return {
        name: table_of(columns, [[row.get(column) for column in columns] for row in rows[name]])
        for name, columns in COLUMNS.items()
    }


def _judges(bench: Bench, frame: pd.DataFrame) -> Iterator[Judge]:
    """Yield each judge with labels or calls: all labels of a judge may be discarded."""
    for name in sorted({*frame["worker"], *bench.beside.calls["worker"]}):
        labels = labels_of(frame[frame["worker"] == name], bench.measure)
        calls = bench.beside.calls
        calls = calls[(calls["worker"] == name) & calls["value"].notna()]
        call_labels = labels_of(calls, bench.measure) if len(calls) else labels
        yield Judge(
            name=str(name), labels=labels, asked=call_labels, people=bench.people,
            votes=bench.votes, numbers=bench.numbers, is_pair=bench.is_pair,
        )  # fmt: skip


# Of shares; elsewhere people have scores.
ADJUSTED = Column(
    "Adjusted p", NumberFormat.CHANCE,
    marked("p-value, Holm-adjusted for all judges of the question"),
)  # fmt: skip
_PEOPLE = Column(form=NumberFormat.SHARE)
_BETWEEN = Column(form=NumberFormat.SHARE, meaning=BESIDE_PEOPLE, interval=INTERVAL)


ANALYSIS = Analysis(
    name="judges",
    title="LLM judges and people",
    answers="Which judge agrees with people, and how much?",
    assumes="People and topics are random samples.",
    reads=Reads.BESIDE_PEOPLE,
    applies=to_judges,
    function=judges,
    columns={
        "alpha": Column(meaning=ALPHA, interval=("alpha_low", "alpha_high")),
        "accuracy": Column("Same as people", NumberFormat.SHARE,
                           interval=("accuracy_low", "accuracy_high")),
        "kappa": Column("Cohen's kappa",
                        meaning=marked("chance-corrected agreement between two raters"),
                        interval=("kappa_low", "kappa_high")),
        "null": Column("Baseline alpha", meaning=HABITS_ALONE,
                       interval=("null_low", "null_high")),
        "p_adjusted": ADJUSTED,
        "over_person": Column("Advantage over one person",
                              meaning=marked(
                                  "alpha with the other people: judge minus held-out "
                                  "person, averaged over votes"),
                              interval=("over_person_low", "over_person_high")),
        "p_over_person": Column("p (one person)", NumberFormat.CHANCE),
        "p_over_person_adjusted": replace(ADJUSTED, title="Adjusted p (one person)"),
        "workers": Column("People", NumberFormat.WHOLE),
        "against": Column("Agreement among people"),
        "share": Column(form=NumberFormat.SHARE, interval=INTERVAL),
        "people": Column(interval=("people_low", "people_high")),
        "people_say": Column("Label by people"),
        "of": Column("Ranking of"),
        "ranked": COUNT,
        "score": Column("Score by the judge"),
        "people_score": Column("Score by people"),
        "place": Column("Rank by the judge", NumberFormat.TWO),
        "people_place": Column("Rank by people", NumberFormat.TWO),
        "votes": Column("Human votes per label", NumberFormat.TWO,
                        marked("human votes that one judge label replaces"),
                        INTERVAL),
        "reliability": Column("Reliability of one vote",
                              meaning=marked(
                                  "correlation of one vote with the mean of infinitely many")),
        "r2": Column("R²", meaning=marked("share of variance explained")),
        "value": Column("Prediction-powered score", interval=INTERVAL),
        "tuning": Column("Tuning λ", NumberFormat.TWO),
        "gain": Column("Sample size gain", NumberFormat.TWO),
        "more": Column("Labelled by the judge only", NumberFormat.ROUNDED),
        "units": Column(form=NumberFormat.WHOLE,
                        meaning=marked("items judged by people")),
        "calls": COUNT,
        "cost_of_item": Column("Cost of an item"),
        "cost_of_vote": Column("Cost of one person's vote"),
    },
    published=False,
    table_columns={
        "replacement": {
            "beside": Column("Compared with"),
            "epsilon": Column("Margin ε", NumberFormat.TWO,
                              marked("tolerated advantage of people over the cheaper judge")),
            "omega": Column("Winning rate ω", NumberFormat.SHARE,
                            marked("share of people matched within the margin; 50% passes")),
            "won": Column("People won", NumberFormat.WHOLE),
            "annotators": Column("People", NumberFormat.WHOLE),
            "rho": Column("Advantage ρ", NumberFormat.SHARE,
                          marked("share of votes predicted at least as well as by the "
                                 "held-out person")),
            "opponent": Column("Advantage of a person", NumberFormat.SHARE),
            "p_adjusted": Column(
                "Adjusted p", NumberFormat.CHANCE,
                marked("p-value, Holm-adjusted for all judges of the question")),
            "passes": Column("Passes"),
        },
        "likeness": {
            **PAIR_COLUMNS,
            "q": Column("q", NumberFormat.CHANCE,
                        marked("p-value, Bonferroni-adjusted for all participants and judges")),
        },
        "parts": {"accuracy": Column("Same as people", NumberFormat.SHARE, interval=INTERVAL)},
        "habits": {
            "people": _PEOPLE,
            "difference": replace(_BETWEEN, interval=("difference_low", "difference_high")),
        },
        "systems": {"share": SHARE, "people": _PEOPLE, "difference": _BETWEEN},
    },
)  # fmt: skip
