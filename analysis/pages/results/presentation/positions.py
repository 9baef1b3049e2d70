"""Presentation of the analysis `position`."""

from collections.abc import Iterator
from typing import Any

from analysis.pages.results.figures import by_question, has_interval
from analysis.pages.results.presentation.definition import Display, Presentation
from analysis.pages.results.run_results import RunResults
from analysis.plots import Reference, forest
from analysis.plots.figure import Figure, figure
from analysis.stats.design_checks import About


def figures(found: RunResults) -> Iterator[Figure]:
    if rows := found.records("position", "position"):
        yield figure(
            lambda title, width: forest(
                by_question(found, rows, "effect", "workers"),
                title=title,
                axis="effect of the left side, in merits",
                references=[Reference(0.0, "no effect")],
                width=width,
                confidence=found.confidence,
            ),
            title="Effect of the left side on merit",
            caption=_caption(rows),
        )


def _caption(rows: list[dict[str, Any]]) -> str:
    if not has_interval(rows):
        return "In the unit of merits."
    if any(row.get("about") == About.THESE for row in rows):
        return "In the unit of merits, with intervals over topics for these raters."
    return "In the unit of merits, with intervals over workers."


PRESENTATION = Presentation(
    analysis="position",
    part="orders",
    place=1,
    tables={
        "position": Display(
            "Effect of the left side",
            hidden=("tie_parameter",),
            note="Interval and p are by a jackknife over workers, or over topics for these raters "
            "with fewer than 5; the likelihood ratio assumes independent votes.",
        ),
    },
    figures=figures,
)
