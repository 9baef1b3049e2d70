"""Presentation of the analysis `means`."""

from analysis.pages.results.figures import system_figures
from analysis.pages.results.pages.topics import scored_context
from analysis.pages.results.presentation.definition import Panel, Presentation

PRESENTATION = Presentation(
    analysis="means",
    part="responses",
    place=1,
    lede="Mean score with its {percent} t interval; n is the number of ratings. Intervals of "
    "systems and styles are for {drawn}; those that share a letter do not differ clearly.",
    tables={
        "means": None,
    },
    figures=system_figures,
    panel=Panel(below="console/_scores.html", context=scored_context),
)
