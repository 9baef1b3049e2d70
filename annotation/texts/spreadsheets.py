"""CSV as text: unchanged for programs, or safe to open in Excel. Pure.

A file for programs holds every text as it is, and has no byte order mark. A file for Excel begins
with one, so that Excel reads UTF-8, and no cell of it is a formula. Its name ends with
`.excel.csv`: by that our importers know that apostrophes were added, and remove them.
"""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from typing import Any

BOM = "\ufeff"
EXCEL = "excel.csv"  # what names of files for Excel end with; browsers number copies before `.csv`
_FOR_EXCEL = re.compile(r"\.excel\b[^/]*\.csv(\.gz)?", re.IGNORECASE)


class Csv:
    """Rows as CSV; `excel` for a file that Excel opens."""

    def __init__(
        self, *, excel: bool = False, terminator: str = "\r\n", quoting: Any = csv.QUOTE_MINIMAL
    ) -> None:
        self._excel = excel
        self._begun = False
        self._buffer = io.StringIO(newline="")
        self._writer = csv.writer(self._buffer, lineterminator=terminator, quoting=quoting)

    def lines(self, rows: Iterable[Sequence[Any]]) -> str:
        """Return the lines of these rows; the first lines of a file for Excel have the mark."""
        if self._excel:
            if not self._begun:
                self._buffer.write(BOM)
            rows = ([guarded(cell) if isinstance(cell, str) else cell for cell in r] for r in rows)
        self._begun = True
        self._writer.writerows(rows)
        text = self._buffer.getvalue()
        self._buffer.seek(0)
        self._buffer.truncate()
        return text


def is_for_excel(name: str) -> bool:
    """Return whether a file is called as one of ours for Excel."""
    return bool(_FOR_EXCEL.search(name))


_SIGN = "=+\\-@＝＋－＠"  # Excel takes the full-width ones for the others
# The start of a cell; and inside of it where a spreadsheet that separates cells by semicolons or
# tabs, and does not see that the cell is quoted, begins another one. One apostrophe is added there,
# or removed, also before others.
_GUARDED = re.compile(f"""^(?='*[{_SIGN}\t\r\n])|(?<=[;\t\r\n])(?='*"*[{_SIGN}])""")
_GUARD = re.compile(f"""^'(?='*[{_SIGN}\t\r\n])|(?<=[;\t\r\n])'(?='*"*[{_SIGN}])""")


def guarded(cell: str) -> str:
    """Return the text with an apostrophe before each place that a spreadsheet would compute."""
    return _GUARDED.sub("'", cell)


def unguarded(cell: str) -> str:
    """Return the text that was `guarded`."""
    return _GUARD.sub("", cell)
