"""Presentation of the analysis `mixed`."""

from collections.abc import Iterator
from typing import Any

from analysis.pages.results.figures import DIGITS, ROWS_IN_ONE
from analysis.pages.results.presentation.definition import Display, Presentation
from analysis.pages.results.run_results import RunResults
from analysis.plots import WIDE, ForestEstimate
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
            axis="difference of strengths (logits)",
            references=[Reference(0.0, "no difference")],
            null_name=f"within the margin of {margin:.2g}",
            width=width,
            confidence=found.confidence,
        ),
        title=f"Differences of systems{pair}",
        caption="Better system first; n is the number of votes on the pair. Intervals are for "
        "each pair alone; the table adjusts for all pairs.",
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
            axis="probability that a vote prefers the first",
            references=[Reference(0.5, "even")],
            possible=(0.0, 1.0),
            width=width,
            confidence=found.confidence,
        ),
        title=f"Probability of a vote{pair}",
        caption="For any participant, topic and pair of texts; a tie counts half.",
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
            axis="votes per item",
            height_axis="reliability of their mean",
            references=[Reference(0.8, "usual target")],
            heights=(0.0, 1.0),
            width=width,
        )

    return figure(
        draw,
        title="Votes per item needed",
        caption="Share of the variance of the mean vote that the pair explains; n is the "
        "number of items.",
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
) -> ForestEstimate:
    question = found.words.of(row["question"])
    return ForestEstimate(
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
    lede="Ordinal Bradley-Terry model of all votes, with ties and random effects of texts, "
    "topics and participants. Differences are in logits; brackets: {percent} CI.",
    tables={
        "differences": Display(
            "Differences of systems",
            hidden=("p", "p_equivalent"),
            note="Better system first. A vote: probability that a vote prefers it, a tie "
            "counting half. Better text: probability that its text on a topic is better. "
            "Different: adjusted p ≤ 5% (max-t). Equivalent: within the margin (0.2 "
            "logits by default; two one-sided tests, Bonferroni). Not known: the study is"
            " too small. Smallest margin: the smallest one that shows equivalence. Without direct "
            "votes, the difference follows from other systems.",
        ),
        "systems": Display(
            "Strengths of systems", folded=True, note="In logits; the mean of the systems is 0."
        ),
        "reliability": Display(
            "Reliability",
            note="Share of the variance of one vote, and of the mean of all votes on an item, "
            "that the pair explains (generalizability); votes per item to reach .8.",
        ),
        "components": Display(
            "Variance components",
            hidden=("responses", "votes"),
            folded=True,
            note="Standard deviations in logits: texts within systems, systems between topics,"
            " participants’ leanings to a system and to a side. Discrimination: how "
            "sharply participants separate texts (log). Left side: position effect. Ties: "
            "width of the tie range. No intervals: in simulations, they often missed the true "
            "value.",
        ),
        "variance": Display(
            "Shares of the variance of a vote, in logits",
            folded=True,
        ),
        "next_votes": None,
    },
    figures=figures,
)
