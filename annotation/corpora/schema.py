"""What a row of a corpus file must be, and the sentence for a row that is not."""

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import islice
from typing import Any, ClassVar, NamedTuple

import msgspec

from annotation.formats import sgss, trec_rag
from annotation.models import Origin, Style
from annotation.texts.citations import CITATION

MOST_CHARACTERS = 1_000_000  # of one text
LARGEST_RANK = 2_147_483_647  # what a PositiveIntegerField holds


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


class Limit(NamedTuple):
    """How long a text may be, and whether it may be blank."""

    characters: int = MOST_CHARACTERS
    blank: bool = False


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The fields of a line. An optional field may be missing, null or empty: all mean nothing."""

    limits: ClassVar[dict[str, Limit]] = {}

    def weigh(self) -> int:
        """Return how many characters the row holds."""
        return sum(len(getattr(self, name) or "") for name in self.limits)

    def fault(self) -> tuple[str, str] | None:
        """Return the first field outside its limits and the reason."""
        for name, limit in self.limits.items():
            reason = text_fault(getattr(self, name), limit)
            if reason:
                return name, reason
        return None


class TopicRow(Row, frozen=True):
    topic: str
    query: str
    description: str | None = None
    limits = {"topic": Limit(200), "query": Limit(), "description": Limit(blank=True)}


class PassageRow(Row, frozen=True):
    topic: str
    passage: str
    text: str
    rank: int | None = None  # in the pool; without one it comes behind the others
    title: str | None = None
    limits = {
        "topic": Limit(200),
        "passage": Limit(300),
        "text": Limit(),
        "title": Limit(blank=True),
    }

    def fault(self) -> tuple[str, str] | None:
        return rank_fault(self.rank) or super().fault()


class SystemRow(Row, frozen=True):
    """A system may state the origin of its responses, for responses that do not."""

    system: str
    name: str
    origin: Origin | None = None
    limits = {"system": Limit(200), "name": Limit(300)}


class RankingRow(Row, frozen=True):
    """A passage in the ranking of a system; a system that is not there yet is made."""

    system: str
    topic: str
    passage: str
    rank: int
    score: float | None = None
    limits = {"system": Limit(200), "topic": Limit(200), "passage": Limit(300)}

    def fault(self) -> tuple[str, str] | None:
        if self.score is not None and not math.isfinite(self.score):
            return "score", f"must be a number, not {self.score}"
        return rank_fault(self.rank) or super().fault()


class ResponseRow(Row, frozen=True):
    response: str
    topic: str
    style: Style
    text: str
    origin: Origin | None = None
    system: str | None = None
    limits = {
        "response": Limit(200),
        "topic": Limit(200),
        "text": Limit(),
        "system": Limit(200, blank=True),
    }


class RetrievalRow(Row, frozen=True):
    """A topic with its ranked passages in one line: study1_retrieval of CrowdRAG-25."""

    topic: str
    query: str
    references_ids: list[str]
    references_texts: list[str]

    def topic_row(self) -> TopicRow:
        """Return the topic alone."""
        return TopicRow(topic=self.topic, query=self.query)

    def passage_rows(self) -> list[PassageRow]:
        """Return the passages; the first has rank 1."""
        pairs = zip(self.references_ids, self.references_texts, strict=True)
        return [
            PassageRow(topic=self.topic, passage=key, rank=rank, text=text)
            for rank, (key, text) in enumerate(pairs, start=1)
        ]

    def weigh(self) -> int:
        return len(self.query) + sum(map(len, self.references_texts))

    def fault(self) -> tuple[str, str] | None:
        ids, texts = len(self.references_ids), len(self.references_texts)
        if ids != texts:
            return "references_texts", f"has {texts} texts for {ids} references_ids"
        if fault := self.topic_row().fault():
            return fault
        for index, row in enumerate(self.passage_rows()):
            if fault := row.fault():
                name = {"passage": "references_ids"}.get(fault[0], "references_texts")
                return f"{name}[{index}]", fault[1]
        return None


class QueryRow(Row, frozen=True):
    """A query as RAGElo has it."""

    qid: str
    query: str
    limits = {"qid": Limit(200), "query": Limit()}

    def topic_row(self) -> TopicRow:
        return TopicRow(topic=self.qid, query=self.query)


class DocumentRow(Row, frozen=True):
    """A document as RAGElo has it, without a rank."""

    qid: str
    did: str
    document: str
    limits = {"qid": Limit(200), "did": Limit(300), "document": Limit()}

    def passage_row(self) -> PassageRow:
        return PassageRow(topic=self.qid, passage=self.did, text=self.document)


class AnswerRow(Row, frozen=True):
    """An answer as RAGElo has it: one of an agent to each query. The agent is the system."""

    qid: str
    agent: str
    answer: str
    limits = {"qid": Limit(100), "agent": Limit(99), "answer": Limit()}

    def response_row(self) -> ResponseRow:
        """Return the response, which is called by both keys."""
        return ResponseRow(
            response=f"{self.qid}/{self.agent}",
            topic=self.qid,
            style=Style.FREE,
            text=self.answer,
            system=self.agent,
        )


class RagTopicRow(Row, frozen=True):
    """A topic as the RAG track of TREC has it: a title, a narrative, or both."""

    id: int | str
    title: str | None = None
    narrative: str | None = None
    limits = {"title": Limit(blank=True), "narrative": Limit(blank=True)}

    def topic_row(self) -> TopicRow:
        """The query is what is there; of both the narrative describes it."""
        title, narrative = (self.title or "").strip(), (self.narrative or "").strip()
        described = {"description": narrative} if title and narrative else {}
        return TopicRow(topic=str(self.id).strip(), query=title or narrative, **described)

    def fault(self) -> tuple[str, str] | None:
        named = {"topic": "id", "query": "title"}
        if fault := super().fault() or self.topic_row().fault():
            return named.get(fault[0], fault[0]), fault[1]
        return None


class RagAnswerRow(Row, frozen=True, forbid_unknown_fields=False):
    """An answer of TREC RAG (formats.trec_rag), of 2024 or of 2025. The run is the system."""

    references: list[str]
    answer: list[trec_rag.Sentence]
    run_id: str | None = None
    topic_id: int | str | None = None
    metadata: trec_rag.Metadata | None = None

    @property
    def run(self) -> str:
        return (self.metadata.run_id if self.metadata else self.run_id) or ""

    @property
    def of_topic(self) -> str:
        topic = self.metadata.narrative_id if self.metadata else self.topic_id
        return "" if topic is None else str(topic)

    @property
    def key(self) -> str:
        return f"{self.of_topic}/{self.run}"

    def sentences(self) -> list[tuple[str, list[str]]]:
        """Text and cited segments. Raises NotInReferences."""
        return [
            (each.text.strip(), trec_rag.cited(each, self.references))
            for each in self.answer
            if each.text.strip()
        ]

    def weigh(self) -> int:
        return sum(len(each.text) for each in self.answer)

    def fault(self) -> tuple[str, str] | None:
        for name, key, most in (("run_id", self.run, 99), ("topic_id", self.of_topic, 100)):
            if reason := text_fault(key, Limit(most)):
                return name, reason
        try:
            texts = [text for text, _ in self.sentences()]
        except trec_rag.NotInReferences as error:
            return "citations", str(error)
        if reason := text_fault(" ".join(texts), Limit()):
            return "answer", reason
        if mark := CITATION.search(" ".join(texts)):
            return "answer", f"holds {mark[0][:40]}, which reads as a citation"
        return None


class SummaryRow(Row, frozen=True):
    """A structured summary (formats.sgss): a response with its parts, in the style *free*."""

    summary: str
    topic: str
    overview: sgss.Part
    sections: list[sgss.Section]
    overview_last: bool = False
    system: str | None = None
    origin: Origin | None = None
    documents: list[str] | None = None
    copy_of: str | None = None
    without: sgss.Without | None = None
    limits = {"summary": Limit(200), "topic": Limit(200), "system": Limit(200, blank=True)}

    def fields(self) -> dict[str, Any]:
        return msgspec.structs.asdict(self)

    def copies(self) -> list["SummaryRow"]:
        """The degraded ones."""
        whole = sgss.StructuredSummary(**self.fields())
        return [SummaryRow(**msgspec.structs.asdict(each)) for each in sgss.degraded(whole)]

    def weigh(self) -> int:
        words = [part.text for section in self.sections for part in section.statements]
        return len(self.overview.text) + sum(map(len, words))

    def fault(self) -> tuple[str, str] | None:
        if (self.copy_of is None) != (self.without is None):
            return "without", "a copy says of which summary it is, and without what"
        return super().fault()


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
    Kind.RESPONSES: ResponseRow,
}


@cache
def fields_of(kind: Kind) -> dict[str, bool]:
    """Return the fields of a kind of row, and whether each must be there."""
    return {field.name: field.required for field in msgspec.structs.fields(ROWS[kind])}


class Line(NamedTuple):
    """A row that is well formed, and where it stands."""

    file: str
    number: int
    row: Row

    def bad(self, field: str, reason: str) -> BadLine:
        """Return the complaint about this line."""
        return BadLine(self.file, self.number, field, reason)


def rank_fault(rank: int | None) -> tuple[str, str] | None:
    """Return the field and why a rank cannot be taken, or nothing."""
    if rank is None or 1 <= rank <= LARGEST_RANK:
        return None
    return "rank", f"must be {_EXPECTED['rank']}, not {rank}"


def text_fault(text: str | None, limit: Limit) -> str:
    """Return why a text cannot be taken, or nothing."""
    text = text or ""
    if not limit.blank and not text.strip():
        return "is blank"
    if len(text) > limit.characters:
        return f"has {len(text):,} characters, at most {limit.characters:,} are allowed"
    if (position := text.find("\0")) >= 0:
        return f"holds a NUL character, after {position:,} others"
    return ""


# -- Sentences ---------------------------------------------------------------------------------
ROW_ERRORS = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)

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
_EXPECTED = {
    "": "an object with named fields",
    "rank": f"a whole number from 1 to {LARGEST_RANK:,}",
    "score": "a number",
    "style": "bullet, essay, news or free",
    "origin": "human or llm",
    "references_ids": "a list of texts",
    "references_texts": "a list of texts",
    "overview": "an object with text and citations",
    "sections": "a list of objects with heading and statements",
    "references": "a list of texts",
    "answer": "a list of objects with text and citations",
    "metadata": "an object with run_id and narrative_id",
}
_GOT = {
    "str": "text",
    "int": "a number",
    "float": "a number with a point",
    "bool": "true or false",
    "null": "nothing",
    "array": "a list",
    "object": "an object",
}


class UnknownKind(ValueError):
    """The keys fit no kind of row."""

    def __init__(self, names: set[str]) -> None:
        held = listed(sorted(names)) if names else "nothing"
        super().__init__(f"cannot tell what this is: it has {held}, but none of {_KEYS}")


_KEYS = ", ".join(_IDENTIFYING)


def recognised(names: set[str]) -> Kind:
    """Return what a row with these keys is."""
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


def unknown_field(kind: Kind) -> str:
    """Return why a field that the kind does not have is refused: it may be a slip of the pen."""
    return f"is not a field of {kind}: {listed(fields_of(kind))}"


def explained(error: Exception, kind: Kind | None) -> tuple[str, str]:
    """Return field and reason, in our words, for what msgspec refused."""
    if isinstance(error, UnicodeDecodeError):
        return "", "is not UTF-8"
    if isinstance(error, RecursionError):
        return "", "is nested too deeply"
    message, _, path = str(error).partition(" - at `$")
    field = path.strip("`.")
    if not isinstance(error, msgspec.ValidationError):
        return "", f"is not JSON: {message.removeprefix('JSON is malformed: ')}"
    if missing := re.match(r"Object missing required field `(.*)`", message):
        return missing[1], "is missing"
    if kind and (unknown := re.match(r"(?s)Object contains unknown field `(.*)`", message)):
        return unknown[1][:40], unknown_field(kind)
    got = re.search(r"(?s)(?:got `(.+)`|value (.+))$", message)
    value = (_GOT.get(got[1], got[1]) if got[1] else got[2][:60]) if got else message
    return field, f"must be {_EXPECTED.get(field, 'text')}, not {value}"
