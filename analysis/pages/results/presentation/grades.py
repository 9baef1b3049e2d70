"""Presentation of the analysis `grades`."""

from analysis.pages.results.pages.topics import ranked_context
from analysis.pages.results.presentation.definition import Panel, Presentation

PRESENTATION = Presentation(
    analysis="grades",
    part="responses",
    lede="Place 1 is the best response of its topic, by {ties} on {ranked_by}; n is their number. "
    "{neither}{ranges} Responses of equal merit share a place. Files have grades, which count from "
    "1 for the worst.",
    tables={
        "grades": None,
    },
    panel=Panel(below="console/_topics.html", context=ranked_context),
)
