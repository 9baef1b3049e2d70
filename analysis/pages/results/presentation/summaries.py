"""Presentation of the analysis `summaries`."""

from analysis.pages.results.presentation.definition import Display, Presentation

PRESENTATION = Presentation(
    analysis="summaries",
    part="responses",
    place=4,
    lede="Expected user experience (XUX): the worth of the lines that readers see, averaged over "
    "readers who stop at any line. Comprehensiveness (Comp): how evenly a summary covers the "
    "sections of all summaries on its topic. SGSS adds both. Brackets show {percent} t intervals "
    "over raters; n is the number of labels.",
    tables={
        "scores": Display("Scores of each summary", folded=True),
        "degraded": Display(
            "Degraded copies",
            folded=True,
            note="A score should put the original ahead where it is expected to be.",
        ),
        "weights": Display("Weights learned from preferences", folded=True),
        "agreement": Display(
            "Scores and preferences",
            folded=True,
            note="Mean agreement rate (MAR) on the topics that were not used for learning. Votes "
            "on degraded copies count.",
        ),
    },
)
