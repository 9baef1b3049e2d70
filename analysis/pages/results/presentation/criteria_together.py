"""Presentation of the analysis `criteria_together`."""

from analysis.pages.results.presentation.definition import Display, Presentation

PRESENTATION = Presentation(
    analysis="criteria_together",
    part="judges",
    place=2,
    lede=(
        "Compares each judge with the mean of people, pooling the criteria of a method. "
        "Differences are judge minus people. Brackets: {percent} jackknife CIs over topics."
    ),
    tables={"together": Display("Agreement over all criteria")},
)
