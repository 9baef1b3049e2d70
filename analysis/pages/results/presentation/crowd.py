"""Presentation of the analysis `crowd`."""

from analysis.pages.results.presentation.definition import Display, Presentation

PRESENTATION = Presentation(
    analysis="crowd",
    part="workers",
    place=1,
    lede="Reliability is the share of the differences between workers that is no chance: of one "
    "question it is mostly low, so its competence says little of a worker. Two names with nearly "
    "the same answers are shown with what speaks for it; whoever follows it up decides. The "
    'analysis parameter copies: "out" takes all but one name of a person out.',
    tables={
        "reliability": Display("How reliable competence is"),
        "copies": Display(
            "Pairs of names that answer alike",
            folded=True,
            note="q: the chance that independent workers agree as much, times the number of pairs. "
            "Nearly identical: q below .01 and 95 % of the answers alike. Two who know much in a "
            "crowd that guesses have a small q, too.",
        ),
        "workers": None,
    },
)
