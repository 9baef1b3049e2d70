"""Columns of the tables that analyses return: title and form of their numbers."""

from dataclasses import dataclass
from enum import StrEnum


class Form(StrEnum):
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
    form: Form = Form.THREE
    hidden: bool = False


# What every row says alike, or the record of the run tells.
HIDDEN = Column(hidden=True)
COUNT = Column(form=Form.WHOLE)
TWO_DIGITS = Column(form=Form.TWO)
SHARE = Column(form=Form.SHARE)
N, P, SD = Column("n", Form.WHOLE), Column("p", Form.CHANCE), Column("SD")
