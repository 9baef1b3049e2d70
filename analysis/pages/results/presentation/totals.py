"""Presentation of the analysis `totals`."""

from analysis.pages.results.presentation.definition import Display, Presentation
from analysis.stats.effects.linear_scores import LEAST_ANSWERS, LEAST_RATERS
from analysis.stats.verdicts import LEAST_WORKERS

PRESENTATION = Presentation(
    analysis="totals",
    part="systems",
    place=7,
    lede="Wins, numbers of yes and best-worst counts are added up, mean grades are averaged: over "
    "the criteria of a scale, over all criteria, over the texts of a system. A tie is a win of "
    "nobody. “Don't know” is no win and no yes, and no grade. Intervals ({percent}) are in "
    "the table of all scores. They are for other raters of the same texts, not for other topics, "
    f"and so need {LEAST_RATERS} raters, not {LEAST_WORKERS}; and {LEAST_ANSWERS} answers.",
    tables={
        "systems": Display("Systems by criterion, scale and total"),
        "texts": Display("Texts by criterion, scale and total", folded=True),
        "scores": Display("All scores with intervals", folded=True),
        "unknown": Display(
            "Answered only with “don't know”",
            folded=True,
            note="Criteria of a text on which all raters answered “don't know”.",
        ),
    },
)
