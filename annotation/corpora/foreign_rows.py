"""Rows of other systems' files: their types, and the row of ours that each becomes."""

from typing import Any, Self

import msgspec
from django.utils.translation import gettext

from annotation.corpora.formats import sgss, trec_rag
from annotation.corpora.rows import CorpusRow, Limit, PassageRow, ResponseRow, TopicRow, text_fault
from annotation.models import Origin, Style


class RetrievalRow(CorpusRow, frozen=True):
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
            return "references_texts", gettext("has {texts} texts but {ids} references_ids").format(
                texts=texts, ids=ids
            )
        if fault := self.topic_row().fault():
            return fault
        for index, row in enumerate(self.passage_rows()):
            if fault := row.fault():
                name = {"passage": "references_ids"}.get(fault[0], "references_texts")
                return f"{name}[{index}]", fault[1]
        return None


class QueryRow(CorpusRow, frozen=True):
    """A query as RAGElo has it."""

    qid: str
    query: str
    limits = {"qid": Limit(200), "query": Limit()}

    def topic_row(self) -> TopicRow:
        return TopicRow(topic=self.qid, query=self.query)


class DocumentRow(CorpusRow, frozen=True):
    """A document as RAGElo has it, without a rank."""

    qid: str
    did: str
    document: str
    limits = {"qid": Limit(200), "did": Limit(300), "document": Limit()}

    def passage_row(self) -> PassageRow:
        return PassageRow(topic=self.qid, passage=self.did, text=self.document)


class AnswerRow(CorpusRow, frozen=True):
    """An answer as RAGElo has it: one of an agent to each query. The agent is the system."""

    qid: str
    agent: str
    answer: str
    limits = {"qid": Limit(100), "agent": Limit(99), "answer": Limit(blank=True)}

    def answered(self) -> tuple[str, str]:
        return "answer", self.answer

    def response_row(self) -> ResponseRow:
        """Return the response, which is called by both keys."""
        return ResponseRow(
            response=f"{self.qid}/{self.agent}",
            topic=self.qid,
            style=Style.FREE,
            text=self.answer,
            system=self.agent,
        )


class RagTopicRow(CorpusRow, frozen=True):
    """A topic as the RAG track of TREC has it: a title, a narrative, or both."""

    id: int | str
    title: str | None = None
    narrative: str | None = None
    limits = {"title": Limit(blank=True), "narrative": Limit(blank=True)}

    def topic_row(self) -> TopicRow:
        """Return the topic: the title or narrative is the query, the other its description."""
        title, narrative = (self.title or "").strip(), (self.narrative or "").strip()
        return TopicRow(
            topic=str(self.id).strip(),
            query=title or narrative,
            description=narrative if title and narrative else None,
        )

    def fault(self) -> tuple[str, str] | None:
        named = {"topic": "id", "query": "title"}
        if fault := super().fault() or self.topic_row().fault():
            return named.get(fault[0], fault[0]), fault[1]
        return None


class AnsweredTopicRow(CorpusRow, frozen=True):
    """A topic as an answer to it quotes it: a file of topics, or the corpus, says it better."""

    topic: str
    query: str
    limits = {"topic": Limit(200), "query": Limit()}

    def topic_row(self) -> TopicRow:
        return TopicRow(topic=self.topic, query=self.query)


class RagAnswerRow(CorpusRow, frozen=True, forbid_unknown_fields=False):
    """An answer of TREC RAG (formats.trec_rag), of 2024 or of 2025. The run is the system."""

    references: list[str]
    answer: list[trec_rag.CitingSentence]
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

    def mapped(self, field: str, key: str) -> Self:
        """Return the answer to another topic."""
        if self.metadata is None:
            return msgspec.structs.replace(self, topic_id=key)
        metadata = msgspec.structs.replace(self.metadata, narrative_id=key)
        return msgspec.structs.replace(self, metadata=metadata)

    def parts(self) -> list[tuple[str, list[str]]]:
        """Return text and cited segments of each part; it may be white space alone."""
        return [(part.text, trec_rag.cited(part, self.references)) for part in self.answer]

    def answered(self) -> tuple[str, str]:
        return "answer", " ".join(text for text, _ in self.parts())

    def sentences(self) -> list[tuple[str, list[str]]]:
        """Return text and cited segments of each sentence."""
        return [(text.strip(), keys) for text, keys in self.parts() if text.strip()]

    def beyond(self) -> list[int]:
        """Return the numbers that are cited and that the references do not have, each once."""
        numbers = (number for s in self.answer for number in trec_rag.beyond(s, self.references))
        return list(dict.fromkeys(numbers))

    def weigh(self) -> int:
        return sum(len(sentence.text) for sentence in self.answer)

    def fault(self) -> tuple[str, str] | None:
        for name, key, most in (("run_id", self.run, 99), ("topic_id", self.of_topic, 100)):
            if reason := text_fault(key, Limit(most)):
                return name, reason
        reason = text_fault(self.answered()[1], Limit(blank=True))
        return ("answer", reason) if reason else None


class SummaryRow(CorpusRow, frozen=True):
    """A structured summary (formats.sgss): a response with its parts, in the style *free*."""

    summary: str
    topic: str
    overview: sgss.SgssText
    sections: list[sgss.SummarySection]
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
        """Return the degraded copies."""
        whole = sgss.StructuredSummary(**self.fields())
        return [SummaryRow(**msgspec.structs.asdict(copy)) for copy in sgss.degraded(whole)]

    def weigh(self) -> int:
        words = [part.text for section in self.sections for part in section.statements]
        return len(self.overview.text) + sum(map(len, words))

    def fault(self) -> tuple[str, str] | None:
        if (self.copy_of is None) != (self.without is None):
            return "without", gettext("a degraded copy needs its summary and the removed part")
        return super().fault()
