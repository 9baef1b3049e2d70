"""Types of columns, one for all cells of a column.

polars and Arrow take the type of a column from its first rows, so they cannot read columns that mix
texts and numbers, or whole numbers and others.
"""

import math
import re
from collections.abc import Collection
from datetime import datetime
from enum import IntEnum

DIGITS = 10  # of probabilities, as published
Cell = str | int | float | None
_WHOLE = re.compile(r"0|-?[1-9][0-9]{0,17}")


class Type(IntEnum):
    """Type of a column; the maximum of two types holds the cells of both."""

    WHOLE = 0
    NUMBER = 1
    TEXT = 2


def type_of(codes: Collection[str]) -> Type:
    """Return the type of a column of answers with these codes."""
    return Type.WHOLE if codes and all(map(_WHOLE.fullmatch, codes)) else Type.TEXT


def cell_of(answer: str, column: Type) -> Cell:
    """Return an answer as a cell of a column of this type."""
    if column == Type.TEXT:
        return answer
    value = number(answer)
    return float(value) if column == Type.NUMBER and isinstance(value, int) else value


def number(text: str) -> Cell:
    """Return the number in a text that is written as numbers are; else the text."""
    try:
        value = float(text)
    except ValueError:
        return text
    if not math.isfinite(value) or f"{value:.15g}" != text:
        return text
    return int(value) if value.is_integer() else value


def rounded(probability: float | None) -> float | None:
    return None if probability is None else round(float(probability), DIGITS)


def iso(moment: datetime | None) -> str | None:
    """Return a moment as ISO 8601 with milliseconds."""
    return moment.isoformat(timespec="milliseconds") if moment else None
