"""Presentation of the analysis `wording`."""

from collections.abc import Iterator

from analysis.pages.results.presentation.definition import Display, Presentation
from analysis.pages.results.run_results import RunResults
from analysis.pages.results.text_curves import by_style_and_origin, curves_of
from analysis.plots import ForestEstimate, citations, forest
from analysis.plots.figure import Figure, figure


def figures(found: RunResults) -> Iterator[Figure]:
    rows = found.records("wording", "distribution")
    if drawn := curves_of(found, rows, lambda row: float(row["bleu"]), lambda members: None):
        yield figure(
            lambda title, width: citations.reuse(drawn, title=title, width=width),
            title="Reuse of the cited passages",
            caption=(
                "Cumulative share of statements by sentence BLEU with the cited passage. A lower "
                "curve means more reuse."
            ),
        )
    ease = [row for row in found.records("wording", "readability") if row["value"] is not None]
    own_texts = [row for row in ease if row["text"] == "own"]
    if own_texts:
        read = [
            ForestEstimate(name, row["value"], row["low"], row["high"], int(row["n"]))
            for name, members in by_style_and_origin(found, own_texts).items()
            for row in members
        ]
        yield figure(
            lambda title, width: forest(
                read,
                title=title,
                axis="Flesch reading ease (higher is easier)",
                width=width,
                confidence=found.confidence,
            ),
            title="Readability",
            caption="Median over texts without citations, with interval over topics.",
        )


PRESENTATION = Presentation(
    analysis="wording",
    part="texts",
    place=1,
    tables={
        "reuse": Display("Sentence BLEU with the cited passage"),
        "readability": Display("Flesch reading ease"),
        "curves": Display("Shared n-grams by their length", folded=True),
        "distribution": None,
    },
    figures=figures,
)
