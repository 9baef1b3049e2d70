"""Presentation of the analysis `process`."""

from analysis.pages.results.presentation.definition import Display, Presentation

PRESENTATION = Presentation(
    analysis="process",
    part="texts",
    place=3,
    tables={
        "process": Display(
            "Measures of the writing process",
            note="Evidence about texts, not a verdict on writers.",
        ),
    },
)
