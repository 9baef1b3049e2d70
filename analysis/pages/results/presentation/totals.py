"""Presentation of the analysis `totals`."""

from analysis.pages.results.presentation.definition import Display, Presentation
from analysis.stats.effects.linear_scores import LEAST_ANSWERS, LEAST_RATERS
from analysis.stats.verdicts import LEAST_WORKERS

PRESENTATION = Presentation(
    analysis="totals",
    part="systems",
    place=7,
    lede="Wins, yes votes and best-worst counts are summed over criteria, texts and systems; "
    "grades are averaged. Ties and “don't know” don't count. Intervals ({percent}) are for other "
    f"raters of the same texts; they need {LEAST_RATERS} raters, not {LEAST_WORKERS}, and "
    f"{LEAST_ANSWERS} votes.",
    tables={
        "systems": Display("Systems by criterion, scale and total"),
        "texts": Display("Texts by criterion, scale and total", folded=True),
        "scores": Display("All scores with intervals", folded=True),
        "unknown": Display(
            "Answered only with “don't know”",
            folded=True,
            note="Criteria on which all raters answered “don't know”.",
        ),
    },
)
