"""Presentation of the analysis `savings`."""

from analysis.pages.results.presentation.definition import Display, Presentation

PRESENTATION = Presentation(
    analysis="savings",
    part="cost",
    place=1,
    tables={
        "savings": Display("Effect of fewer votes", folded=True),
    },
)
