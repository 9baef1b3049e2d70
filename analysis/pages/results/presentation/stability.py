"""Presentation of the analysis `stability`."""

from collections.abc import Iterator
from typing import Any

from analysis.pages.results.presentation.definition import Display, Presentation
from analysis.pages.results.run_results import RunResults
from analysis.plots import Curve, CurvePoint, Reference, curves
from analysis.plots.figure import Figure, figure


def figures(found: RunResults) -> Iterator[Figure]:
    if drawn := _curves(found, "stability", "tau"):
        yield figure(
            lambda title, width: curves(
                drawn,
                title=title,
                axis="votes per item",
                height_axis="Kendall's tau with the full ranking",
                references=[Reference(1.0, "same ranking")],
                possible=(-1.0, 1.0),
                width=width,
                confidence=found.confidence,
            ),
            title="Stability of the ranking",
            caption="The curve ends at 1 by definition: it shows the effect of fewer votes, "
            "not of more.",
        )


def _curves(found: RunResults, analysis: str, y: str) -> list[Curve]:
    by_question: dict[str, list[dict[str, Any]]] = {}
    for row in found.records(analysis, analysis):
        if row[y] is not None:
            by_question.setdefault(row["question"], []).append(row)
    return [
        Curve(
            found.words.of(question),
            [CurvePoint(row["votes_per_item"], row[y], row["low"], row["high"]) for row in rows],
            max(int(row["items"]) for row in rows),
        )
        for question, rows in by_question.items()
    ]


PRESENTATION = Presentation(
    analysis="stability",
    part="systems",
    place=2,
    tables={
        "stability": Display("By votes per item", folded=True),
    },
    figures=figures,
)
