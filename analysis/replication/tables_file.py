"""Every computed number as tables.json for other programs; the same data give the same bytes."""

import json

from analysis.replication.cells import TableCells


def tables_json(cells: TableCells) -> str:
    """Return the tables by name, intervals and sizes by the path of a cell, and missing cells."""
    tables = {name: cells.values[name] for name in sorted(cells.values)}
    beside = {
        "intervals": dict(sorted(cells.intervals.items())),
        "sizes": dict(sorted(cells.sizes.items())),
        "missing": dict(sorted(cells.missing.items())),
    }
    return json.dumps(tables | beside, indent=1, allow_nan=False) + "\n"
