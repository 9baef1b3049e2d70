"""SGSS (Sakai et al.): the examples of figures 3 and 4 from their patterns.

The labels of the paper are not published: its examples are the inputs.
"""

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np

from analysis.replication.papers.cells import ExpectedValue, PaperTable, Replica, compared
from analysis.replication.papers.table_files import BadTable, tables_in
from analysis.replication.table_rules import PrintedTable
from analysis.stats.arrays import Floats
from analysis.stats.errors import CannotCompute
from analysis.stats.summaries.comprehensiveness import comprehensiveness
from analysis.stats.summaries.user_experience import (
    RatedSection,
    RatedSummary,
    Weights,
    mean_gains,
    xux,
    xux_by_section,
)

SOURCE = "Sakai et al., figures 3 and 4"
NOTES = (
    "Equation 3 prints F(I) in the sum; the examples are correct with F(l).",
    "The examples of Comp are correct only with logarithms to base 2 and gains 1, ½ and 0.",
    "Section 3.4 prints I > 1 for the number of sections of a summary; its text asks for one.",
)
EVEN = Weights(os=1 / 3, of=1 / 3, or_=1 / 3, hr=1, srel=1 / 2, sf=1 / 2)
Cells = dict[tuple[str, str], ExpectedValue]


def replicate(folder: Path) -> Replica:
    """Compare the paper's examples in a folder with their patterns. Raises BadTable."""
    printed = tables_in(folder, list(FIGURES))
    replica = Replica(
        "sgss", "SGSS: expected user experience and comprehensiveness", SOURCE, notes=list(NOTES)
    )
    for name, make in FIGURES.items():
        if name in printed:
            replica.tables.append(make(name, printed[name]))
        else:
            replica.missing[name] = f"{name}.csv is not in the folder."
    return replica


def _numbered(table: PrintedTable, pattern: str) -> list[int]:
    """Return the columns of a series, s1, s2, ..., in the order of their numbers."""
    places = {
        int(match[1]): place
        for place, name in enumerate(table.columns)
        if (match := re.fullmatch(pattern, name.strip(), re.IGNORECASE))
    }
    return [places[number] for number in sorted(places)]


def _user_experience(name: str, table: PrintedTable) -> PaperTable:
    """Return figure 3: a row a pattern; X1, X2, ..., XUX and XUX_F follow from s1, s2, ...

    s1, s2, ...: the worth of each section of a heading and one statement.
    """
    sections = _numbered(table, r"s(\d+)")
    if not sections:
        raise BadTable("missing_columns", f"{name}.csv has no columns s1, s2, ... of sections.")
    expected: Cells = {}
    for r, row in enumerate(table.rows):
        worth = table.values[r, sections]
        if np.isfinite(worth).all():
            summary = RatedSummary(1, 1, 1, [RatedSection([w], [w], [w]) for w in worth.tolist()])
            for line, value in enumerate(mean_gains(summary, EVEN), start=1):
                expected[row, f"X{line}"] = ExpectedValue(
                    float(value), 0.0, "mean gain up to this line"
                )
            expected[row, "XUX"] = ExpectedValue(
                xux(summary, EVEN), 0.0, "mean of X over the lines"
            )
            ends = xux_by_section(summary, EVEN)
            expected[row, "XUX_F"] = ExpectedValue(ends, 0.0, "mean of X at the ends of parts")
    lead = "One heading and one statement per section; each line is worth at most 1."
    return PaperTable(
        name, "Figure 3: expected user experience", lead, compared(_printed(table), expected)
    )


def _comprehensiveness(name: str, table: PrintedTable) -> PaperTable:
    """Return figure 4: a row an example; Comp follows from the coverage g1, g2, ... of sections."""
    gains = _numbered(table, r"g(\d+)")
    if not gains:
        raise BadTable("missing_columns", f"{name}.csv has no columns g1, g2, ... of coverage.")
    expected: Cells = {}
    for r, row in enumerate(table.rows):
        value = _comp(table.values[r, gains])
        if value is not None:
            expected[row, "Comp"] = ExpectedValue(value, 0.0, "Comp of the gains, base 2")
    lead = "Own sections have gain 1, others 1, ½ or 0."
    return PaperTable(
        name, "Figure 4: comprehensiveness", lead, compared(_printed(table), expected)
    )


def _comp(gains: Floats) -> float | None:
    """Return Comp; None where it is not defined."""
    try:
        return comprehensiveness([float(gain) for gain in gains if np.isfinite(gain)])
    except CannotCompute:
        return None


def _printed(table: PrintedTable) -> dict[tuple[str, str], tuple[float, float]]:
    """Return printed numbers by the names that are computed: XUX-F is XUX_F."""
    names = {
        column: re.sub(r"[\s-]", "_", column.strip()).upper().replace("COMP", "Comp")
        for column in table.columns
    }
    return {
        (row, names[column]): (float(table.values[r, c]), float(table.exact[r, c]))
        for r, row in enumerate(table.rows)
        for c, column in enumerate(table.columns)
        if np.isfinite(table.values[r, c])
    }


FIGURES: dict[str, Callable[[str, PrintedTable], PaperTable]] = {
    "figure3": _user_experience,
    "figure4": _comprehensiveness,
}
