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
    lede="The score of a text is the share of answers that name it the best, minus the share that "
    "name it the worst: 1 if it is always the best, 0 by chance, −1 if always the worst. n is the "
    "number of answers that had it before them. The merit is that of Plackett and Luce, in logits "
    "around 0. Brackets hold the {percent} interval for other raters of the same texts, not for "
    f"other topics; it so needs {LEAST_RATERS} raters, not {LEAST_WORKERS}, and that of a merit "
    "also 10 answers.",
    tables={
        "best_worst": Display("Best and worst, one text a row", folded=True),
    },
    figures=system_figures,
    panel=Panel(below="console/_topics.html", context=ranked_context),
)
