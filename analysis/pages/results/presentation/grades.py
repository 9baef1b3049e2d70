"""Presentation of the analysis `grades`."""

from analysis.pages.results.pages.topics import ranked_context
from analysis.pages.results.presentation.definition import Panel, Presentation

PRESENTATION = Presentation(
    analysis="grades",
    part="responses",
    lede="Rank 1 is the best response of its topic, by {ties} on {ranked_by}; n is the number of "
    "comparisons. {neither}{ranges} Equal strengths share a rank. In files, grade 1 is the worst.",
    tables={
        "grades": None,
    },
    panel=Panel(below="console/_topics.html", context=ranked_context),
)
