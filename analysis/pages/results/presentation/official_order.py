"""Presentation of the analysis `official_order`."""

from analysis.pages.results.presentation.definition import Display, Presentation

PRESENTATION = Presentation(
    analysis="official_order",
    part="systems",
    place=8,
    lede="Compares each leaderboard with the official orders of the corpus. Correlations: 1 is the "
    "same order, 0 unrelated, −1 reversed.",
    tables={"agreement": Display("Agreement with the official order")},
)
