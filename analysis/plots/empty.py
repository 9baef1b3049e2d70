"""Placeholder of a plot without data."""

from analysis.plots.marks import WIDE, box, text
from analysis.plots.markup import document
from analysis.plots.text_fitting import LINE, SIZE, wrap

NO_DATA = "No data yet."


def empty(reason: str = NO_DATA, *, title: str, width: int = WIDE) -> str:
    """Draw a box with the reason, such as the sentence of a CannotCompute.

    >>> empty("Alpha cannot be computed because every vote is 'a'.", title="Agreement")[:4]
    '<svg'
    """
    lines = wrap(reason or NO_DATA, width - 48, lines=6)
    height = 56 + LINE * len(lines)
    first = (height - LINE * (len(lines) - 1) + SIZE * 0.7) / 2
    return document(
        box(1, 1, width - 1, height - 1, "plot-empty"),
        *(
            text(width / 2, first + k * LINE, line, "plot-soft", anchor="middle", full=reason)
            for k, line in enumerate(lines)
        ),
        title=title,
        description=f"No plot: {reason or NO_DATA}",
        width=width,
        height=height,
        kind="empty",
    )
