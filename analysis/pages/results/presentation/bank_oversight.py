"""Presentation of the analysis `bank_oversight`."""

from analysis.pages.results.presentation.definition import Display, Presentation

PRESENTATION = Presentation(
    analysis="bank_oversight",
    part="agreement",
    place=10,
    lede="Compares grades on entries with judgments of passages. Brackets: {percent} CI over "
    "at least 10 topics. Shares have no interval because they cover all entries.",
    tables={
        "summary": Display("Entries and passages to review"),
        "kappas": Display("Agreement with judgments of passages", folded=True),
        "spurious": Display(
            "Spurious entries: graded high on passages that were judged low", folded=True
        ),
        "uncovered": Display(
            "Uncovered passages: relevant, but graded low on every entry", folded=True
        ),
        "difficulty": Display("Entries covered by nearly all or hardly any systems", folded=True),
        "apart": Display("Entries on which raters disagree", folded=True),
    },
)
