"""Presentation of the analysis `references`."""

from collections.abc import Iterator

from analysis.pages.results.presentation.definition import Display, Presentation
from analysis.pages.results.run_results import RunResults
from analysis.plots import ForestEstimate, Reference, forest
from analysis.plots.figure import Figure, figure


def figures(found: RunResults) -> Iterator[Figure]:
    rows = [
        row
        for row in found.records("references", "references")
        if row["comparison"] == "full" and row["value"] is not None
    ]
    drawn = [
        ForestEstimate(
            found.words.of(row["measure"]), row["value"], row["low"], row["high"], int(row["n"]),
            found.words.of(row["dimension"]),
        )
        for row in rows
    ]  # fmt: skip
    if drawn:
        yield figure(
            lambda title, width: forest(
                drawn,
                title=title,
                axis=f"Spearman's rho with the {found.scores_called}",
                references=[Reference(0.0, "no relation")],
                possible=(-1.0, 1.0),
                width=width,
                confidence=found.confidence,
            ),
            title="Similarity to the best text",
            caption="Mean over topics, with its interval over topics; n is the number of topics.",
        )


PRESENTATION = Presentation(
    analysis="references",
    part="texts",
    place=2,
    tables={
        "references": Display("BLEU and ROUGE-L with the best text", folded=True),
    },
    figures=figures,
)
