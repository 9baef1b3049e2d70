"""Report of the replication as one HTML file with everything in it."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.template.loader import render_to_string
from django.utils.safestring import mark_safe

from analysis.plots.figure import Figure
from analysis.replication.cells import TableCells
from analysis.replication.comparison import ReportColumn, columns, every_cell
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
    known = [cell for cell in printed if cell.computed is not None]
    compared = [cell for cell in known if not cell.corrects]
    beyond = sum(cell.beyond for cell in compared)
    about = sum(cell.about for cell in compared)
    return Tally(
        compared=len(compared),
        near=len(compared) - beyond - about,
        about=about,
        beyond=beyond,
        corrected=len(known) - len(compared),
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
