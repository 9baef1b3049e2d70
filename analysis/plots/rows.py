"""Plots with one row for each thing: its name, a mark on a common axis, its numbers.

Wide: three columns. Narrow: name and numbers on one line, the mark on a line below, so that a
telephone shows the whole axis without scrolling.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from analysis.plots.marks import WIDE, box, line, text
from analysis.plots.markup import Markup, document, plain, tag, words
from analysis.plots.scales import LinearScale, axis_below
from analysis.plots.text_fitting import LINE, SIZE, SMALL, distinct, elide, extent, number, wrap

STACKED_BELOW = 480
_GAP = 14.0


@dataclass(frozen=True)
class PlotRow:
    """A row of a plot; `draw` makes the mark from the scale and the middle of the row."""

    label: str
    group: str
    numbers: str
    draw: Callable[[LinearScale, float], Markup]


@dataclass(frozen=True)
class Reference:
    """A value that everything is compared with, and its name; drawn as a dashed line."""

    value: float
    label: str

    def said(self, digits: int) -> str:
        """Return its value as text; 0 is not rounded."""
        return number(self.value, digits) if self.value else "0"


@dataclass(frozen=True)
class _Frame:
    """Horizontal places of the columns."""

    width: float
    stacked: bool
    names: float  # room of the names
    start: float  # of the axis
    end: float
    indent: float
    short: Mapping[str, str]  # label -> what of it fits

    def high(self) -> float:
        return 46.0 if self.stacked else 24.0


def rows_plot(
    rows: Sequence[PlotRow],
    scale: LinearScale,
    *,
    title: str,
    description: str,
    axis: str,
    head: str,
    references: Sequence[Reference] = (),
    notes: Sequence[str] = (),
    digits: int = 2,
    width: int = WIDE,
    kind: str,
) -> str:
    """Draw all rows under the headings of their groups; `head` explains the numbers.

    Rows of a group must be adjacent; groups keep the order of their first row.
    """
    frame = _frame(rows, head, width)
    scale = scale.on(frame.start, frame.end)
    body: list[Markup] = []
    noted = [note_line for note in notes for note_line in wrap(note, width, lines=3, size=SMALL)]
    for k, note_line in enumerate(noted):
        body.append(text(0, LINE * (k + 1), note_line, "plot-small"))
    named, y = _references(references, scale, frame, 4 + LINE * len(noted), digits)
    body.append(text(width, y + 14, head, "plot-small", anchor="end"))
    y = top = y + 22
    for group, members in groupby(rows, key=lambda row: row.group):
        drawn, y = _group(group, list(members), scale, frame, y)
        body.append(drawn)
    ground = [axis_below(scale, y + 4, width=width, top=top, label=axis)]
    ground += [
        line(scale(null.value), top - 6, scale(null.value), y + 4, "plot-reference")
        for null in references
    ]
    return document(
        *ground, *named, *body,
        title=title, description=description, width=width, height=y + 44, kind=kind,
    )  # fmt: skip


def _frame(rows: Sequence[PlotRow], head: str, width: float) -> _Frame:
    indent = 12.0 if any(row.group for row in rows) else 0.0
    if width < STACKED_BELOW:
        taken = min(max(extent(row.numbers, SMALL) for row in rows) + 10, width * 0.7)
        short = distinct((row.label for row in rows), width - indent - taken)
        return _Frame(width, True, width, 8, width - 8, indent, short)
    numbers = max(extent(head, SMALL), *(extent(row.numbers, SMALL) for row in rows))
    numbers = min(numbers, width * 0.36)
    # Names have a third, and what short numbers leave: the axis keeps two fifths.
    room = max(width * 0.34, width * 0.6 - numbers - 2 * _GAP)
    names = min(max(extent(plain(row.label)) for row in rows) + indent, room)
    short = distinct((row.label for row in rows), names - indent)
    return _Frame(width, False, names, names + _GAP, width - numbers - _GAP, indent, short)


def _references(
    references: Sequence[Reference], scale: LinearScale, frame: _Frame, y: float, digits: int
) -> tuple[list[Markup], float]:
    """Return the names of the references, each above its line, one line of text for each."""
    parts = []
    for reference in references:
        y += LINE
        label = f"{reference.label} {reference.said(digits)}".strip()
        lines = wrap(label, frame.width, lines=1)
        half = extent(lines[0]) / 2
        x = min(max(scale(reference.value), half), frame.width - half)
        parts.append(text(x, y - 3, lines[0], "plot-note", anchor="middle", full=label))
    return parts, y


def _group(
    group: str, rows: Sequence[PlotRow], scale: LinearScale, frame: _Frame, y: float
) -> tuple[Markup, float]:
    parts = []
    if group:
        for heading_line in wrap(group, frame.width if frame.stacked else frame.width * 0.6):
            y += LINE + 3
            parts += [
                *_cleared(heading_line, frame, 0, y - LINE),
                text(0, y - 4, heading_line, "plot-strong plot-halo", full=group),
            ]
    for row in rows:
        parts.append(_row(row, scale, frame, y))
        y += frame.high()
    return tag("g", *parts), y + (4 if group else 0)


def _cleared(name: str, frame: _Frame, x: float, y: float) -> list[Markup]:
    """Return paper behind a name on the axis, so that no dashed line crosses letters."""
    if not frame.stacked:
        return []
    return [box(x, y, min(x + extent(name) * 1.1 + 4, frame.width), y + LINE, "plot-clear")]


def _cleared_numbers(numbers: str, frame: _Frame, y: float) -> list[Markup]:
    """Return paper behind the numbers at the end of a line on the axis."""
    if not (frame.stacked and numbers):
        return []
    start = max(frame.width - extent(numbers, SMALL) * 1.1 - 4, 0)
    return [box(start, y, frame.width, y + LINE, "plot-clear")]


def _row(row: PlotRow, scale: LinearScale, frame: _Frame, y: float) -> Markup:
    middle = y + (30 if frame.stacked else 12)
    base = y + 15 if frame.stacked else middle + SIZE * 0.35
    halo = " plot-halo" if frame.stacked else ""
    room = frame.width * 0.7 - 10 if frame.stacked else frame.width - frame.end
    numbers = elide(row.numbers, room, SMALL)
    hover = f"{row.group and row.group + ', '}{row.label}: {row.numbers}"
    return tag(
        "g",
        tag("title", words(hover)),
        box(0, y, frame.width, y + frame.high(), "plot-hit"),
        *_cleared(frame.short[row.label], frame, frame.indent, y + 2),
        *_cleared_numbers(numbers, frame, y + 2),
        row.draw(scale, middle),
        text(frame.indent, base, frame.short[row.label], halo.strip(), full=row.label),
        text(frame.width, base, numbers, f"plot-small{halo}", anchor="end"),
    )
