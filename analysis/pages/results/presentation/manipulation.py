"""Presentation of the analysis `manipulation`."""

from analysis.pages.results.presentation.definition import Display, Presentation

PRESENTATION = Presentation(
    analysis="manipulation",
    part="workers",
    place=2,
    lede="Evidence, not a verdict: a minority opinion looks the same. To exclude participants,"
    " enter their names under Settings.",
    tables={
        "groups": Display(
            "Groups that favour a system",
            note="Tests whether some participants favour or oppose a system more than "
            "independent tastes explain; p is adjusted for all systems and directions. "
            "Power in simulations, for a fifth of the crowd: 81 to 97% with 38 votes or more a "
            "participant, 60 to 75% with 23. An empty table doesn't rule out a group.",
        ),
        "members": Display("Participants in these groups"),
        "pairs": Display(
            "Pairs that vote alike",
            note="Pairs with more identical votes than independent participants. A pair can be one "
            "person with two accounts, or two people who work together or share a taste."
            " Below 30 common items, pairs may be missed.",
        ),
        "robustness": Display(
            "Fewest removals that change the first rank",
            note=(
                "Ranking by least squares of all votes. Empty: removing half doesn't change the "
                "first rank."
            ),
        ),
        "sides": Display("Participants by side", folded=True),
    },
)
