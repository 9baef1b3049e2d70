"""Columns of the tables that analyses return: title and form of their numbers."""

from dataclasses import dataclass
from enum import StrEnum


class NumberFormat(StrEnum):
    """Form of the numbers of a column."""

    THREE = "three decimals"
    TWO = "two decimals"
    WHOLE = "whole"  # a number that is not keeps its decimals
    ROUNDED = "rounded to a whole number"
    SHARE = "in per cent"
    CHANCE = "a p-value"


@dataclass(frozen=True)
class Column:
    """Title and form of a column; the title is by default the stored name.

    A hidden column is only in files.
    """

    title: str = ""
    form: NumberFormat = NumberFormat.THREE
    hidden: bool = False


# What every row says alike, or the record of the run tells.
HIDDEN = Column(hidden=True)
COUNT = Column(form=NumberFormat.WHOLE)
TWO_DIGITS = Column(form=NumberFormat.TWO)
SHARE = Column(form=NumberFormat.SHARE)
N, P, SD = Column("n", NumberFormat.WHOLE), Column("p", NumberFormat.CHANCE), Column("SD")
