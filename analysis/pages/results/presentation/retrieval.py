"""Presentation of the analysis `retrieval`."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import pandas as pd

from analysis.pages.results.figures import DIGITS, ROWS_IN_ONE
from analysis.pages.results.presentation.definition import Display, Presentation
from analysis.pages.results.run_results import RunResults
from analysis.plots import ForestEstimate, forest
from analysis.plots.figure import Figure, figure
from analysis.runs import findings


def figures(found: RunResults) -> Iterator[Figure]:
    boards = findings.tables(found.run, "retrieval", "boards")
    for measure in found.measures if len(boards) else ():
        part = boards[boards["question"] == measure.key]
        if part.empty or part["system"].nunique() > ROWS_IN_ONE:
            continue
        first = part.iloc[0]
        shown = part[(part["measure"] == first["measure"]) & (part["level"] == first["level"])]
        if pd.isna(first["level"]):
            shown = part[part["measure"] == first["measure"]]
        rows = shown.sort_values("value", ascending=False).to_dict("records")
        yield figure(
            partial(_drawn, rows=rows, name=first["measure"], confidence=found.confidence),
            title=f"Rankings of systems: {first['measure']}, {measure.title}",
            caption="With the interval over topics.",
        )


def _drawn(
    title: str, width: int, *, rows: list[dict[Any, Any]], name: str, confidence: float
) -> str:
    estimates = [
        ForestEstimate(
            row["system"],
            round(row["value"], DIGITS),
            None if pd.isna(row["low"]) else round(row["low"], DIGITS),
            None if pd.isna(row["high"]) else round(row["high"], DIGITS),
            int(row["n"]),
        )
        for row in rows
    ]
    return forest(
        estimates, title=title, axis=name, possible=(0.0, 1.0), width=width, confidence=confidence
    )


PRESENTATION = Presentation(
    analysis="retrieval",
    part="systems",
    place=7,
    lede="Measures of trec_eval. A passage's grade is the mean of its raters, rounded half up,"
    " or the highest of its nuggets. MRR, P and MAP count passages from the grade in the "
    "column; nDCG weighs grades. Cover: share of nuggets covered at that grade; n-cover: "
    "of those that any judged passage covers. α-nDCG: coverage less repetition. Brackets: "
    "{percent} t interval over at least 10 topics. Topics without a ranking count as 0. "
    "Judged: share of passages up to the cut-off that have a grade.",
    tables={
        "boards": Display("Retrieval measures", folded=True),
        "unranked": Display("Topics without a ranking, counted as 0", folded=True),
    },
    figures=figures,
)
