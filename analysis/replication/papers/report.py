"""Report of a replica as one HTML file: printed and computed numbers, reasons of differences."""

from typing import Any

from django.conf import settings
from django.template.loader import render_to_string
from django.utils.safestring import mark_safe

from analysis.replication.papers.cells import PaperCell, Replica
from analysis.replication.report import stylesheet


def report(found: Replica) -> str:
    return render_to_string(
        "analysis/replication_paper.html",
        {
            "found": found,
            "tables": rows_of(found),
            "version": settings.VERSION,
            "styles": mark_safe(stylesheet()),
        },
    )


def rows_of(found: Replica) -> list[dict[str, Any]]:
    """Return each table with the rows that a page shows of it."""
    return [
        {"table": table, "rows": [_row(cell) for cell in table.cells]} for table in found.tables
    ]


def _row(cell: PaperCell) -> dict[str, Any]:
    decimals = _decimals(cell.half)
    return {
        "row": cell.row,
        "column": cell.column,
        "printed": "–" if cell.printed is None else _number(cell.printed, decimals),
        "computed": _number(cell.computed, decimals if cell.exact == 0 and not decimals else 4),
        "rule": cell.rule,
        "reason": cell.reason,
        "differs": cell.differs,
    }


def _decimals(half: float) -> int:
    return len(f"{2 * half:.6f}".rstrip("0").partition(".")[2])


def _number(value: float, decimals: int) -> str:
    written = f"{value:,.{decimals}f}"
    if "." in written and decimals == 4:
        written = written.rstrip("0").rstrip(".")
    return written.replace("-", "−")
