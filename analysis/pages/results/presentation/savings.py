"""Presentation of the analysis `savings`."""

from analysis.pages.results.presentation.definition import Display, Presentation

PRESENTATION = Presentation(
    analysis="savings",
    part="cost",
    place=1,
    tables={
        "savings": Display("What fewer votes would keep", folded=True),
    },
)
