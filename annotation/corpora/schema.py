"""Schema of corpus files: the kinds of rows, the keys that tell them apart, and their lines."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Any, NamedTuple

import msgspec

from annotation.corpora.foreign_rows import (
    AnsweredTopicRow,
    AnswerRow,
    DocumentRow,
    QueryRow,
    RagAnswerRow,
    RagTopicRow,
    RetrievalRow,
    SummaryRow,
)
from annotation.corpora.row_kinds import RowKind as RowKind
from annotation.corpora.rows import (
    CorpusRow,
    PassageRow,
    RankingRow,
    ResponseRow,
    SystemRow,
    TopicRow,
)
from annotation.corpora.table_rows import PassageTableRow, TableRow


class DefinedKey(NamedTuple):
    """A key that other lines may name: a topic, a system, or a passage of a topic (`scope`).

    An unreadable file has no field (anything) or no key (any key of the field).
    """

    field: str = ""
    scope: str = ""
    key: str = ""


@dataclass(frozen=True)
class BadLine:
    """A line that cannot be taken (line 0: the file as a whole), and why.

    `brings`: what it would have brought. `follows`: the place of another bad line, which is why
    this one cannot be taken: it is good once that one is.
    """

    file: str
    line: int
    field: str
    reason: str
    brings: DefinedKey | None = None
    follows: str = ""
    row: int = 0  # its number in a spreadsheet, where that is another one
    code: str = ""  # of its class (remedies.Problem); without one the file has to be mended
    value: str = ""  # what the row has there

    @property
    def place(self) -> str:
        return f"{self.file}:{self.line}" if self.line else self.file

    def __str__(self) -> str:
        sentence = ": ".join(filter(None, (self.place, self.field, self.reason)))
        # Parts of it come from the file: one line, and no commands to a terminal.
        return re.sub(r"[\x00-\x1f\x7f-\x9f]", "\N{REPLACEMENT CHARACTER}", sentence)


ROWS: dict[RowKind, type[CorpusRow]] = {
    RowKind.SUMMARIES: SummaryRow,
    RowKind.TOPICS: TopicRow,
    RowKind.QUERIES: QueryRow,
    RowKind.RAG_TOPICS: RagTopicRow,
    RowKind.RAG_ANSWERS: RagAnswerRow,
    RowKind.DOCUMENTS: DocumentRow,
    RowKind.ANSWERS: AnswerRow,
    RowKind.RETRIEVAL: RetrievalRow,
    RowKind.ANSWERED_TOPICS: AnsweredTopicRow,
    RowKind.PASSAGES: PassageRow,
    RowKind.SYSTEMS: SystemRow,
    RowKind.RANKINGS: RankingRow,
    RowKind.TABLE: TableRow,
    RowKind.PASSAGE_TABLE: PassageTableRow,
    RowKind.RESPONSES: ResponseRow,
}


@cache
def fields_of(kind: RowKind) -> dict[str, bool]:
    """Return the fields of a kind of row, and whether each must be there."""
    return {field.name: field.required for field in msgspec.structs.fields(ROWS[kind])}


# Which field of a row is its own id: it can be numbered where a file has none.
OWN_KEYS = {RowKind.TOPICS: "topic", RowKind.PASSAGES: "passage", RowKind.RESPONSES: "response"}


# Of rows that bring rows of other kinds: what the file calls a field of theirs.
_CALLED: dict[tuple[RowKind, type[CorpusRow]], dict[str, str]] = {
    (RowKind.TABLE, TopicRow): {"query": "question"},
    (RowKind.TABLE, PassageRow): dict.fromkeys(("passage", "text", "title", "rank"), "passages"),
    (RowKind.TABLE, ResponseRow): {"text": "answer"},
    (RowKind.QUERIES, TopicRow): {"topic": "qid"},
    (RowKind.DOCUMENTS, PassageRow): {"topic": "qid", "passage": "did", "text": "document"},
    (RowKind.ANSWERS, ResponseRow): {"topic": "qid", "system": "agent", "text": "answer"},
    (RowKind.RAG_TOPICS, TopicRow): {"topic": "id", "query": "title"},
}
# What a row brings that others name, and which of its fields say it: the scope, and the key, which
# is the first of these that it has.
_BRINGS: dict[RowKind, tuple[str, str, tuple[str, ...]]] = {
    RowKind.TOPICS: ("topic", "", ("topic",)),
    RowKind.QUERIES: ("topic", "", ("qid",)),
    RowKind.RAG_TOPICS: ("topic", "", ("id",)),
    RowKind.RETRIEVAL: ("topic", "", ("topic",)),
    RowKind.TABLE: ("topic", "", ("topic", "question")),
    RowKind.PASSAGES: ("passage", "topic", ("passage",)),
    RowKind.DOCUMENTS: ("passage", "qid", ("did",)),
    RowKind.SYSTEMS: ("system", "", ("system",)),
}


def brought(kind: RowKind | None, values: Mapping[str, Any]) -> DefinedKey | None:
    """Return the key that a line with these fields defines, or None."""
    if kind not in _BRINGS:
        return None
    field, scope, names = _BRINGS[kind]
    key = next((str(values[name]) for name in names if values.get(name) is not None), "")
    return DefinedKey(field, str(values.get(scope, "")), key) if key else None


def all_of(kind: RowKind | None) -> DefinedKey | None:
    """Return the keys that a file of this kind would define; anything if the kind is unknown."""
    if kind is None:
        return DefinedKey()
    return DefinedKey(_BRINGS[kind][0]) if kind in _BRINGS else None


class FileLine(NamedTuple):
    """A row that is well formed, and where it stands; what it has for an id may be a stopgap."""

    file: str
    number: int
    row: CorpusRow
    lacks_key: bool = False
    kind: RowKind | None = None  # of the row as it stands there: it may bring rows of others
    row_number: int = 0  # in a spreadsheet, where that is another one than the line
    part: int = 0  # of those that the line holds
    mended: tuple[BadLine, ...] = ()  # problems of the row, mended as was chosen

    @property
    def identity(self) -> tuple[int, int]:
        """Identity of the line within its batch."""
        return self.number, self.part

    def bad(
        self, field: str, reason: str, *, follows: str = "", code: str = "", value: str = ""
    ) -> BadLine:
        """Return the complaint about this line."""
        called = _CALLED.get((self.kind, type(self.row)), {}) if self.kind else {}
        field = called.get(field, field)
        return BadLine(
            self.file,
            self.number,
            field,
            reason,
            follows=follows,
            row=self.row_number,
            code=code,
            value=value,
        )

    @property
    def place(self) -> str:
        return f"{self.file}:{self.number}"

    @property
    def brings(self) -> DefinedKey | None:
        """Return the keys in this row that other rows may name."""
        match self.row:
            case TopicRow(topic=key):
                return DefinedKey("topic", "", key)
            case PassageRow(topic=topic, passage=key):
                return DefinedKey("passage", topic, key)
            case SystemRow(system=key):
                return DefinedKey("system", "", key)
        return None


def listed(names: Iterable[str], *, most: int = 20) -> str:
    """Return the first names, shortened: they come from a file and may be anything."""
    return ", ".join(name[:40] for name in islice(names, most))
