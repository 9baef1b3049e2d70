"""Presentation of the analysis `mixed`."""

from collections.abc import Iterator
from typing import Any

from analysis.pages.results.figures import DIGITS, ROWS_IN_ONE
from analysis.pages.results.presentation.definition import Display, Presentation
from analysis.pages.results.run_results import RunResults
from analysis.plots import WIDE, Estimate
from analysis.plots.curves import Curve, CurvePoint, curves
from analysis.plots.figure import Figure, figure
from analysis.plots.forest import forest
from analysis.plots.rows import Reference
from analysis.stats.bradley_terry.mixed_effects import VoteReliability

VOTES = (1, 2, 3, 5, 8, 12, 16, 20)  # on an item, of the curve
Row = dict[str, Any]


def figures(found: RunResults) -> Iterator[Figure]:
    rows = found.records("mixed", "differences")
    if len(rows) > ROWS_IN_ONE:
        rows = [row for row in rows if row["question"] == found.headline]
    if 0 < len(rows) <= ROWS_IN_ONE:
        yield _differences(found, rows)
        yield _wins(found, rows)
    if rows := found.records("mixed", "reliability"):
        yield _reliability(found, rows)


def _differences(found: RunResults, rows: list[Row]) -> Figure:
    pair, margin = _one_pair(found, rows), rows[0]["margin"]
    estimates = [
        _estimate(found, row, pair, row["difference"], row["low"], row["high"], margin)
        for row in rows
    ]
    return figure(
        lambda title, width: forest(
            estimates,
            title=title,
            axis="difference of merits in logits",
            references=[Reference(0.0, "no difference")],
            null_name=f"within the margin of {margin:.2g}",
            width=width,
            confidence=found.confidence,
        ),
        title=f"By how much systems differ{pair}",
        caption="The better system first; n is the number of votes that compare the two. Each "
        "interval is of its pair alone; the table says which systems differ, or are equivalent, "
        "with all pairs taken together.",
    )


def _wins(found: RunResults, rows: list[Row]) -> Figure:
    pair = _one_pair(found, rows)
    estimates = [
        _estimate(found, row, pair, row["vote"], row["vote_low"], row["vote_high"]) for row in rows
    ]
    return figure(
        lambda title, width: forest(
            estimates,
            title=title,
            axis="probability that a vote goes to the first",
            references=[Reference(0.5, "even")],
            possible=(0.0, 1.0),
            width=width,
            confidence=found.confidence,
        ),
        title=f"Who wins a vote{pair}",
        caption="Of any worker on any pair of their texts to any topic, a tie counting half.",
    )


def _reliability(found: RunResults, rows: list[Row]) -> Figure:
    drawn = [
        Curve(
            found.words.of(row["question"]),
            [CurvePoint(v, VoteReliability(single=row["single"]).of(v)) for v in VOTES],
            int(row["items"]),
        )
        for row in rows
    ]

    def draw(title: str, width: int = WIDE) -> str:
        return curves(
            drawn,
            title=title,
            axis="votes an item",
            height_axis="reliability of their mean",
            references=[Reference(0.8, "usual aim")],
            heights=(0.0, 1.0),
            width=width,
        )

    return figure(
        draw,
        title="How many votes an item needs",
        caption="The share of the variance of the mean vote that the pair makes; n is the number "
        "of items.",
    )


def _one_pair(found: RunResults, rows: list[Row]) -> str:
    """Return the two systems of all rows, if they are the same in one order."""
    pairs = {(row["system"], row["other"]) for row in rows}
    return f": {_named(found, rows[0])}" if len(pairs) == 1 else ""


def _named(found: RunResults, row: Row) -> str:
    return f"{found.words.of_group(row['system'])} over {found.words.of_group(row['other'])}"


def _estimate(
    found: RunResults,
    row: Row,
    pair: str,
    value: float,
    low: float,
    high: float,
    margin: float | None = None,
) -> Estimate:
    question = found.words.of(row["question"])
    return Estimate(
        question if pair else _named(found, row),
        round(value, DIGITS),
        low,
        high,
        int(row["votes"]),
        "" if pair else question,
        None if margin is None else -margin,
        margin,
    )


PRESENTATION = Presentation(
    analysis="mixed",
    part="systems",
    place=1,
    lede="All votes at once, without labels: ordinal Bradley-Terry with ties, in which texts, "
    "systems in a topic, and what workers make of systems and sides are random. Differences are in "
    "logits; brackets hold the {percent} interval.",
    tables={
        "differences": Display(
            "Differences of systems",
            hidden=("p", "p_equivalent"),
            note="The better system first. Topics, workers and votes are those that compare the two"
            " directly; where there are none, the difference follows from other systems. A vote: "
            "the probability that a vote of any worker on any pair of their texts goes to the "
            "better system, a tie counting half. Better text: the probability that its text on a "
            "topic is the better one. Intervals are of each pair alone; findings are of all pairs "
            "of a question together. Different: the adjusted p is at most 5% (max-t; family-wise "
            "error). Equivalent: nearer than the margin (0.2 logits unless you set it), by two "
            "one-sided tests with Bonferroni’s correction. Not known: the study is too small. The "
            "smallest margin is the one that would just be met. q is the false discovery rate "
            "(Benjamini and Hochberg).",
        ),
        "systems": Display(
            "Merits of systems", folded=True, note="In logits, the mean of the systems being 0."
        ),
        "reliability": Display(
            "Reliability",
            note="The share of the variance of one vote, and of the mean of these votes on an "
            "item, that the pair makes (generalizability); how many votes on an item reach .8.",
        ),
        "components": Display(
            "What varies",
            hidden=("responses", "votes"),
            folded=True,
            note="Standard deviations in logits: of texts about their system, of systems from "
            "topic to topic, of workers’ leanings to a system and to a side. Discrimination: of "
            "the log of how sharply workers distinguish texts. Standing left is what it adds to a "
            "text; ties: how wide the range of ties is. What varies has no intervals: those of "
            "discrimination miss too often in simulated studies, and small studies often find "
            "none of a part that is there.",
        ),
        "variance": Display(
            "Shares of the variance of a vote, in logits",
            folded=True,
        ),
        "next_votes": None,
    },
    figures=figures,
)
