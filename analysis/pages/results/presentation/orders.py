"""Presentation of the analysis `orders`."""

from collections.abc import Iterator
from typing import Any

from analysis.pages.results.figures import by_question, estimate, has_interval
from analysis.pages.results.presentation.definition import Display, Presentation
from analysis.pages.results.run_results import RunResults
from analysis.plots import Reference, forest
from analysis.plots.agreement import agreement
from analysis.plots.figure import Figure, figure


def figures(found: RunResults) -> Iterator[Figure]:
    sides = found.records("orders", "sides")
    if sides:
        yield figure(
            lambda title, width: forest(
                by_question(found, sides, "share", "votes"),
                title=title,
                axis="share for the right-hand side",
                digits=3,
                references=[Reference(0.5, "no side preferred")],
                possible=(0.0, 1.0),
                width=width,
                confidence=found.confidence,
            ),
            title="Share of preferences for the right-hand side",
            caption=(
                "With the interval over participants; n is the number of votes with a preference."
                if has_interval(sides)
                else "n is the number of votes with a preference."
            ),
        )
    for order in ("direction", "half of the questionnaire"):
        rows = [
            row
            for row in found.records("orders", "parts", order=order)
            if row["part"] != "difference" and row["value"] is not None
        ]
        if rows:
            yield _parts(found, rows, order)


def _parts(found: RunResults, rows: list[dict[str, Any]], order: str) -> Figure:
    return figure(
        lambda title, width: agreement(
            [estimate(found, row, found.words.of(row["part"])) for row in rows],
            title=title,
            width=width,
            confidence=found.confidence,
        ),
        title=f"Agreement by {order}",
        caption="Krippendorff's alpha on pairs judged in both directions; intervals over items "
        "only.",
    )


PRESENTATION = Presentation(
    analysis="orders",
    part="orders",
    tables={
        "sides": Display(
            "Share of votes for the right-hand side",
            note="Counts votes as cast. The position bias in the summary differs: it is estimated "
            "for equal texts. Interval and p are over participants; the binomial p assumes that "
            "votes of one participant are independent, which they are not.",
        ),
        "parts": Display(
            "Agreement by direction and by half",
            folded=True,
            note="Intervals are for other items, judged by the same participants.",
        ),
    },
    figures=figures,
)
