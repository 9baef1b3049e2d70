"""Presentation of the analysis `ranked_alike`."""

from collections.abc import Iterator

from analysis.pages.results.figures import tau_figure
from analysis.pages.results.presentation.definition import Display, Presentation
from analysis.pages.results.run_results import RunResults
from analysis.plots.figure import Figure


def figures(found: RunResults) -> Iterator[Figure]:
    rows = found.records("ranked_alike", "texts")
    if len({row["first"] for row in rows} | {row["second"] for row in rows}) < 3:
        return
    yield tau_figure(
        rows,
        {key: found.words.of(key) for key in found.words.questions},
        title="Do questions give similar rankings?",
        caption="Kendall's tau-b between the scores of texts within a topic, mean over topics.",
    )


PRESENTATION = Presentation(
    analysis="ranked_alike",
    part="systems",
    place=2,
    lede="Kendall's tau-b between two questions within a topic, mean over topics: 1 is the "
    "same order, 0 unrelated, −1 reversed. Brackets: {percent} CI over topics.",
    tables={
        "texts": Display("Texts of a topic", folded=True),
        "systems": Display("Means of the systems", hidden=("low", "high", "topics"), folded=True),
    },
    figures=figures,
)
