"""Tables of a study that is still open: without intervals that hold for one look alone.

Who looks at a running study again and again, and stops at what looks clear, errs too often with an
interval that was made for one look. Tables whose intervals hold at every look (stats.sequential)
are named by their analysis; of the others the numbers stay, and intervals and p-values appear when
the study is closed.
"""

from collections.abc import Mapping

import pandas as pd

from analysis.inputs.analysis_input import Table, Tables, frame_of, table
from analysis.inputs.columns import Column, NumberFormat
from analysis.inputs.definition import Analysis
from annotation.texts.sentences import marked

ON_CLOSING = marked("More intervals and tests appear when the study closes.")
CLAIMS = ("ahead", "letters", "finding", "within")  # columns that follow from an interval


def fixed_intervals_hidden(tables: Tables, analysis: Analysis, *, as_published: bool) -> Tables:
    """Return the tables, without intervals that do not hold at every look.

    as_published: the run follows a published pipeline, whose intervals are all of one look.
    """
    kept = () if as_published else analysis.sequential
    return {
        name: frame if name in kept else _hidden(frame, analysis.columns_of(name))
        for name, frame in tables.items()
    }


def _hidden(found: Table, columns: Mapping[str, Column]) -> Table:
    frame = frame_of(found)
    names = [name for name in map(str, frame.columns) if _is_claim(name, frame, columns.get(name))]
    return table(frame.assign(**dict.fromkeys(names, pd.Series(dtype=object)))) if names else found


def _is_claim(name: str, frame: pd.DataFrame, column: Column | None) -> bool:
    """Return whether a column is an end of an interval, a p-value or what follows from them.

    The range that shuffled votes reach is no interval.
    """
    if name.startswith("null_") and name != "null_p":
        return False
    for end, other in (("low", "high"), ("high", "low")):
        if name.endswith(end) and name.removesuffix(end) + other in frame:
            return True
    is_p = column is not None and column.form == NumberFormat.CHANCE
    return name in CLAIMS or (is_p and pd.api.types.is_numeric_dtype(frame[name]))
