"""Presentation of the analysis `cost`."""

from analysis.pages.results.presentation.definition import Display, Presentation

PRESENTATION = Presentation(
    analysis="cost",
    part="cost",
    tables={
        "units": Display(
            "Cost in {currency}",
            note="Only judgments have an interval; it needs 30 submissions with different costs.",
        ),
        "wage": Display(
            "Wage per active hour, {currency}",
            note=(
                "Total pay divided by total active hours; long gaps don't count. Whole: "
                "submissions without recorded activity, counted with their entire time. Elapsed: "
                "from consent to submission. An interval needs 30 submissions."
            ),
        ),
    },
)
