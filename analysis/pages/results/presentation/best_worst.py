"""Presentation of the analysis `best_worst`."""

from analysis.pages.results.figures import system_figures
from analysis.pages.results.pages.topics import ranked_context
from analysis.pages.results.presentation.definition import Display, Panel, Presentation
from analysis.stats.choices.rater_jackknife import LEAST_RATERS
from analysis.stats.verdicts import LEAST_WORKERS

PRESENTATION = Presentation(
    analysis="best_worst",
    part="responses",
    place=2,
    lede="Share of votes as best minus share as worst: 1 is always best, −1 always worst. n is the "
    "number of votes. Strength: Plackett-Luce, in logits. Brackets: {percent} CI for other raters "
    f"of the same texts; it needs {LEAST_RATERS} raters, not {LEAST_WORKERS} (strengths: also 10 "
    "votes).",
    tables={
        "best_worst": Display("Best and worst by text", folded=True),
    },
    figures=system_figures,
    panel=Panel(below="console/_topics.html", context=ranked_context),
)
