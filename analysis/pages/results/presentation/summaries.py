"""Presentation of the analysis `summaries`."""

from analysis.pages.results.presentation.definition import Display, Presentation

PRESENTATION = Presentation(
    analysis="summaries",
    part="responses",
    place=4,
    lede="XUX: expected value of the lines that readers see. Comp: how evenly a summary covers"
    " the sections of its topic. SGSS adds both. Brackets: {percent} t intervals over "
    "raters; n is the number of labels.",
    tables={
        "scores": Display("Scores of each summary", folded=True),
        "degraded": Display(
            "Degraded copies",
            folded=True,
            note="The original should score higher.",
        ),
        "weights": Display("Weights learned from preferences", folded=True),
        "agreement": Display(
            "Scores and preferences",
            folded=True,
            note="Mean agreement rate (MAR) on held-out topics, including votes on degraded "
            "copies. Parts are labelled by the raters of this page, by models, or by both; "
            "preferences are those of this page. Brackets: {percent} t intervals over topics.",
        ),
        "pairs": Display("Agreement with the preferences on each pair", folded=True),
    },
)
