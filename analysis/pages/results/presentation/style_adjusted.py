"""Presentation of the analysis `style_adjusted`."""

from collections.abc import Iterator

from django.utils.translation import gettext

from analysis.pages.results.figures import DIGITS, ROWS_IN_ONE
from analysis.pages.results.presentation.definition import Display, Presentation
from analysis.pages.results.run_results import RunResults
from analysis.plots import ForestEstimate, Reference, forest
from analysis.plots.figure import Figure, figure


def figures(found: RunResults) -> Iterator[Figure]:
    rows = found.records("style_adjusted", "differences", question=found.headline)
    if not 0 < 2 * len(rows) <= ROWS_IN_ONE:
        return
    name = found.words.of_group
    estimates = [
        ForestEstimate(
            label, round(row[value], DIGITS), row[low], row[high], int(row["votes"]), pair
        )
        for row in rows
        for pair in [
            gettext("{first} over {other}").format(
                first=name(row["system"]), other=name(row["other"])
            )
        ]
        for label, value, low, high in (
            (gettext("all votes"), "plain", "plain_low", "plain_high"),
            (gettext("at equal style"), "difference", "low", "high"),
        )
    ]
    yield figure(
        lambda title, width: forest(
            estimates,
            title=title,
            axis=gettext("difference of strengths (logits)"),
            references=[Reference(0.0, gettext("no difference"))],
            width=width,
            confidence=found.confidence,
        ),
        title=gettext("Systems at equal style: {question}").format(
            question=found.words.of(found.headline)
        ),
        caption=gettext(
            "Mixed model without and with style; n: votes on the pair. Intervals are unadjusted."
        ),
    )


PRESENTATION = Presentation(
    analysis="style_adjusted",
    part="systems",
    place=2,
    lede="Mixed model of votes with measures of style (style control). Differences in logits; "
    "brackets: {percent} CI of each pair alone.",
    tables={
        "differences": Display(
            "Differences with and without equal style",
            note="An adjusted difference near 0 means that style accounts for the lead. The "
            "adjusted p is for equal style, all pairs of a question (max-t).",
        ),
        "measures": Display(
            "Effects of style",
            folded=True,
            note="Words, citations and Markdown structure enter as logs; reading ease is "
            "Flesch's (English).",
        ),
    },
    figures=figures,
)
