"""Table 3 of Popp et al.: the cost of a participant and of all, from the mean time."""

import numpy as np

from analysis.replication.papers.cells import ExpectedValue, PaperCell, PaperTable, compared
from analysis.replication.table_rules import PrintedTable
from analysis.stats.effects.method_sizes import anova_size, chi2_size, whole

COSTS = "table3"
WAGE = 12.0  # EUR an hour
HOUR = 60.0  # minutes
SIZES = {  # by the method and a word of the column; hypotheses
    ("DQE", "text"): (
        whole(anova_size(groups=8, f=0.4)),
        "n of each of 8 groups, one-way ANOVA, f = .40, power .80 (hypothesis)",
    ),
    ("DQE", "llm"): (
        whole(anova_size(groups=4, f=0.3)),
        "n of each of 4 groups, one-way ANOVA, f = .30, power .80 (hypothesis)",
    ),
    ("AQC", "text"): (
        whole(chi2_size(df=7, w=0.3)),
        "observations, chi-square of 8 texts, w = .30, power .80 (hypothesis)",
    ),
}
LEAD = (
    "Costs are computed from the mean time at 12 EUR an hour, and from the printed number of "
    "participants. Times are printed in hundredths of a minute, so costs of many participants "
    "differ by some cents. The paper names neither test nor effect behind the numbers of "
    "participants; three fit conventional effects, the other five don't."
)


def costs(table: PrintedTable) -> PaperTable:
    """Compute c = t / 60 * 12 for one participant and n c for each n.

    The column of times has “time” or “min” in its name; a column of costs follows the column of its
    n, the first one without an n before it is the mean cost.
    """
    time = next((c for c, name in enumerate(table.columns) if _is_time(name)), None)
    expected, printed = {}, {}
    for c, column in enumerate(table.columns) if time is not None else ():
        if "cost" not in column.lower():
            continue
        has_n = c > 0 and c - 1 != time and "cost" not in table.columns[c - 1].lower()
        for r, row in enumerate(table.rows):
            n = table.values[r, c - 1] if has_n else 1.0
            minutes, half = table.values[r, time], table.exact[r, time]
            if np.isfinite([n, minutes, table.values[r, c]]).all():
                rule = "n × t / 60 × 12" if has_n else "t / 60 × 12"
                expected[row, column] = ExpectedValue(
                    float(n * minutes / HOUR * WAGE), float(n * half / HOUR * WAGE), rule
                )
                printed[row, column] = (float(table.values[r, c]), float(table.exact[r, c]))
    cells = [*compared(printed, expected), *_sizes(table)]
    return PaperTable(COSTS, "Table 3: costs", LEAD, cells)


def _sizes(table: PrintedTable) -> list[PaperCell]:
    """Return numbers of participants that conventional effects give; the paper names no test."""
    cells = []
    for (method, units), (n, rule) in SIZES.items():
        for r, c in np.argwhere(np.isfinite(table.values)):
            row, column = table.rows[r], table.columns[c]
            words = column.lower()
            if method in row.upper().split() and " n" in words and units in words:
                printed = float(table.values[r, c])
                cells.append(PaperCell(row, column, printed, n, 0.5, 0.0, rule, comparable=False))
    return cells


def inputs(table: PrintedTable) -> set[tuple[str, str]]:
    """Return the cells of times and numbers of participants."""
    names = [name for name in table.columns if "cost" not in name.lower()]
    return {(row, name) for row in table.rows for name in names}


def _is_time(name: str) -> bool:
    return any(word in name.lower() for word in ("time", "min"))
