"""Rows of the texts and of the tasks that produced them.

Both tables have the schema of the Crowd RAG Corpus 2025 (its responses.jsonl.gz and
study1_tasks.jsonl.gz), so that its notebooks run on them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from analysis.exports.cells import Cell, Type, cell_of, type_of
from analysis.exports.encodings import Row
from analysis.exports.export_column import (
    ANSWER,
    BOOLEAN,
    STYLE,
    TEXT,
    TOPIC,
    WRITER,
    ExportColumn,
    never,
)
from analysis.exports.source import ExportSource
from analysis.inputs import judged_items
from analysis.inputs.text_frames import responses_of
from annotation.corpora.formats.sgss import StructuredSummary
from annotation.corpora.summaries import summaries_of
from annotation.models import Assignment, Passage, Response, Study
from annotation.texts.citations import marks_in
from annotation.texts.conversations import Speaker
from annotation.texts.statements import statements, without_citations

RESPONSES = (
    ExportColumn(
        "response", TEXT, "f82f5277-3cc7-37f0-bf59-8d960eceb6ae",
        "key of the response", guide="key of the response in its corpus",
    ),
    TOPIC,
    replace(STYLE, example="bullet"),
    ExportColumn(
        "text", TEXT, "- Vicarious trauma refers to ...",
        "the text, unchanged",
    ),
    ExportColumn(
        "is_empty", BOOLEAN, "False",
        "whether the system gave no answer; participants see a note instead",
        guide=(
            "whether the system gave no answer; participants see a note instead. An empty text "
            "without this mark was withdrawn. An import reads it"
        ),
    ),
    ExportColumn(
        "rendering", TEXT, "markdown",
        "how the study showed its texts: markdown (with formulas), plain or preformatted",
    ),
    ExportColumn(
        "kind", TEXT, "llm",
        "author type as published: human or llm; same as origin",
    ),
    ExportColumn("origin", TEXT, "llm", "human, llm or other"),
    ExportColumn("system", TEXT, "gpt-4o", "key of the system that wrote the text; empty if none"),
    ExportColumn("query", TEXT, "what is vicarious trauma", "the search question of the topic"),
    ExportColumn(
        "references_ids", "list of texts", '["msmarco_v2.1_doc_...", ...]',
        "keys of the topic's passages, best first; JSONL only", when=never,
    ),
    ExportColumn(
        "references_texts", "list of texts", '["Vicarious trauma is ...", ...]',
        "texts of these passages; JSONL only", when=never,
    ),
    ExportColumn(
        "raw_text", TEXT, "- Vicarious trauma refers to ... [0]",
        "same as text; JSONL only", when=never,
    ),
    ExportColumn(
        "cleaned_text", TEXT, "- Vicarious trauma refers to ...",
        "the text without its citations",
    ),
    ExportColumn(
        "statements", "list of objects",
        '[{"text": "...", "citations": ["msmarco_v2.1_doc_..."]}, ...]',
        "the text split after citations: text, and the keys of the cited passages. JSONL only",
        guide=(
            "the text split after citations: `text`, and `citations`, the keys of the cited "
            "passages; JSONL only"
        ), when=never,
    ),
    ExportColumn(
        "marks", "list of lists", "[[29, 32, 0]]",
        "the citations: start and end in the text, and positions of the passages in "
        "references_ids, from 0. JSONL only",
        guide=(
            "the citations: start and end in the text, and positions of the passages in "
            "`references_ids`, from 0; an import reads them; JSONL only"
        ), when=never,
    ),
    ExportColumn(
        "topic_messages", "list of objects",
        '[{"role": "user", "content": "..."}, {"role": "assistant", "content": "..."}, ...]',
        "the conversation that ends with the query; empty if there are no earlier turns. JSONL "
        "only",
        guide=(
            "the conversation that ends with the query, each turn with `role` and `content`; empty "
            "if there are no earlier turns; an import reads it as `messages` of a topic; JSONL only"
        ),
        when=never,
    ),
    ExportColumn(
        "messages", "list of objects",
        '[{"role": "user", "content": "..."}, ..., {"role": "assistant", "content": "..."}]',
        "the conversation that ends with the text; empty outside conversations. JSONL only",
        guide=(
            "the conversation that ends with the text, each turn with `role` and `content`; empty "
            "outside conversations; an import reads it; JSONL only"
        ), when=never,
    ),
)  # fmt: skip
TASK = (
    ExportColumn("response", TEXT, "which-heat-17", "key of the response"),
    WRITER,
    TOPIC,
    STYLE,
)
TASKS = (
    *TASK,
    ExportColumn(
        "{question}", ANSWER, "3",
        "answer to each question of the forms before and after writing",
        guide=(
            "answer to each question of the forms before and after writing, by its key; a number "
            "if the codes are numbers"
        ),
        names=lambda source: _form_fields(source.study),
    ),
)  # fmt: skip
SUMMARIES = (
    ExportColumn("summary", TEXT, "", "key of the response"),
    TOPIC,
    ExportColumn("overview", TEXT, "", "text and citations (keys of passages)"),
    ExportColumn("sections", TEXT, "", "heading and statements, each with text and citations"),
    ExportColumn(
        "copy_of", TEXT, "",
        "for a degraded copy, key of its original; `without` lists the missing parts",
    ),
)  # fmt: skip
# Kinds of items that only structured summaries have.
OF_PARTS = (
    "overview", "overview_sections", "heading_statement", "heading_section", "section_summary",
    "summary_pair",
)  # fmt: skip

TASK_KEYS = tuple(column.key for column in TASK)
FIELDS = (
    "key",
    "topic_id",
    "topic__key",
    "topic__query",
    "topic__turns",
    "style",
    "origin",
    "system__key",
    "text",
    "marks",
    "turns",
    "is_empty",
)


def responses(source: ExportSource) -> Iterator[Row]:
    """Yield the texts that items show, or that the study has accepted, by topic and key."""
    rows = responses_of(source.study)
    ordered = rows.order_by(judged_items.in_order("topic__key"), judged_items.in_order("key"))
    for pks in judged_items.chunks(ordered, source.step):
        texts = Response.objects.filter(pk__in=pks)
        row_by_pk = {pk: row for pk, *row in texts.values_list("pk", *FIELDS)}
        references = _references({row[1] for row in row_by_pk.values()})
        shown = {"rendering": source.study.rendering}
        yield from (_response(row_by_pk[pk], references) | shown for pk in pks if pk in row_by_pk)


def _references(topics: set[int]) -> Mapping[int, Sequence[tuple[str, str]]]:
    """Return the passages (key and text) of each topic (id), by rank."""
    passages_by_topic: dict[int, list[tuple[str, str]]] = {topic: [] for topic in topics}
    passages = Passage.objects.filter(topic__in=topics).order_by("topic", "rank")
    for topic, key, text in passages.values_list("topic_id", "key", "text"):
        passages_by_topic[topic].append((key, text))
    return passages_by_topic


def _response(row: Sequence[Any], references: Mapping[int, Sequence[tuple[str, str]]]) -> Row:
    key, topic, topic_key, query, earlier, style, origin, system, text, marks, turns, is_empty = row
    keys = [passage for passage, _ in references[topic]]
    return {
        "response": key,
        "topic": topic_key,
        "style": style,
        "kind": origin,
        "query": query,
        "references_ids": keys,
        "references_texts": [passage for _, passage in references[topic]],
        "raw_text": text,
        "cleaned_text": without_citations(text, marks),
        "statements": [
            {
                "text": statement.text,
                "citations": [keys[number] for number in statement.cited if number < len(keys)],
            }
            for statement in statements(text, marks)
        ],
        "marks": marks_in(text, marks),
        "topic_messages": _conversation(earlier, Speaker.USER, query),
        "messages": _conversation(turns, Speaker.ASSISTANT, text),
        "text": text,
        "is_empty": is_empty,
        "origin": origin,
        "system": system,
    }


def _conversation(turns: list[Any] | None, role: Speaker, last: str) -> list[Any] | None:
    return None if turns is None else [*turns, {"role": role.value, "content": last}]


def summaries(source: ExportSource) -> Iterator[StructuredSummary]:
    """Return the structured summaries of the corpus."""
    return summaries_of(source.study.corpus.responses.all())


def have_parts(source: ExportSource) -> bool:
    """Return whether a question is about the parts of summaries."""
    return any(question.item_kind in OF_PARTS for question in source.questions)


def tasks(source: ExportSource) -> Iterator[Row]:
    """Yield one row per accepted text of a writing study, with the answers to its forms."""
    fields = _form_fields(source.study)
    accepted = Assignment.objects.filter(
        study=source.study, state=Assignment.State.ACCEPTED, writing__response__isnull=False
    )
    for pks in judged_items.chunks(
        accepted.order_by(judged_items.in_order("writing__response__key")), source.step
    ):
        rows = Assignment.objects.filter(pk__in=pks).values_list(
            "pk", "writing__response__key", "worker__pseudonym", "task__writing_task__topic__key",
            "task__writing_task__style", "entry_answers", "exit_answers",
        )  # fmt: skip
        row_by_pk = {pk: row for pk, *row in rows}
        for pk in pks:
            if pk in row_by_pk:
                *task, entry, left = row_by_pk[pk]
                answers = {**entry, **left}
                yield dict(zip(TASK_KEYS, task, strict=True)) | {
                    name: _written(answers.get(name), column) for name, column in fields.items()
                }


def _written(answer: str | None, column: Type) -> Cell:
    """Return an answer in its published form: a number where all codes are numbers."""
    return None if answer is None else cell_of(answer, column)


def _form_fields(study: Study) -> dict[str, Type]:
    """Return the questions of the forms, each with the type of its answers."""
    columns: dict[str, Type] = {}
    for form_field in (*study.entry_form, *study.exit_form):
        column = type_of([option["code"] for option in form_field.get("options", ())])
        columns[form_field["key"]] = max(column, columns.get(form_field["key"], column))
    return columns
