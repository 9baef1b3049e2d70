"""Summary that the command prints: numbers that agree with print, that do not, that are missing."""

from collections.abc import Iterator

from analysis.replication.cells import TableCells
from analysis.replication.comparison import ComparedCell, columns
from analysis.replication.sections import SECTIONS


def summary(cells: TableCells) -> Iterator[str]:
    """Yield a line for each table and figure, then the cells that rounding cannot explain.

    Corrected values, which the report shows with the printed ones, are not listed.
    """
    different: dict[str, ComparedCell] = {}
    for section in SECTIONS:
        found = [cell for column in columns(section, cells) for cell in column.cells]
        printed = [cell for cell in found if cell.printed is not None and not cell.corrects]
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
