"""Presentation of the analysis `retrieval`."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import pandas as pd

from analysis.pages.results.figures import DIGITS, ROWS_IN_ONE
from analysis.pages.results.presentation.definition import Display, Presentation
from analysis.pages.results.run_results import RunResults
from analysis.plots import Estimate, forest
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
        Estimate(
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
    lede="The grade of a passage is the mean of its raters, halves up; of a passage that is graded "
    "on points, its highest. The measures are those of trec_eval: MRR, P and MAP ask whether a "
    "passage has at least the grade of the column, nDCG weighs grades. Cover is the share of the "
    "points that the first passages deal with, at that grade; n-cover their share of the points "
    "that any judged passage deals with. Brackets hold the {percent} t interval over topics, "
    "where there are ten and the mean is not near 0 or 1: elsewhere it does not cover. A "
    "topic that a system ranks nothing for counts as zero: the column “Without a ranking” says how "
    "many. “Judged” is the share of the passages down to the cut-off that have a grade.",
    tables={"boards": Display("Rankings against judgments", folded=True)},
    figures=figures,
)
