"""Matrices of numbers between two ends around a middle: win probabilities, correlations."""

from collections.abc import Callable, Container, Iterator, Sequence
from itertools import groupby

from analysis.plots.empty import NO_DATA, empty
from analysis.plots.marks import WIDE, box, line, text
from analysis.plots.markup import CannotPlot, Markup, document, finite, plain, tag, words
from analysis.plots.scales import LinearScale
from analysis.plots.text_fitting import LINE, SMALL, distinct, extent, number, wrap

_STRONGEST = 0.5  # opacity of the ends; ink on it keeps a contrast of 4.5
_ROW, _FLAT_ROW = 26.0, 18.0  # height of a row; of one whose cells have no numbers
_TOUCHED = 12.0  # a cell narrower than this has neither number nor hover
_ABOVE, _BELOW = "plot-c1", "plot-c2"


def matrix(
    names: Sequence[str],
    cells: Sequence[Sequence[float | None]],
    *,
    title: str,
    meaning: str,
    columns: Sequence[str] | None = None,
    ends: tuple[float, float] = (0.0, 1.0),
    middle: float = 0.5,
    digits: int = 2,
    marked: Container[tuple[int, int]] = (),
    description: str = "",
    reason: str = NO_DATA,
    width: int = WIDE,
    written: Callable[[float, int], str] = number,
) -> str:
    """Draw `cells[i][j]` of row i and column j; None is blank. `meaning` explains it in a sentence.

    Columns carry the numbers of their names (which are those of the rows by default). Shade
    grows with the distance from the middle; a cell below it is underlined. Numbers are printed
    where they fit; those of the `marked` cells (row, column) are bold. `written` returns a cell as
    text, from its value and the decimals.

    Raises CannotPlot (not_finite, not_square).

    >>> matrix(["A", "B"], [[None, 0.7], [0.3, None]], title="Wins", meaning="row beats column")[:4]
    '<svg'
    """
    heads = names if columns is None else columns
    if len(cells) != len(names) or any(len(row) != len(heads) for row in cells):
        raise CannotPlot(
            "not_square",
            "A matrix needs one row of cells for each name, each with one cell for each column.",
        )
    values = [
        [None if c is None else finite(c, names[i]) for c in row] for i, row in enumerate(cells)
    ]
    if not names or not heads:
        return empty(reason, title=title, width=width)
    note = f"{meaning} Underlined: below {number(middle, digits)}."
    lines = wrap(note, width, lines=3, size=SMALL)
    lines += _key(heads, width) if columns is not None else []
    numbered = [f"{k + 1} {name}" if columns is None else name for k, name in enumerate(names)]
    left = min(max(extent(plain(name)) for name in numbered) + 10, width * 0.34)
    top = LINE * len(lines) + 24
    short = distinct(numbered, left - 8)
    x = LinearScale(0, len(heads), left, width - 2)
    shade = _Shade(ends, middle, digits, (width - 2 - left) / len(heads), written)
    return document(
        *(text(0, LINE * (k + 1) - 4, line, "plot-small") for k, line in enumerate(lines)),
        *_heads(len(heads), x, top - 6),
        *(
            _row(
                short[numbered[i]],
                names[i],
                row,
                heads,
                x,
                top + shade.row * i,
                shade,
                bold={j for j in range(len(heads)) if (i, j) in marked},
            )
            for i, row in enumerate(values)
        ),
        title=title,
        description=description or describe(names, values, heads, meaning, digits, written),
        width=width,
        height=top + shade.row * len(names) + 2,
        kind="matrix",
    )


def describe(
    names: Sequence[str],
    cells: Sequence[Sequence[float | None]],
    heads: Sequence[str],
    meaning: str,
    digits: int = 2,
    written: Callable[[float, int], str] = number,
) -> str:
    """Return the highest and the lowest cell in sentences."""
    values = [
        (cell, names[i], heads[j])
        for i, row in enumerate(cells)
        for j, cell in enumerate(row)
        if cell is not None
    ]
    start = f"{meaning} {len(names)} rows, {len(heads)} columns."
    if not values:
        return f"{start} All cells are empty."
    sentences = [
        f"{word} {written(cell, digits)} ({row}, {column})"
        for word, (cell, row, column) in (("Highest", max(values)), ("lowest", min(values)))
    ]
    return f"{start} {', '.join(sentences)}."


def _key(heads: Sequence[str], width: float) -> list[str]:
    """Return the names of the columns with their numbers."""
    key = "Columns: " + ", ".join(f"{k + 1} {head}" for k, head in enumerate(heads))
    return wrap(key, width, lines=8, size=SMALL)


def _heads(count: int, x: LinearScale, y: float) -> list[Markup]:
    """Return numbers of the columns; as many as there is room for."""
    room = extent(str(count), SMALL) + 12
    step = next(s for s in (1, 2, 5, 10, 20, 50, 10**9) if s * (x(1) - x(0)) >= room or s > count)
    shown = [k for k in range(1, count + 1) if k % step == 0 or step == 1]
    half = extent(str(count), SMALL) / 2
    return [
        text(min(max(x(k - 0.5), half), x.end - half), y, str(k), "plot-small", anchor="middle")
        for k in shown
    ]


class _Shade:
    """Look of a cell: side of the middle, opacity, and whether its number fits."""

    def __init__(
        self,
        ends: tuple[float, float],
        middle: float,
        digits: int,
        room: float,
        number: Callable[[float, int], str],
    ) -> None:
        self.ends, self.middle, self.digits, self.room = ends, middle, digits, room
        self.number = number
        self.row = _FLAT_ROW if room < _TOUCHED else _ROW

    def look(self, value: float) -> tuple[str, float]:
        low, high = self.ends
        far = high - self.middle if value >= self.middle else self.middle - low
        share = min(abs(value - self.middle) / far, 1.0) if far > 0 else 1.0
        step = 0.05 if self.room < _TOUCHED else 0.01
        return _ABOVE if value >= self.middle else _BELOW, round(share * _STRONGEST / step) * step

    def written(self, value: float) -> str:
        full = self.number(value, self.digits)
        brief = full.replace("0.", ".", 1) if full.lstrip("−<>").startswith("0.") else full
        for number_text in (full, brief, self.number(value, 1)):
            if extent(number_text, SMALL) + 2 <= self.room:
                return number_text
        return ""


def _row(
    label: str,
    name: str,
    cells: Sequence[float | None],
    heads: Sequence[str],
    x: LinearScale,
    y: float,
    shade: _Shade,
    bold: Container[int],
) -> Markup:
    parts = [text(0, y + shade.row / 2 + 4, label, full=name)]
    if shade.room < _TOUCHED:
        return tag("g", *parts, *_runs(cells, x, y, shade))
    for j, cell in enumerate(cells):
        if cell is None:
            continue
        written, base = shade.written(cell), y + shade.row / 2 + SMALL * 0.35
        look = "plot-figure plot-strong" if j in bold else "plot-figure"
        parts.append(
            tag(
                "g",
                tag("title", words(f"{name}, {heads[j]}: {shade.number(cell, shade.digits)}")),
                *_cell(x(j), x(j + 1), y, shade.row, shade.look(cell)),
                text(x(j + 0.5), base, written, look, anchor="middle"),
            )
        )
    return tag("g", *parts)


def _runs(
    cells: Sequence[float | None], x: LinearScale, y: float, shade: _Shade
) -> Iterator[Markup]:
    """Yield boxes of cells too small to be touched: neighbours of the same look share one."""
    looks = [None if cell is None else shade.look(cell) for cell in cells]
    start = 0
    for look, run in groupby(looks):
        end = start + len(list(run))
        if look is not None:
            yield from _cell(x(start), x(end), y, shade.row, look)
        start = end


def _cell(
    start: float, end: float, y: float, high: float, look: tuple[str, float]
) -> Iterator[Markup]:
    colour, opacity = look
    yield box(start, y, end, y + high, f"plot-cell {colour}", opacity)
    if colour == _BELOW:
        yield line(start + 1, y + high - 3, max(end - 1, start + 1), y + high - 3, "plot-under")
