"""Corpus of a study in the three files of RAGElo: queries, documents and answers.

A system (agent) has one answer to each query.
"""

import json
from collections.abc import Iterator

from django.db.models import Count, QuerySet

from analysis.exports.encodings import Row
from analysis.exports.export_column import TEXT, Columns, ExportColumn
from analysis.exports.source import CannotExport, ExportSource
from analysis.inputs import judged_items
from analysis.inputs.text_frames import responses_of
from annotation.models import Passage, Ranking, Response, Study, Topic
from annotation.models.corpus import erased_text

QID = ExportColumn("qid", TEXT, "2024-45494", "key of the topic")
QUERIES = (QID, ExportColumn("query", TEXT, "why do leaves turn red?", "the search question"))
DOCUMENTS = (
    QID,
    ExportColumn("did", TEXT, "msmarco_v2.1_doc_51_766815931#2", "key of the passage"),
    ExportColumn(
        "document", TEXT, "Sugar makes ...",
        "text of the passage; passages are sorted by rank, and answers cite them by rank from 0",
    ),
)  # fmt: skip
ANSWERS = (
    QID,
    ExportColumn("agent", TEXT, "RAG-Hybrid", "key of the system"),
    ExportColumn("answer", TEXT, "Because of sugar [0].", "text of the response"),
)


EXPERIMENT = (
    ExportColumn("experiment_name", TEXT, "lamps", "the link name of the study"),
    ExportColumn(
        "queries", TEXT, "",
        "by topic: `query`, `retrieved_docs` with the score of each system (1/rank without one), "
        "and `answers` by system",
    ),
)  # fmt: skip


def have_answers(study: Study) -> bool:
    """Return whether the study has texts of systems."""
    return _answers(study).exists()


def answered(source: ExportSource) -> None:
    """Raise CannotExport (no_system_answers, several_answers)."""
    answers = _answers(source.study)
    if not answers.exists():
        raise CannotExport(
            "no_system_answers", f"Study {source.study.slug} has no texts by systems."
        )
    keys = ("system__key", "topic__key")
    counts = answers.order_by(*keys).values_list(*keys).annotate(n=Count("pk"))
    if twice := counts.filter(n__gt=1).first():
        system, topic, _ = twice
        raise CannotExport(
            "several_answers",
            f"RAGElo files contain one answer per system and query, but {system!r} has several "
            f"for {topic!r}.",
        )


def _answers(study: Study) -> "QuerySet[Response]":
    """Return the texts of systems that nobody withdrew."""
    return responses_of(study).filter(system__isnull=False).exclude(erased_text())


def _topics(source: ExportSource) -> "QuerySet[Topic]":
    answered_topics = _answers(source.study).order_by().values("topic")
    return Topic.objects.filter(pk__in=answered_topics)


def queries(source: ExportSource) -> Iterator[Row]:
    """Yield one row per topic that systems have answered."""
    rows = _topics(source).order_by(judged_items.in_order("key"))
    for row in rows.values_list("key", "query").iterator():
        yield _row(QUERIES, row)


def documents(source: ExportSource) -> Iterator[Row]:
    """Yield one row per passage of these topics, by rank: answers cite them by it, from 0."""
    rows = Passage.objects.filter(topic__in=_topics(source))
    ordered = rows.order_by(judged_items.in_order("topic__key"), "rank")
    for row in ordered.values_list("topic__key", "key", "text").iterator():
        yield _row(DOCUMENTS, row)


def answers(source: ExportSource) -> Iterator[Row]:
    """Yield one row per answer."""
    rows = _answers(source.study)
    ordered = rows.order_by(
        judged_items.in_order("topic__key"), judged_items.in_order("system__key")
    )
    for row in ordered.values_list("topic__key", "system__key", "text").iterator():
        yield _row(ANSWERS, row)


def experiment(source: ExportSource) -> Iterator[str]:
    """Yield the parts of NAME.json, an experiment of ragelo 0.7: queries, documents, answers."""
    start = f'{{"experiment_name": {json.dumps(source.study.slug)}, "queries": {{'
    for topic in _topics(source).order_by(judged_items.in_order("key")).iterator():
        query = {
            "qid": topic.key,
            "query": topic.query,
            "retrieved_docs": _retrieved(topic),
            "answers": {
                agent: {"qid": topic.key, "agent": agent, "text": text}
                for agent, text in _answers(source.study)
                .filter(topic=topic)
                .order_by(judged_items.in_order("system__key"))
                .values_list("system__key", "text")
            },
        }
        yield f"{start}{json.dumps(topic.key)}: {json.dumps(query, ensure_ascii=False)}"
        start = ",\n"
    yield "}}\n"


def _retrieved(topic: Topic) -> dict[str, Row]:
    """Return the passages by rank, with the score of each system that ranks them."""
    scores: dict[int, dict[str, float]] = {}
    for passage, system, rank, score in Ranking.objects.filter(topic=topic).values_list(
        "passage", "system__key", "rank", "score"
    ):
        scores.setdefault(passage, {})[system] = 1 / rank if score is None else score
    return {
        key: {"qid": topic.key, "did": key, "text": text, "retrieved_by": scores.get(pk, {})}
        for pk, key, text in Passage.objects.filter(topic=topic)
        .order_by("rank")
        .values_list("pk", "key", "text")
    }


def _row(columns: Columns, cells: tuple[str, ...]) -> Row:
    return {column.key: cell for column, cell in zip(columns, cells, strict=True)}
