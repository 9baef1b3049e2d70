"""Agreement as a forest of alphas, for several analyses."""

from collections.abc import Sequence

from analysis.plots.forest import ForestEstimate, forest
from analysis.plots.marks import WIDE
from analysis.plots.rows import Reference


def agreement(
    rows: Sequence[ForestEstimate],
    *,
    title: str,
    null_name: str = "chance level (shuffled votes)",
    width: int = WIDE,
    confidence: float = 0.95,
) -> str:
    """Draw Krippendorff's alpha against chance (0), and against the null of each row if it has one.

    With several ways of counting (all votes; kept votes, cross-fitted; kept votes, in sample)
    the question is the group and the way is the label; `null_name` explains the null.
    """
    permuted = any(row.null_low is not None for row in rows)
    return forest(
        rows,
        title=title,
        axis="Krippendorff's alpha",
        references=[Reference(0.0, "chance")],
        digits=3,
        possible=(-1.0, 1.0),
        null_name=null_name if permuted else "",
        width=width,
        confidence=confidence,
    )
