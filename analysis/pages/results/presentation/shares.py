"""Presentation of the analysis `shares`."""

from analysis.pages.results.pages.topics import scored_context
from analysis.pages.results.presentation.definition import Panel, Presentation

PRESENTATION = Presentation(
    analysis="shares",
    part="responses",
    place=3,
    lede=(
        "Share of votes for the better label, with its {percent} Wilson interval; n is the number "
        "of votes."
    ),
    tables={
        "shares": None,
    },
    panel=Panel(below="console/_scores.html", context=scored_context),
)
