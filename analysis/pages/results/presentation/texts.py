"""Presentation of the analysis `texts`."""

from collections.abc import Iterator
from typing import Any

from analysis.pages.results.presentation.definition import Display, Presentation
from analysis.pages.results.run_results import RunResults
from analysis.pages.results.text_curves import curves_of
from analysis.plots import citations
from analysis.plots.figure import Figure, figure


def figures(found: RunResults) -> Iterator[Figure]:
    if by_rank := curves_of(
        found, found.records("texts", "by_rank"), lambda row: float(row["rank"]), _most
    ):
        yield figure(
            lambda title, width: citations.by_rank(
                by_rank, title=title, width=width, confidence=found.confidence
            ),
            title="Probability of citation by rank",
            caption="Share of texts that cite the passage of this rank; n is the number of "
            "texts. Rank 1 is cited as [0].",
        )
    if dense := curves_of(
        found,
        found.records("texts", "density"),
        lambda row: (row["start"] + row["end"]) / 2,
        _most,
    ):
        yield figure(
            lambda title, width: citations.density(
                dense, title=title, width=width, confidence=found.confidence
            ),
            title="Positions of citations",
            caption="1 everywhere if citations are spread evenly; n is the number of citations.",
        )


def _most(members: list[dict[str, Any]]) -> int:
    return max(int(row["n"]) for row in members)


PRESENTATION = Presentation(
    analysis="texts",
    part="texts",
    tables={
        "counts": Display("Words, statements and citations", note="n is the number of texts."),
        "overlaps": Display(
            "Passages cited in common (Jaccard)",
            note="SD over pairs of texts; the interval is for the mean.",
        ),
        "order": Display("Order of citations (Spearman with the rank)"),
        "ranks": Display("Ranks of cited and uncited passages", folded=True),
        "by_rank": Display("Probability of citation by rank", folded=True),
        "density": Display("Positions of citations by part", folded=True),
        "left_out": Display(
            "Excluded",
            note=(
                "Texts below the minimum length don't count as responses; unknown citations match "
                "no passage."
            ),
        ),
    },
    figures=figures,
)
