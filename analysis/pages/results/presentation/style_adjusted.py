"""Presentation of the analysis `style_adjusted`."""

from analysis.pages.results.presentation.definition import Display, Presentation

PRESENTATION = Presentation(
    analysis="style_adjusted",
    part="systems",
    place=2,
    lede="The mixed model of votes with measures of style, as arenas’ style control. Differences "
    "are in logits; brackets hold the {percent} interval of each pair alone.",
    tables={
        "differences": Display(
            "Differences at equal style, beside those without adjustment",
            note="An adjusted difference near 0 says that style accounts for the lead, not that "
            "people are wrong to prefer it. Votes are the same in both columns.",
        ),
        "measures": Display(
            "Effects of style",
            folded=True,
            note="Words, citations and Markdown structure (headings, list items, bold) count as "
            "logs; reading ease is Flesch’s, for English texts.",
        ),
    },
)
