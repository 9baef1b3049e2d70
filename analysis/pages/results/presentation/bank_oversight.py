"""Presentation of the analysis `bank_oversight`."""

from analysis.pages.results.presentation.definition import Display, Presentation

PRESENTATION = Presentation(
    analysis="bank_oversight",
    part="agreement",
    place=10,
    lede="Grades on entries beside judgments of the passages. Brackets: {percent} interval over "
    "at least 10 topics. Shares have no interval: they are of all there is.",
    tables={
        "summary": Display("Entries and passages to look at"),
        "kappas": Display("Agreement with judgments of passages", folded=True),
        "spurious": Display("Spurious entries: passages judged low answer them", folded=True),
        "uncovered": Display("Uncovered passages: relevant, no good answer", folded=True),
        "difficulty": Display("Entries that nearly all or no systems cover", folded=True),
        "apart": Display("Entries with raters far apart", folded=True),
    },
)
