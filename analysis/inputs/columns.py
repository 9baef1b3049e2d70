"""Columns of the tables that analyses return: title and form of their numbers."""

from dataclasses import dataclass
from enum import StrEnum


class Form(StrEnum):
    """How the numbers of a column are written."""

    THREE = "three decimals"
    TWO = "two decimals"
    WHOLE = "whole"  # a number that is not keeps its decimals
    ROUNDED = "rounded to a whole number"
    SHARE = "in per cent"
    CHANCE = "a p-value"


@dataclass(frozen=True)
class Column:
    """What a column is called; without a title, as it is stored. A hidden one is in files alone."""

    title: str = ""
    form: Form = Form.THREE
    hidden: bool = False


# What every row says alike, or the record of the run tells.
HIDDEN = Column(hidden=True)
COUNT = Column(form=Form.WHOLE)
TWO_DIGITS = Column(form=Form.TWO)
SHARE = Column(form=Form.SHARE)
N, P, SD = Column("n", Form.WHOLE), Column("p", Form.CHANCE), Column("SD")
