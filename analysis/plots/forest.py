"""Forest plots: estimates with their intervals, in groups, against a reference or a null."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from analysis.plots.empty import NO_DATA, empty
from analysis.plots.marks import SIGNS, WIDE, area, box, line, shape
from analysis.plots.markup import CannotPlot, Markup, finite, join
from analysis.plots.rows import PlotRow, Reference, rows_plot
from analysis.plots.scales import LinearScale, spanning
from analysis.plots.text_fitting import interval, interval_name


def bad_interval(label: str, low: object, high: object) -> CannotPlot:
    """Return the error of an interval without one end, or whose lower end is the higher one."""
    return CannotPlot("bad_interval", f"The interval of {label} is {low} to {high}.")


@dataclass(frozen=True)
class ForestEstimate:
    """A value, its interval (both ends or none) and the n behind it.

    `null_low` to `null_high` is the range of the value under the null, such as the range under
    permuted votes; it is drawn as a hollow band behind the mark.
    """

    label: str
    value: float
    low: float | None = None
    high: float | None = None
    n: int | None = None
    group: str = ""
    null_low: float | None = None
    null_high: float | None = None


def forest(
    estimates: Sequence[ForestEstimate],
    *,
    title: str,
    axis: str,
    confidence: float = 0.95,
    null_name: str = "",
    references: Sequence[Reference] = (),
    domain: tuple[float, float] | None = None,
    possible: tuple[float, float] | None = None,
    digits: int = 2,
    description: str = "",
    reason: str = NO_DATA,
    width: int = WIDE,
) -> str:
    """Draw one row an estimate, under the headings of their groups.

    `domain` fixes the axis, and `possible` limits the values; an interval beyond the axis ends in
    an arrow. Where the same few labels come back in every group, each has a sign of its own.
    Without estimates the reason is shown. Raises CannotPlot (not_finite, bad_interval).

    >>> forest([Estimate("A", 0.2, 0.1, 0.3, n=50)], title="Merits", axis="merit")[:4]
    '<svg'
    """
    rows = [_checked(estimate) for estimate in estimates]
    if not rows:
        return empty(reason, title=title, width=width)
    rows = [
        estimate
        for group in dict.fromkeys(r.group for r in rows)
        for estimate in rows
        if estimate.group == group
    ]
    marks = _signs(rows)
    scale = (
        LinearScale(*domain)
        if domain
        else spanning(_values(rows), among=[r.value for r in references], possible=possible)
    )
    named = interval_name(confidence)
    head = f"value [{named}]" if any(r.low is not None for r in rows) else "value"
    if any(r.n is not None for r in rows):
        head += ", n"
    return rows_plot(
        [
            PlotRow(row.label, row.group, _numbers(row, digits), _Mark(row, marks[row.label]))
            for row in rows
        ],
        scale,
        title=title,
        description=description or describe(rows, axis, references, named, digits),
        axis=axis,
        head=head,
        references=references,
        notes=[f"Hollow band: {null_name}"] if null_name else [],
        digits=digits,
        width=width,
        kind="forest",
    )  # fmt: skip


def describe(
    rows: Sequence[ForestEstimate],
    axis: str,
    references: Sequence[Reference],
    named: str,
    digits: int = 2,
) -> str:
    """Return the numbers in sentences: all of up to twelve rows, else the extremes."""
    shown = rows
    start = f"{axis}, with its {named}" if any(row.low is not None for row in rows) else axis
    if len(rows) > 12:
        ordered = sorted(rows, key=lambda row: row.value)
        shown = [ordered[-1], ordered[0]]
        start = f"{axis} of {len(rows)} rows, the highest and the lowest"
    sentences = "; ".join(
        f"{f'{row.group}, ' if row.group else ''}{row.label} {_numbers(row, digits)}"
        for row in shown
    )
    against = "".join(f" {r.label} is {r.said(digits)}." for r in references)
    return f"{start}: {sentences}.{against}"


@dataclass(frozen=True)
class _Mark:
    estimate: ForestEstimate
    series: int

    def __call__(self, scale: LinearScale, y: float) -> Markup:
        """Draw null band, interval, sign; an end beyond the axis is an arrow."""
        row, parts = self.estimate, []
        if row.null_low is not None and row.null_high is not None:
            parts.append(box(scale(row.null_low), y - 8, scale(row.null_high), y + 8, "plot-null"))
        if row.low is not None and row.high is not None:
            parts.append(line(scale(row.low), y, scale(row.high), y, "plot-interval"))
            parts += [_end(scale, end, y) for end in (row.low, row.high)]
        if scale.low <= row.value <= scale.high:
            parts.append(shape(self.series, scale(row.value), y))
        else:
            parts.append(_end(scale, row.value, y))
        return join(parts)


def _end(scale: LinearScale, value: float, y: float) -> Markup:
    x = scale(value)
    if scale.low <= value <= scale.high:
        return line(x, y - 4, x, y + 4, "plot-interval")
    back = 6 if value > scale.high else -6
    return area([(x, y), (x - back, y - 4), (x - back, y + 4)], "plot-arrow")


def _checked(row: ForestEstimate) -> ForestEstimate:
    for low, high in ((row.low, row.high), (row.null_low, row.null_high)):
        if (low is None) != (high is None) or (low is not None and high is not None and low > high):
            raise bad_interval(row.label, low, high)
    return replace(
        row,
        value=finite(row.value, row.label),
        low=_finite(row.low, row.label),
        high=_finite(row.high, row.label),
        null_low=_finite(row.null_low, row.label),
        null_high=_finite(row.null_high, row.label),
    )


def _finite(value: float | None, name: str) -> float | None:
    return None if value is None else finite(value, name)


def _values(rows: Sequence[ForestEstimate]) -> Iterable[float]:
    for row in rows:
        ends = (row.value, row.low, row.high, row.null_low, row.null_high)
        yield from (end for end in ends if end is not None)


def _numbers(row: ForestEstimate, digits: int) -> str:
    written = interval(row.value, row.low, row.high, digits)
    return written if row.n is None else f"{written}, {row.n:,}"


def _signs(rows: Sequence[ForestEstimate]) -> dict[str, int]:
    labels = list(dict.fromkeys(row.label for row in rows))
    if len(labels) == len(rows) or len(labels) > SIGNS:
        return dict.fromkeys(labels, 0)
    return {label: k for k, label in enumerate(labels)}
