"""Texts that a spreadsheet must not calculate, whoever writes the CSV. Pure."""

import re
from typing import Any

_SIGN = "=+\\-@＝＋－＠"  # Excel takes the full-width ones for the others
# The start of a cell; and inside of it where a spreadsheet that separates cells by semicolons or
# tabs, and does not see that the cell is quoted, begins another one.
_FORMULA = re.compile(f'^(?=[{_SIGN}\t\r\n])|(?<=[;\t\r\n])(?="*[{_SIGN}])')


def defused(cell: Any) -> Any:
    """A text with an apostrophe before whatever a spreadsheet would take for a formula.

    Numbers stay numbers, the negative ones, too; what is not known stays empty.
    """
    return _FORMULA.sub("'", cell) if isinstance(cell, str) else cell


# The same places, where apostrophes may stand already: one more is put there, or taken away.
_GUARDED = re.compile(f"""^(?='*[{_SIGN}\t\r\n])|(?<=[;\t\r\n])(?='*"*[{_SIGN}])""")
_GUARD = re.compile(f"""^'(?='*[{_SIGN}\t\r\n])|(?<=[;\t\r\n])'(?='*"*[{_SIGN}])""")


def guarded(cell: str) -> str:
    """As `defused`, so that `unguarded` finds the text again: apostrophes that stand in such a
    place get one more."""
    return _GUARDED.sub("'", cell)


def unguarded(cell: str) -> str:
    """The text that was `guarded`."""
    return _GUARD.sub("", cell)
