"""Presentation of the analysis `manipulation`."""

from analysis.pages.results.presentation.definition import Display, Presentation

PRESENTATION = Presentation(
    analysis="manipulation",
    part="workers",
    place=2,
    lede="Evidence, not a verdict: a minority with a shared opinion looks the same. To see results "
    "without some workers, enter their names under Settings, Workers left out.",
    tables={
        "groups": Display(
            "Groups that lean to a system",
            note="Each row tests whether some workers vote for a system, or against it, more than "
            "independent tastes explain. p is adjusted for all systems and both directions. Groups "
            "with p up to .05 are listed below, once the study is closed. In simulations with 45 "
            "votes a participant, 73 to 83% of groups of a fifth were detected; with 23 votes, 39 "
            "to 45%.",
        ),
        "members": Display("Workers in these groups"),
        "pairs": Display(
            "Pairs that vote alike",
            note="Each row compares the same votes of two participants with those of independent "
            "participants on the same items; q up to .05 is rare among these. It can be one person "
            "with two names, or two people who work together or share a taste. With fewer than 30 "
            "common items, pairs that differ in some votes may be missed.",
        ),
        "robustness": Display(
            "Fewest removals that change which system ranks first",
            note="Systems are ranked by least squares of all votes; the first one need not be a "
            "clear winner. Empty: removing half does not change it.",
        ),
        "sides": Display("Workers by choice of side", folded=True),
    },
)
