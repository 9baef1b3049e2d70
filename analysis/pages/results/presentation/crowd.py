"""Presentation of the analysis `crowd`."""

from analysis.pages.results.presentation.definition import Display, Presentation

PRESENTATION = Presentation(
    analysis="crowd",
    part="workers",
    place=1,
    lede=(
        "Competence on a single question is mostly unreliable. Accounts with nearly the same "
        "answers may be one person; set “copies” to “out” to keep only one of them."
    ),
    tables={
        "reliability": Display("Reliability of competence"),
        "copies": Display(
            "Accounts with similar answers",
            folded=True,
            note=(
                "Nearly identical: q below .01 and 95% identical answers. Two competent "
                "participants in a guessing crowd can also have a small q."
            ),
        ),
        "workers": None,
    },
)
