"""Findings of an upload so far: its report, and the ledger of its keys."""

import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from django.utils.translation import gettext, ngettext

from annotation.corpora.formula_counts import FormulaCounts
from annotation.corpora.images.storing import ImageCounts
from annotation.corpora.problem_rows import ProblemRows
from annotation.corpora.remedies import Problem
from annotation.corpora.resolving import CitedText
from annotation.corpora.schema import BadLine, DefinedKey, FileLine, listed
from annotation.texts.sentences import marked

# Most generators count from 1, and each citation would then name the passage after the right one.
COUNTED_FROM_1 = marked(
    "No answer cites [0]. If citations count from 1, set “First citation” to 1."
)
MOST_SHOWN = 1_000  # bad lines, and warnings, that a report holds; all are counted


# Of a reason, what only one line has: what is quoted, and what holds a number; an example is “so”.
OWN_WORDS = re.compile(r"(“[^”]*”)|'(?:[^'\\]|\\.)*'|\S*\d\S*?(?=[,.;:]?(?:\s|$))")
SEVERAL = re.compile(r"…(?:,? …)+")  # of them after one another, however many a line has
MOST_FIELDS = 20  # that are named
BEFORE_A_MARK, AFTER_A_MARK = 40, 10  # characters of a sample
MOST_REASONS = 50  # listed one by one; the lines of others are counted together


@dataclass
class Reason:
    """Reason for refusing lines: the first of those that differ only in keys and numbers."""

    first: BadLine
    count: int = 0


@dataclass
class SeenMarks:
    """Marks of one kind: how many there are, and the words around the first."""

    count: int = 0
    sample: str = ""
    place: str = ""


@dataclass
class ImportReport:
    """Result of an upload: counts by kind of row, and every line that was refused."""

    corpus: str
    added: Counter[str] = field(default_factory=Counter)
    unchanged: Counter[str] = field(default_factory=Counter)
    contradicting: Counter[str] = field(default_factory=Counter)  # among the bad lines
    causes: list[BadLine] = field(default_factory=list)  # bad lines by themselves
    following: list[BadLine] = field(default_factory=list)  # bad lines that are good once those are
    bad_line_count: int = 0  # of both
    following_count: int = 0
    warnings: list[BadLine] = field(default_factory=list)
    warning_count: int = 0
    reasons: "dict[tuple[str, str], Reason]" = field(default_factory=dict)  # of the bad lines
    tell: Callable[[BadLine], None] | None = None  # who wants to hear of every bad line
    citations: int = 0  # of passages that are there
    citing: int = 0  # responses that have one
    lowest_cited: int | None = None  # of all numbers by which its responses cite passages
    cites_last: bool = False  # a text cites [n], where its topic has n passages
    cites_beyond: bool = (
        False  # a text cites a passage that counting from 1 does not give it either
    )
    made_systems: list[str] = field(default_factory=list)  # which responses name and no row has
    describes_systems: bool = False  # rows of the upload do: others may be slips of the pen
    repeated: Counter[str] = field(default_factory=Counter)  # rows that stand again, word for word
    first_repeated: str = ""
    repeated_rows: "Counter[tuple[str, str]]" = field(default_factory=Counter)  # by file and kind
    rows: Counter[str] = field(default_factory=Counter)  # of each file, but for empty ones
    empty_rows: Counter[str] = field(default_factory=Counter)
    unread: Counter[str] = field(default_factory=Counter)  # rows by a field that may be an id
    left_out: Counter[str] = field(default_factory=Counter)  # what no corpus keeps, by its name
    labels: Counter[str] = field(default_factory=Counter)  # that are kept, by file
    of_nobody: list[str] = field(default_factory=list)  # systems whose origin nobody says, some
    marks: "dict[tuple[str, bool], SeenMarks]" = field(default_factory=dict)  # by kind and use
    images: ImageCounts = field(default_factory=ImageCounts)
    formulas: FormulaCounts = field(default_factory=FormulaCounts)
    problems: ProblemRows = field(default_factory=ProblemRows)
    cites_unknown: int = 0  # responses that are refused for what they cite
    # Files with a rank of 0 that do not say from where they count, each with the first such line.
    ranked_0: dict[str, str] = field(default_factory=dict)
    _ranked_0_twice: set[str] = field(default_factory=set)

    @property
    def bad_lines(self) -> list[BadLine]:
        """Those that are held, the causes first."""
        return [*self.causes, *self.following][:MOST_SHOWN]

    def refuse(self, bad_line: BadLine) -> None:
        """Count a bad line, and hold it if there is room."""
        self.bad_line_count += 1
        self.problems.note(bad_line)
        if self.tell:
            self.tell(bad_line)
        if bad_line.follows:
            self.following_count += 1
        else:
            self._group(bad_line)
        bad_lines = self.following if bad_line.follows else self.causes
        if len(bad_lines) < MOST_SHOWN:
            bad_lines.append(bad_line)

    def skip(self, bad_line: BadLine) -> None:
        """Count a bad line that is skipped, as was chosen."""
        self.problems.note(bad_line)
        sentence = (
            gettext("{reason}: the remaining rows aren't imported")
            if bad_line.code == Problem.BROKEN_REST
            else gettext("{reason}: row skipped")
        )
        reason = sentence.format(reason=bad_line.reason)
        self.warn(replace(bad_line, reason=reason))

    def mend(self, bad_line: BadLine) -> None:
        """Count a row that is imported as was chosen for its problem."""
        self.problems.note(bad_line)

    def _group(self, bad_line: BadLine) -> None:
        reason = OWN_WORDS.sub(lambda word: word[1] or "…", bad_line.reason)
        key = bad_line.field, SEVERAL.sub("…", reason)
        if key not in self.reasons and len(self.reasons) < MOST_REASONS:
            self.reasons[key] = Reason(first=bad_line)
        if key in self.reasons:
            self.reasons[key].count += 1

    def note_twice_ranked(self, file: str, rank: int | None) -> None:
        """Note that a list has a rank twice. If that is 0 it is no beginning."""
        if rank == 0:
            self._ranked_0_twice.add(file)

    @property
    def ranks_from_0(self) -> list[str]:
        """The files whose ranks begin at 0: no list of theirs has it twice."""
        return [file for file in self.ranked_0 if file not in self._ranked_0_twice]

    def warn(self, warning: BadLine) -> None:
        """Count a warning, and hold it if there is room."""
        self.warning_count += 1
        if len(self.warnings) < MOST_SHOWN:
            self.warnings.append(warning)

    def note_of_nobody(self, system: str) -> None:
        """Note a system of whose texts nobody says who wrote them."""
        if system and system not in self.of_nobody and len(self.of_nobody) < MOST_REASONS:
            self.of_nobody.append(system)

    def note_marks(self, text: str, cited: CitedText, *, place: str) -> None:
        """Note which marks of a text count as citations, and which do not."""
        for marks, counts in ((cited.read, True), (cited.refused, False)):
            for mark in marks:
                seen = self.marks.setdefault((mark.kind, counts), SeenMarks())
                seen.count += 1
                if not seen.place:
                    around = text[max(0, mark.start - BEFORE_A_MARK) : mark.end + AFTER_A_MARK]
                    seen.sample, seen.place = " ".join(around.split()), place

    def note_cited(self, numbers: Collection[int], passages: int) -> None:
        """Note the numbers by which a response cites the passages of its topic."""
        self.cites_last |= passages in numbers
        self.cites_beyond |= any(number > passages for number in numbers)
        lowest = [] if self.lowest_cited is None else [self.lowest_cited]
        self.lowest_cited = min([*lowest, *numbers], default=None)

    def note_repeated(self, kind: str, place: str, before: str) -> None:
        """Note a row that says what another one has said, word for word."""
        self.repeated[kind] += 1
        self.repeated_rows[place.rpartition(":")[0], kind] += 1
        self.first_repeated = self.first_repeated or gettext("{place} duplicates {before}").format(
            place=place, before=before
        )

    def ignored_rows(self, file: str) -> int:
        """Return how many rows of a file say what others have said, by the kind with most."""
        return max((n for (name, _), n in self.repeated_rows.items() if name == file), default=0)

    def note_read(self, file: str, *, rows: int, empty_rows: int) -> None:
        """Note how many rows a file has; one that is read for several kinds has as many in each."""
        self.rows[file] = max(rows, self.rows[file])
        self.empty_rows[file] = max(empty_rows, self.empty_rows[file])

    def _passed_over(self) -> str:
        count = self.empty_rows.total()
        return ngettext(
            "{n:,} empty row skipped ({files}).",
            "{n:,} empty rows skipped ({files}).",
            count,
        ).format(n=count, files=listed(file for file, n in self.empty_rows.items() if n))

    def _taken_once(self) -> str:
        return gettext("Duplicate rows skipped: {counts} (first: {first}).").format(
            counts=", ".join(f"{count:,} {kind}" for kind, count in sorted(self.repeated.items())),
            first=self.first_repeated,
        )

    def _labels(self) -> str:
        n = self.labels.total()
        return ngettext(
            "{n:,} label found. Import it under Raters of a study.",
            "{n:,} labels found. Import them under Raters of a study.",
            n,
        ).format(n=n)

    def _left_out(self) -> str:
        counts = [f"{n:,} {gettext(name)}" for name, n in self.left_out.most_common()]
        return gettext("Not imported: {counts}.").format(counts=", ".join(counts))

    def _not_read(self) -> str:
        return gettext("Fields missing from the first rows aren't imported: {fields}.").format(
            fields=", ".join(
                ngettext("{name} ({n:,} row)", "{name} ({n:,} rows)", n).format(name=name, n=n)
                for name, n in self.unread.most_common(MOST_FIELDS)
            )
        )

    @property
    def counts_from_one(self) -> bool:
        """Return whether the citations fit only if they count from 1.

        No text cites [0], some cite the number of passages of their topic, and none a higher
        one. False if a line is bad for another reason, which could hide a passage or a text.
        """
        fits = bool(self.lowest_cited) and self.cites_last and not self.cites_beyond
        return fits and self.bad_line_count == self.cites_unknown

    @property
    def remarks(self) -> list[str]:
        """What may be meant otherwise, though no line of it is bad."""
        return [*([COUNTED_FROM_1] if self.lowest_cited else []), *self.other_remarks]

    @property
    def other_remarks(self) -> list[str]:
        """All but that of the citations, which a page says with a way to change it."""
        return [
            *([self._made()] if self.made_systems else []),
            *([self._taken_once()] if self.repeated else []),
            *([self._passed_over()] if self.empty_rows.total() else []),
            *([self._not_read()] if self.unread else []),
            *([self._labels()] if self.labels else []),
            *([self._left_out()] if self.left_out else []),
            *self.images.remarks,
            *self.formulas.remarks,
        ]

    @property
    def doubts(self) -> list[str]:
        """Return the remarks that need a look; the others are facts."""
        return [self._made()] if self.made_systems and self.describes_systems else []

    def _made(self) -> str:
        return made(self.made_systems)


def made(systems: list[str]) -> str:
    """Describe the systems created for responses."""
    count = len(systems)
    more = gettext(" and {count:,} more").format(count=count - 20) if count > 20 else ""
    sentence = ngettext(
        "{count:,} new system: {systems}{more}.",
        "{count:,} new systems: {systems}{more}.",
        count,
    )
    return sentence.format(count=count, systems=listed(systems), more=more)


class FirstDefinition(NamedTuple):
    """Place where a key was given first, and whether with the same content."""

    place: str
    is_same: bool


class KeyLedger:
    """Place of each key's first definition, and the missing keys, in a temporary SQLite file."""

    def __init__(self) -> None:
        self._db = sqlite3.connect("", isolation_level=None)
        self._db.execute("PRAGMA journal_mode=OFF")
        self._db.execute(
            "CREATE TABLE given (kind, scope, key, file, line, content,"
            " PRIMARY KEY (kind, scope, key)) WITHOUT ROWID"
        )
        self._db.execute(
            "CREATE TABLE named (kind, scope, content, key, PRIMARY KEY (kind, scope, content))"
            " WITHOUT ROWID"
        )
        self._db.execute(
            "CREATE TABLE numbers (kind, scope, last, PRIMARY KEY (kind, scope)) WITHOUT ROWID"
        )
        self._db.execute(
            "CREATE TABLE missed (field, scope, key, place, PRIMARY KEY (field, scope, key))"
            " WITHOUT ROWID"
        )
        self._has_missed = False
        self._db.execute("BEGIN")  # one transaction: nothing here is ever kept

    # -- What bad lines would have brought -------------------------------------------------------
    def miss(self, brings: DefinedKey, place: str) -> None:
        """Note what is not there because the line that brings it is bad."""
        self._has_missed = True
        self._db.execute("INSERT OR IGNORE INTO missed VALUES (?, ?, ?, ?)", (*brings, place))

    def cause(self, field: str, scope: str, key: str = "") -> str:
        """Return the place of the bad line that should have defined this key, or an empty text.

        Without a key: the place of any line that should have defined one in this scope.
        """
        if not self._has_missed:
            return ""
        query = (
            "SELECT place FROM missed WHERE field = ? AND scope = ? AND (key = ? OR ? = '')"
            " UNION ALL SELECT place FROM missed WHERE scope = '' AND key = '' AND field IN (?, '')"
            " LIMIT 1"
        )
        row = self._db.execute(query, (field, scope, key, key, field)).fetchone()
        return row[0] if row else ""

    def first(
        self, *, line: FileLine, kind: str, scope: str, key: str, content: bytes = b""
    ) -> FirstDefinition | None:
        """Note where a key is given; return where it was given before, or nothing."""
        row = (kind, scope, key, line.file, line.number, content)
        if self._db.execute("INSERT OR IGNORE INTO given VALUES (?, ?, ?, ?, ?, ?)", row).rowcount:
            return None
        query = "SELECT file, line, content FROM given WHERE kind = ? AND scope = ? AND key = ?"
        file, number, before = self._db.execute(query, row[:3]).fetchone()
        return FirstDefinition(f"{file}:{number}", is_same=bool(content) and before == content)

    def forget(self, keys: Iterable[tuple[str, str, str]]) -> None:
        """Forget keys (kind, scope, key) of a row that is skipped: another row may have them."""
        query = "DELETE FROM given WHERE kind = ? AND scope = ? AND key = ?"
        self._db.executemany(query, list(keys))

    # -- Keys of rows that brought none ----------------------------------------------------------
    def key_of(self, kind: str, scope: str, content: bytes) -> str:
        """Return the key of this content, or an empty text."""
        query = "SELECT key FROM named WHERE kind = ? AND scope = ? AND content = ?"
        row = self._db.execute(query, (kind, scope, content)).fetchone()
        return row[0] if row else ""

    def name(self, kind: str, scope: str, content: bytes, key: str) -> None:
        """Note the key of a content; the first one stays."""
        row = (kind, scope, content, key)
        self._db.execute("INSERT OR IGNORE INTO named VALUES (?, ?, ?, ?)", row)

    def is_counted(self, kind: str, scope: str) -> bool:
        query = "SELECT 1 FROM numbers WHERE kind = ? AND scope = ?"
        return self._db.execute(query, (kind, scope)).fetchone() is not None

    def count_to(self, kind: str, scope: str, last: int) -> None:
        """Numbers up to this one are taken."""
        self._db.execute(
            "INSERT INTO numbers VALUES (?, ?, ?)"
            " ON CONFLICT DO UPDATE SET last = max(last, excluded.last)",
            (kind, scope, last),
        )

    def next_number(self, kind: str, scope: str) -> int:
        """Return an unused number of this scope."""
        query = (
            "INSERT INTO numbers VALUES (?, ?, 1)"
            " ON CONFLICT DO UPDATE SET last = last + 1 RETURNING last"
        )
        (number,) = self._db.execute(query, (kind, scope)).fetchone()
        return int(number)

    def close(self) -> None:
        self._db.close()
