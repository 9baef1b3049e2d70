"""What an upload has found out so far: its report, and the ledger of its keys."""

import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from django.utils.translation import gettext

from annotation.corpora.schema import BadLine, Line, listed
from annotation.texts.sentences import marked

# Most generators count from 1, and each citation would then name the passage after the right one.
COUNTED_FROM_1 = marked(
    "No response cites [0], which is the passage of rank 1: citations count from 0. If these texts "
    "count from 1, lower their numbers by 1 first."
)
MOST_SHOWN = 1_000  # bad lines, and warnings, that a report holds; all are counted


# Of a reason, what only one line has: what is quoted, and what holds a number.
OWN_WORDS = re.compile(r"'(?:[^'\\]|\\.)*'|\S*\d\S*")
MOST_REASONS = 50  # listed one by one; the lines of others are counted together


@dataclass
class Reason:
    """Why lines cannot be taken: of those that differ only in their keys and numbers, the first."""

    first: BadLine
    count: int = 0


@dataclass
class ImportReport:
    """What an upload brought, by kind of row, and every line that could not be taken."""

    corpus: str
    added: Counter[str] = field(default_factory=Counter)
    unchanged: Counter[str] = field(default_factory=Counter)
    contradicting: Counter[str] = field(default_factory=Counter)  # among the bad lines
    bad_lines: list[BadLine] = field(default_factory=list)
    bad_line_count: int = 0
    warnings: list[BadLine] = field(default_factory=list)
    warning_count: int = 0
    reasons: "dict[tuple[str, str], Reason]" = field(default_factory=dict)  # of the bad lines
    tell: Callable[[BadLine], None] | None = None  # who wants to hear of every bad line
    lowest_cited: int | None = None  # of all numbers by which its responses cite passages
    made_systems: list[str] = field(default_factory=list)  # which responses name and no row has

    def refuse(self, bad_line: BadLine) -> None:
        """Count a bad line, and hold it if there is room."""
        self.bad_line_count += 1
        self._group(bad_line)
        if self.tell:
            self.tell(bad_line)
        if len(self.bad_lines) < MOST_SHOWN:
            self.bad_lines.append(bad_line)

    def _group(self, bad_line: BadLine) -> None:
        key = bad_line.field, OWN_WORDS.sub("…", bad_line.reason)
        if key not in self.reasons and len(self.reasons) < MOST_REASONS:
            self.reasons[key] = Reason(first=bad_line)
        if key in self.reasons:
            self.reasons[key].count += 1

    def warn(self, warning: BadLine) -> None:
        """Count a warning, and hold it if there is room."""
        self.warning_count += 1
        if len(self.warnings) < MOST_SHOWN:
            self.warnings.append(warning)

    def note_cited(self, numbers: Iterable[int]) -> None:
        """Note the numbers by which a response cites passages."""
        lowest = [] if self.lowest_cited is None else [self.lowest_cited]
        self.lowest_cited = min([*lowest, *numbers], default=None)

    @property
    def remarks(self) -> list[str]:
        """What may be meant otherwise, though no line of it is bad."""
        return [
            *([COUNTED_FROM_1] if self.lowest_cited else []),
            *([made(self.made_systems)] if self.made_systems else []),
        ]


def made(systems: list[str]) -> str:
    """Which systems are new because responses name them: a slip of the pen would be among them."""
    count = len(systems)
    more = gettext(" and {count:,} more").format(count=count - 20) if count > 20 else ""
    what = gettext("a system") if count == 1 else gettext("{count:,} systems").format(count=count)
    are = (
        gettext("It comes in under this name.")
        if count == 1
        else gettext("They come in under these names.")
    )
    return gettext("Responses name {what} that no file describes: {systems}{more}. {are}").format(
        what=what, systems=listed(systems), more=more, are=are
    )


class Ledger:
    """Where each key of an upload was first given: a private SQLite file, gone when closed."""

    def __init__(self) -> None:
        self._db = sqlite3.connect("", isolation_level=None)
        self._db.execute("PRAGMA journal_mode=OFF")
        self._db.execute(
            "CREATE TABLE given (kind, scope, key, file, line, PRIMARY KEY (kind, scope, key))"
            " WITHOUT ROWID"
        )
        self._db.execute("BEGIN")  # one transaction: nothing here is ever kept

    def first(self, *, line: Line, kind: str, scope: str, key: str) -> str:
        """Note where a key is given; return where it was given before, or nothing."""
        row = (kind, scope, key, line.file, line.number)
        if self._db.execute("INSERT OR IGNORE INTO given VALUES (?, ?, ?, ?, ?)", row).rowcount:
            return ""
        query = "SELECT file, line FROM given WHERE kind = ? AND scope = ? AND key = ?"
        file, number = self._db.execute(query, row[:3]).fetchone()
        return f"{file}:{number}"

    def close(self) -> None:
        self._db.close()
