"""Marks of data: places are in viewBox units, looks are classes.

Series differ by sign and dash as well as by colour, so that print and people who see colours
otherwise can distinguish them. There are seven signs, six colours and five dashes: their cycles
differ in length, so no two of the first 210 series look the same.
"""

from collections.abc import Sequence

from analysis.plots.markup import Markup, coordinate, tag, words

SIGNS, COLOURS = 7, 6
_DASHES = ("", "7 3", "2 3", "9 3 2 3", "4 2")
WIDE = 640  # widths of the two renderings, in viewBox units
NARROW = 320


def text(
    x: float, y: float, content: str, class_: str = "", *, anchor: str = "", full: str = ""
) -> Markup:
    """Draw a line of text on its baseline; `full` is shown on hover where content is elided."""
    hover = [tag("title", words(full))] if full and words(full) != words(content) else []
    if not content:
        return Markup("")
    return tag(
        "text", *hover, words(content), x=x, y=y,
        class_=class_ or None, text_anchor=anchor or None,
    )  # fmt: skip


def line(x1: float, y1: float, x2: float, y2: float, class_: str) -> Markup:
    return tag("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=class_)


def box(x1: float, y1: float, x2: float, y2: float, class_: str, opacity: float = 1) -> Markup:
    """Draw a rectangle between two corners."""
    return tag(
        "rect", x=min(x1, x2), y=min(y1, y2), width=abs(x2 - x1), height=abs(y2 - y1),
        class_=class_, fill_opacity=None if opacity == 1 else f"{opacity:.2f}",
    )  # fmt: skip


def path(points: Sequence[tuple[float, float]], class_: str, *, series: int = -1) -> Markup:
    """Draw a line through the points, dashed as its series is."""
    return tag(
        "polyline",
        points=" ".join(f"{coordinate(x)},{coordinate(y)}" for x, y in points),
        class_=class_,
        stroke_dasharray=_DASHES[series % len(_DASHES)] or None if series >= 0 else None,
    )


def area(points: Sequence[tuple[float, float]], class_: str) -> Markup:
    written = " ".join(f"{coordinate(x)},{coordinate(y)}" for x, y in points)
    return tag("polygon", points=written, class_=class_)


def shape(series: int, x: float, y: float, r: float = 5) -> Markup:
    """Draw the sign of a series: disc, square, diamond, ring, triangle, cross, triangle down."""
    kind, colour = series % SIGNS, f"plot-fill {colour_of(series)}"
    if kind == 0:
        return tag("circle", cx=x, cy=y, r=r, class_=colour)
    if kind == 1:
        side = r * 0.9
        return box(x - side, y - side, x + side, y + side, colour)
    if kind == 2:
        return area([(x, y - r), (x + r, y), (x, y + r), (x - r, y)], colour)
    if kind == 3:
        return tag("circle", cx=x, cy=y, r=r * 0.85, class_=f"plot-ring {colour_of(series)}")
    if kind == 4:
        return area([(x, y - r), (x + r, y + r * 0.8), (x - r, y + r * 0.8)], colour)
    if kind == 6:
        return area([(x, y + r), (x + r, y - r * 0.8), (x - r, y - r * 0.8)], colour)
    arm = r * 0.8
    d = f"M{coordinate(x - arm)} {coordinate(y - arm)}L{coordinate(x + arm)} {coordinate(y + arm)}"
    d += f"M{coordinate(x - arm)} {coordinate(y + arm)}L{coordinate(x + arm)} {coordinate(y - arm)}"
    return tag("path", d=d, class_=f"plot-cross {colour_of(series)}")


def colour_of(series: int) -> str:
    return f"plot-c{series % COLOURS + 1}"
