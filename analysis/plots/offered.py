"""Every plot that is offered, with its axes and references as the field draws them.

Each takes plain rows as its statistic gives them, and `width` (WIDE or NARROW). What cannot be
computed comes with no rows and the sentence as `reason`.
"""

from collections.abc import Sequence

from analysis.plots.curves import Curve, curves
from analysis.plots.distribution import Sample, boxes, histogram
from analysis.plots.empty import NO_DATA
from analysis.plots.forest import Estimate, forest
from analysis.plots.marks import WIDE
from analysis.plots.matrix import matrix
from analysis.plots.rows import Reference


def merits(
    rows: Sequence[Estimate], *, title: str = "Merits", axis: str = "merit (log scale)",
    reference: Reference | None = None, reason: str = NO_DATA, width: int = WIDE,
    confidence: float = 0.95,
) -> str:  # fmt: skip
    """Forest plot of merits, mean grades or mean scores; groups are questions or topics."""
    return forest(
        rows, title=title, axis=axis, references=[reference] if reference else [],
        reason=reason,
        width=width, confidence=confidence,
    )  # fmt: skip


def agreement(
    rows: Sequence[Estimate], *, title: str = "Agreement by question",
    measure: str = "Krippendorff’s alpha", digits: int = 3,
    null_name: str = "range of the draws with votes permuted at random", reason: str = NO_DATA,
    width: int = WIDE,
    confidence: float = 0.95,
) -> str:  # fmt: skip
    """Agreement by question against chance (0), and against the null of each row if it has one.

    With several ways of counting (all votes; kept votes, cross-fitted; kept votes, in sample)
    the question is the group and the way is the label; the null is what `null_name` says.
    """
    permuted = any(row.null_low is not None for row in rows)
    return forest(
        rows, title=title, axis=measure, references=[Reference(0.0, "chance")], digits=digits,
        null_name=null_name if permuted else "",
        reason=reason,
        width=width, confidence=confidence,
    )  # fmt: skip


def competence(
    values: Sequence[float], *, cut: float | None = None, title: str = "Competence of workers",
    reason: str = NO_DATA, width: int = WIDE,
) -> str:  # fmt: skip
    """Distribution of competence (0 to 1) over workers; `cut` is the least competence kept."""
    return histogram(
        values, title=title, axis="competence", counted="workers", domain=(0.0, 1.0),
        cut=None if cut is None else Reference(cut, "cut"), reason=reason, width=width,
    )  # fmt: skip


def order_effects(
    rows: Sequence[Estimate], *, title: str = "Share of preferences for the right-hand side",
    even: float = 0.5, reason: str = NO_DATA, width: int = WIDE,
    confidence: float = 0.95,
) -> str:  # fmt: skip
    """Share of non-neutral votes for the right-hand side by question (or worker), against even.

    Agreement by order (as published, turned, both) is a plot of `agreement` with these labels.
    """
    return forest(
        rows, title=title, axis="share for the right-hand side", digits=3,
        references=[Reference(even, "no side preferred")], reason=reason,
        width=width, confidence=confidence,
    )  # fmt: skip


def position_effects(
    rows: Sequence[Estimate], *, title: str = "What it adds to a text to stand on the left",
    reason: str = NO_DATA, width: int = WIDE,
    confidence: float = 0.95,
) -> str:  # fmt: skip
    """Effect of standing left in Bradley-Terry by question, in the unit of merits, against 0."""
    return forest(
        rows, title=title, axis="effect of the left side, in merits",
        references=[Reference(0.0, "no effect")], reason=reason,
        width=width, confidence=confidence,
    )  # fmt: skip


def wins(
    names: Sequence[str], chances: Sequence[Sequence[float | None]], *,
    title: str = "Who beats whom", reason: str = NO_DATA, width: int = WIDE,
) -> str:  # fmt: skip
    """Win matrix: `chances[i][j]` is P(i beats j); the diagonal is None. Order: best first."""
    return matrix(
        names, chances, title=title, reason=reason, width=width,
        meaning="How surely the row is ahead; columns carry the rows’ numbers.",
    )  # fmt: skip


def correlations(
    names: Sequence[str], cells: Sequence[Sequence[float | None]], *,
    measure: str = "Kendall’s tau-b", title: str = "Correlation between questions",
    columns: Sequence[str] | None = None, reason: str = NO_DATA, width: int = WIDE,
) -> str:  # fmt: skip
    """Matrix of correlations (-1 to 1) between questions, or of raters (rows) by questions."""
    return matrix(
        names, cells, columns=columns, title=title, reason=reason, width=width,
        ends=(-1.0, 1.0), middle=0.0, meaning=f"{measure} of row and column.",
    )  # fmt: skip


def citation_by_rank(
    by_group: Sequence[Curve], *, title: str = "Probability of citation by rank",
    reason: str = NO_DATA, width: int = WIDE,
    confidence: float = 0.95,
) -> str:  # fmt: skip
    """x: rank of the passage from 1; y: share of responses that cite it, with its interval."""
    return curves(
        by_group, title=title, axis="rank of the passage", height_axis="share that cite it",
        heights=(0.0, 1.0), reason=reason,
        width=width, confidence=confidence,
    )  # fmt: skip


def citation_density(
    by_group: Sequence[Curve], *, title: str = "Where citations stand in a text",
    reason: str = NO_DATA, width: int = WIDE,
    confidence: float = 0.95,
) -> str:  # fmt: skip
    """x: normalised position (0 start, 1 end); y: density, 1 if citations stood evenly."""
    return curves(
        by_group, title=title, axis="position in the text (0 start, 1 end)",
        height_axis="density of citations", domain=(0.0, 1.0),
        references=[Reference(1.0, "evenly spread")], reason=reason,
        width=width, confidence=confidence,
    )  # fmt: skip


def reuse(
    by_group: Sequence[Curve], *, title: str = "Reuse of the cited passages",
    measure: str = "sentence BLEU", cut: float | None = None, reason: str = NO_DATA,
    width: int = WIDE,
) -> str:  # fmt: skip
    """x: overlap of a statement with its source (0 to 100); y: share of statements up to it."""
    return curves(
        by_group, title=title, axis=measure, height_axis="share of statements up to it",
        domain=(0.0, 100.0), heights=(0.0, 1.0), reason=reason, width=width,
    )  # fmt: skip


def readability(
    samples: Sequence[Sample], *, sources: float | None = None,
    title: str = "Readability", reason: str = NO_DATA, width: int = WIDE,
) -> str:  # fmt: skip
    """Flesch reading ease by group; `sources` is the median of the cited documents."""
    return boxes(
        samples, title=title, axis="Flesch reading ease (higher is easier)", digits=1,
        references=[] if sources is None else [Reference(sources, "cited documents, median")],
        reason=reason, width=width,
    )  # fmt: skip


def stability(
    by_group: Sequence[Curve], *, title: str = "Stability of the ranking",
    measure: str = "Kendall’s tau with the full ranking", axis: str = "votes an item",
    reason: str = NO_DATA, width: int = WIDE,
    confidence: float = 0.95,
) -> str:  # fmt: skip
    """x: how much data (votes an item, topics, pairs); y: correlation with the full ranking."""
    return curves(
        by_group, title=title, axis=axis, height_axis=measure,
        references=[Reference(1.0, "same ranking")], reason=reason,
        width=width, confidence=confidence,
    )  # fmt: skip
