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
            caption="Of the texts that were offered a passage of this rank, the share that cite "
            "it; n is the number of texts. Texts cite the passage of rank 1 as [0].",
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
            title="Where citations stand in a text",
            caption="1 throughout if they were spread evenly; n is the number of citations.",
        )


def _most(members: list[dict[str, Any]]) -> int:
    return max(int(row["n"]) for row in members)


PRESENTATION = Presentation(
    analysis="texts",
    part="texts",
    tables={
        "counts": Display("Words, statements and citations", note="n counts texts."),
        "overlaps": Display(
            "Passages cited in common (Jaccard)",
            note="sd is the standard deviation over pairs of texts, the interval that of the mean.",
        ),
        "order": Display("Order of citations (Spearman with the rank)"),
        "ranks": Display("Ranks of cited and uncited passages", folded=True),
        "by_rank": Display("Probability of citation by rank", folded=True),
        "density": Display("Where citations stand", folded=True),
        "left_out": Display(
            "Left out",
            note="Texts under the least number of words are no responses; unknown citations name a "
            "passage that is not there.",
        ),
    },
    figures=figures,
)
