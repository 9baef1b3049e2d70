"""Intervals of earlier versions that would not be computed today; pages leave them out.

These are intervals over too few works, and intervals of no width. Stored tables and their files
keep them.
"""

import pandas as pd

from analysis.inputs.analysis_input import without_flat_intervals
from analysis.stats.effects.cost import LEAST_PAYMENTS

# Of which works there have to be enough, by the table: those of whose pay it speaks.
WORKS = {("cost", "units"): "payments", ("cost", "wage"): "assignments"}


def without_too_few(analysis: str, name: str, frame: pd.DataFrame) -> pd.DataFrame:
    """Return the table without the intervals that would not be computed today."""
    frame = without_flat_intervals(frame)
    works = WORKS.get((analysis, name), "")
    if not {works, "low", "high"} <= set(frame):
        return frame
    enough = frame[works] >= LEAST_PAYMENTS
    return frame.assign(low=frame["low"].where(enough), high=frame["high"].where(enough))
