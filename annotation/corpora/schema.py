"""What a corpus file may hold: the kinds of rows, by which keys they are told, and their lines."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import islice
from typing import Any, NamedTuple

import msgspec
from django.utils.translation import gettext

from annotation.corpora.foreign_rows import (
    AnswerRow,
    DocumentRow,
    QueryRow,
    RagAnswerRow,
    RagTopicRow,
    RetrievalRow,
    SummaryRow,
)
from annotation.corpora.rows import (
    PassageRow,
    RankingRow,
    ResponseRow,
    Row,
    SystemRow,
    TopicRow,
)
from annotation.corpora.table_rows import TableRow


class Kind(StrEnum):
    """What the rows of a file are, in the order in which they build on each other."""

    TOPICS = "topics"
    QUERIES = "queries"
    RAG_TOPICS = "rag_topics"
    RETRIEVAL = "retrieval"
    PASSAGES = "passages"
    DOCUMENTS = "documents"
    SYSTEMS = "systems"
    RANKINGS = "rankings"
    TABLE = "table"
    RESPONSES = "responses"
    ANSWERS = "answers"
    RAG_ANSWERS = "rag_answers"
    SUMMARIES = "summaries"


class Brought(NamedTuple):
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
    brings: Brought | None = None
    follows: str = ""

    @property
    def place(self) -> str:
        return f"{self.file}:{self.line}" if self.line else self.file

    def __str__(self) -> str:
        sentence = ": ".join(filter(None, (self.place, self.field, self.reason)))
        # Parts of it come from the file: one line, and no commands to a terminal.
        return re.sub(r"[\x00-\x1f\x7f-\x9f]", "\N{REPLACEMENT CHARACTER}", sentence)


ROWS: dict[Kind, type[Row]] = {
    Kind.SUMMARIES: SummaryRow,
    Kind.TOPICS: TopicRow,
    Kind.QUERIES: QueryRow,
    Kind.RAG_TOPICS: RagTopicRow,
    Kind.RAG_ANSWERS: RagAnswerRow,
    Kind.DOCUMENTS: DocumentRow,
    Kind.ANSWERS: AnswerRow,
    Kind.RETRIEVAL: RetrievalRow,
    Kind.PASSAGES: PassageRow,
    Kind.SYSTEMS: SystemRow,
    Kind.RANKINGS: RankingRow,
    Kind.TABLE: TableRow,
    Kind.RESPONSES: ResponseRow,
}


@cache
def fields_of(kind: Kind) -> dict[str, bool]:
    """Return the fields of a kind of row, and whether each must be there."""
    return {field.name: field.required for field in msgspec.structs.fields(ROWS[kind])}


# Which field of a row is its own id: it can be numbered where a file has none.
OWN_KEYS = {Kind.TOPICS: "topic", Kind.PASSAGES: "passage", Kind.RESPONSES: "response"}


# Of rows that bring rows of other kinds: what the file calls a field of theirs.
_CALLED: dict[tuple[Kind, type[Row]], dict[str, str]] = {
    (Kind.TABLE, TopicRow): {"query": "question"},
    (Kind.TABLE, PassageRow): dict.fromkeys(("passage", "text", "title", "rank"), "passages"),
    (Kind.TABLE, ResponseRow): {"text": "answer"},
    (Kind.QUERIES, TopicRow): {"topic": "qid"},
    (Kind.DOCUMENTS, PassageRow): {"topic": "qid", "passage": "did", "text": "document"},
    (Kind.ANSWERS, ResponseRow): {"topic": "qid", "system": "agent", "text": "answer"},
    (Kind.RAG_TOPICS, TopicRow): {"topic": "id", "query": "title"},
}
# What a row brings that others name, and which of its fields say it: the scope, and the key, which
# is the first of these that it has.
_BRINGS: dict[Kind, tuple[str, str, tuple[str, ...]]] = {
    Kind.TOPICS: ("topic", "", ("topic",)),
    Kind.QUERIES: ("topic", "", ("qid",)),
    Kind.RAG_TOPICS: ("topic", "", ("id",)),
    Kind.RETRIEVAL: ("topic", "", ("topic",)),
    Kind.TABLE: ("topic", "", ("topic", "question")),
    Kind.PASSAGES: ("passage", "topic", ("passage",)),
    Kind.DOCUMENTS: ("passage", "qid", ("did",)),
    Kind.SYSTEMS: ("system", "", ("system",)),
}


def brought(kind: Kind | None, held: Mapping[str, Any]) -> Brought | None:
    """Return the key that a line with these fields defines, or None."""
    if kind not in _BRINGS:
        return None
    field, scope, names = _BRINGS[kind]
    key = next((str(held[name]) for name in names if held.get(name) is not None), "")
    return Brought(field, str(held.get(scope, "")), key) if key else None


def all_of(kind: Kind | None) -> Brought | None:
    """Return the keys that a file of this kind would define; anything if the kind is unknown."""
    if kind is None:
        return Brought()
    return Brought(_BRINGS[kind][0]) if kind in _BRINGS else None


class Line(NamedTuple):
    """A row that is well formed, and where it stands; what it has for an id may be a stopgap."""

    file: str
    number: int
    row: Row
    lacks_key: bool = False
    kind: Kind | None = None  # of the row as it stands there: it may bring rows of others

    def bad(self, field: str, reason: str, *, follows: str = "") -> BadLine:
        """Return the complaint about this line."""
        called = _CALLED.get((self.kind, type(self.row)), {}) if self.kind else {}
        return BadLine(self.file, self.number, called.get(field, field), reason, follows=follows)

    @property
    def brings(self) -> Brought | None:
        """What others may name that is in this row."""
        match self.row:
            case TopicRow(topic=key):
                return Brought("topic", "", key)
            case PassageRow(topic=topic, passage=key):
                return Brought("passage", topic, key)
            case SystemRow(system=key):
                return Brought("system", "", key)
        return None


# -- Of which kind -----------------------------------------------------------------------------
_IDENTIFYING = {
    "summary": Kind.SUMMARIES,
    "references_ids": Kind.RETRIEVAL,
    "response": Kind.RESPONSES,
    "passage": Kind.PASSAGES,
    "topic": Kind.TOPICS,
    "system": Kind.SYSTEMS,
    "agent": Kind.ANSWERS,
    "did": Kind.DOCUMENTS,
    "qid": Kind.QUERIES,
    "id": Kind.RAG_TOPICS,
}


class UnknownKind(ValueError):
    """The keys fit no kind of row."""

    def __init__(self, names: set[str]) -> None:
        held = listed(sorted(names)) if names else "nothing"
        super().__init__(
            gettext("cannot tell what this is: it has {held}, but none of {keys}").format(
                held=held, keys=_KEYS
            )
        )


_KEYS = ", ".join(_IDENTIFYING)


def recognised(names: set[str]) -> Kind:
    """Return what a row with these keys is."""
    if {"question", "answer"} <= names:
        return Kind.TABLE
    if {"system", "passage"} <= names:
        return Kind.RANKINGS
    if {"references", "answer"} <= names:
        return Kind.RAG_ANSWERS
    for name, kind in _IDENTIFYING.items():
        if name in names:
            return kind
    raise UnknownKind(names)


def listed(names: Iterable[str], *, most: int = 20) -> str:
    """Return the first names, shortened: they come from a file and may be anything."""
    return ", ".join(name[:40] for name in islice(names, most))
