"""Presentation of the analysis `position`."""

from collections.abc import Iterator

from analysis.pages.results.figures import by_question, has_interval
from analysis.pages.results.presentation.definition import Display, Presentation
from analysis.pages.results.run_results import RunResults
from analysis.plots import Reference, forest
from analysis.plots.figure import Figure, figure


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
            caption="In the unit of merits, with intervals over workers."
            if has_interval(rows)
            else "In the unit of merits.",
        )


PRESENTATION = Presentation(
    analysis="position",
    part="orders",
    place=1,
    tables={
        "position": Display(
            "Effect of the left side",
            hidden=("tie_parameter",),
            note="Interval and p are by a jackknife over workers; the likelihood ratio assumes "
            "independent votes.",
        ),
    },
    figures=figures,
)
