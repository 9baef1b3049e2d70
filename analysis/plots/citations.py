"""Citations by rank, position and overlap, for analyses and the replication."""

from collections.abc import Sequence

from analysis.plots.curves import Curve, curves
from analysis.plots.marks import WIDE
from analysis.plots.rows import Reference


def by_rank(
    by_group: Sequence[Curve], *, title: str, width: int = WIDE, confidence: float = 0.95
) -> str:
    """Draw the share of responses (y) that cite each rank (x, from 1), with its interval."""
    return curves(
        by_group,
        title=title,
        axis="rank of the passage",
        height_axis="share of texts citing it",
        heights=(0.0, 1.0),
        width=width,
        confidence=confidence,
    )


def density(
    by_group: Sequence[Curve], *, title: str, width: int = WIDE, confidence: float = 0.95
) -> str:
    """Draw the density (y, 1 if citations were spread evenly) by position (x, 0 start to 1 end)."""
    return curves(
        by_group,
        title=title,
        axis="position in the text (0 start, 1 end)",
        height_axis="density of citations",
        domain=(0.0, 1.0),
        references=[Reference(1.0, "evenly spread")],
        width=width,
        confidence=confidence,
    )


def reuse(by_group: Sequence[Curve], *, title: str, width: int = WIDE) -> str:
    """Draw the share of statements (y) up to each overlap with the source (x, 0 to 100)."""
    return curves(
        by_group,
        title=title,
        axis="sentence BLEU",
        height_axis="share of statements",
        domain=(0.0, 100.0),
        heights=(0.0, 1.0),
        width=width,
    )
