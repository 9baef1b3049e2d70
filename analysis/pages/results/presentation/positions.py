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
                axis="effect of the left side (logits)",
                references=[Reference(0.0, "no effect")],
                width=width,
                confidence=found.confidence,
            ),
            title="Effect of the left side on strength",
            caption=_caption(rows),
        )


def _caption(rows: list[dict[str, Any]]) -> str:
    if not has_interval(rows):
        return "In logits of strength."
    if any(row.get("about") == About.THESE for row in rows):
        return "In logits of strength; intervals for these raters on new topics."
    return "In logits of strength; intervals for new participants."


PRESENTATION = Presentation(
    analysis="position",
    part="orders",
    place=1,
    tables={
        "position": Display(
            "Effect of the left side",
            hidden=("tie_parameter",),
            note="Interval and p: jackknife over participants (below 5, over topics). The "
            "likelihood ratio assumes independent votes.",
        ),
    },
    figures=figures,
)
