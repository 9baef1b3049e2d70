"""Report of the replication as one HTML file with everything in it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.template.loader import render_to_string
from django.utils.safestring import mark_safe

from analysis.plots.figure import Figure
from analysis.replication.cells import TableCells
from analysis.replication.comparison import ComparedCell, ReportColumn, columns, every_cell
from analysis.replication.figures import DRAWINGS
from analysis.replication.layout import PaperSection
from analysis.replication.printed_values import source
from analysis.replication.sections import SECTIONS

STYLES = Path("static") / "css"


@dataclass(frozen=True)
class ReportSection:
    """A table or figure as the template shows it."""

    section: PaperSection
    columns: Sequence[ReportColumn]
    figures: Sequence[Figure]


@dataclass(frozen=True)
class Tally:
    """Counts of printed cells by how they compare with the computed ones.

    about: within 5 % of a number that the paper prints as "about", and not equal. corrected: cells
    that replace wrong ones. empty: printed, but not computed.
    """

    compared: int
    near: int
    about: int
    beyond: int
    corrected: int
    empty: int


def tally(cells: TableCells) -> Tally:
    printed = [cell for cell in every_cell(cells) if cell.printed is not None]
    computed = [cell for cell in printed if cell.computed is not None]
    compared = [cell for cell in computed if not cell.corrects]
    beyond = sum(cell.beyond for cell in compared)
    about = sum(cell.about for cell in compared)
    return Tally(
        compared=len(compared),
        near=len(compared) - beyond - about,
        about=about,
        beyond=beyond,
        corrected=len(computed) - len(compared),
        empty=sum(cell.computed is None and not cell.corrects for cell in printed),
    )


def report(cells: TableCells) -> str:
    """Return the report as HTML: styles and drawings are in it, scripts are not."""
    parts = [
        ReportSection(
            section, columns(section, cells), [DRAWINGS[name](cells) for name in section.figures]
        )
        for section in SECTIONS
    ]
    return render_to_string(
        "analysis/replication.html",
        {
            "parts": parts,
            "tally": tally(cells),
            "missing": sorted(cells.missing.items()),
            "source": source(),
            "version": settings.VERSION,
            "styles": mark_safe(stylesheet()),
        },
    )


def stylesheet() -> str:
    """Return tokens and plots, for a file that stands alone: its fonts are the reader's."""
    tokens, plots = (
        (settings.BASE_DIR / STYLES / name).read_text(encoding="utf-8")
        for name in ("tokens.css", "plots.css")
    )
    return f"{tokens[tokens.index(':root') :]}\n{plots}\n"


def summary(cells: TableCells) -> Iterator[str]:
    """Yield a line for each table and figure, then the cells that rounding cannot explain.

    Corrected values, which the report shows with the printed ones, are not listed.
    """
    different: dict[str, ComparedCell] = {}
    for section in SECTIONS:
        section_cells = [cell for column in columns(section, cells) for cell in column.cells]
        printed = [cell for cell in section_cells if cell.printed is not None and not cell.corrects]
        compared = [cell for cell in printed if cell.computed is not None]
        beyond = [cell for cell in compared if cell.beyond]
        different |= {cell.path: cell for cell in beyond}
        about = sum(cell.about for cell in compared)
        empty = len(printed) - len(compared)
        yield (
            f"{section.title}: {len(compared)} cells compared, {len(beyond)} differ"
            + (f", {about} within 5 % of an “about”" if about else "")
            + (f", {empty} not computed" if empty else "")
        )
    if different:
        yield ""
        yield f"{'differs':52} {'printed':>9} {'computed':>9} {'difference':>10}"
    for path, cell in different.items():
        shown = cell.shown
        yield f"{path:52} {shown['printed']:>9} {shown['computed']:>9} {shown['difference']:>10}"
    if cells.missing:
        yield ""
    for reason in dict.fromkeys(cells.missing.values()):
        paths = [path for path, why in cells.missing.items() if why == reason]
        yield f"missing {paths[0]}{f' and {len(paths) - 1} more' if paths[1:] else ''}: {reason}"
