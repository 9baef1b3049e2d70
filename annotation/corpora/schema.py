"""What a corpus file may hold: the kinds of rows, by which keys they are told, and their lines."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import islice
from typing import NamedTuple

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


@dataclass(frozen=True)
class BadLine:
    """A line that cannot be taken (line 0: the file as a whole), and why."""

    file: str
    line: int
    field: str
    reason: str

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        sentence = ": ".join(filter(None, (place, self.field, self.reason)))
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


class Line(NamedTuple):
    """A row that is well formed, and where it stands; what it has for an id may be a stopgap."""

    file: str
    number: int
    row: Row
    lacks_key: bool = False

    def bad(self, field: str, reason: str) -> BadLine:
        """Return the complaint about this line."""
        return BadLine(self.file, self.number, field, reason)


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
