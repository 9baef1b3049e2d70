"""Presentation of the analysis `cost`."""

from analysis.pages.results.presentation.definition import Display, Presentation

PRESENTATION = Presentation(
    analysis="cost",
    part="cost",
    tables={
        "units": Display(
            "Cost in {currency}",
            note="Labels and responses are bought by all works together and have no interval; that "
            "of a judgment cannot be given below 30 works, or where all works cost the same.",
        ),
        "wage": Display(
            "Wage in active time, {currency} an hour",
            note="All pay by all hours of active time, in which no long gap counts. Whole is the "
            "number of works with nothing recorded in between, so that all their time counts; "
            "elapsed is from consent to handing in, and breaks lengthen it. An interval cannot be "
            "given below 30 works.",
        ),
    },
)
