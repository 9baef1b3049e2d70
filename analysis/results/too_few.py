"""Intervals that a run stored in days when fewer works were enough for one: a page has none.

What is stored stays, in the tables of the run and in their files.
"""

import pandas as pd

from analysis.stats.effects.cost import LEAST_PAYMENTS

# Of which works there have to be enough, by the table: those of whose pay it speaks.
WORKS = {("cost", "units"): "payments", ("cost", "wage"): "assignments"}


def without_too_few(analysis: str, name: str, frame: pd.DataFrame) -> pd.DataFrame:
    """The table without the intervals that nobody would compute today."""
    works = WORKS.get((analysis, name), "")
    if not {works, "low", "high"} <= set(frame):
        return frame
    enough = frame[works] >= LEAST_PAYMENTS
    return frame.assign(low=frame["low"].where(enough), high=frame["high"].where(enough))
