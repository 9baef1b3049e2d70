"""A plot in two widths, with its caption."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from analysis.plots.marks import NARROW, WIDE


class Svg(str):
    """Markup in which every word is escaped; templates insert it as it is."""

    __slots__ = ()

    def __html__(self) -> "Svg":
        return self


@dataclass(frozen=True)
class Figure:
    """A plot in both widths, its caption, and its numbers where no table is beside it."""

    title: str
    caption: str
    wide: Svg
    narrow: Svg
    columns: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = field(default_factory=list)
    name: str = ""  # that of its file, <analysis>-<number>

    @property
    def is_empty(self) -> bool:
        """True if only the reason is drawn why there is no plot."""
        return "plot-empty" in self.wide


def figure(
    draw: Callable[[str, int], str],
    *,
    title: str,
    caption: str,
    columns: Sequence[str] = (),
    rows: Sequence[Sequence[str]] = (),
) -> Figure:
    """Return the plot that `draw(title, width)` draws as SVG."""
    wide, narrow = (Svg(draw(title, width)) for width in (WIDE, NARROW))
    return Figure(title, caption, wide, narrow, columns, rows)
