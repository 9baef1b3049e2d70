"""The rows of the texts: what was judged or written, and who wrote it. Only reads.

Both tables have the schema of the Crowd RAG Corpus 2025 (its responses.jsonl.gz and
study1_tasks.jsonl.gz), so that its notebooks run on them.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from analysis.exports.cells import Cell, Type, cell_of, type_of
from analysis.exports.encodings import Row
from analysis.exports.sources import Source
from analysis.inputs import judged
from analysis.inputs.text_frames import responses_of
from annotation.corpora.formats.sgss import StructuredSummary
from annotation.corpora.summaries import summaries_of
from annotation.models import Assignment, Passage, Response, Study
from annotation.texts.statements import statements, without_citations

# What a spreadsheet has room for; lists and the texts of the passages are in the JSONL alone.
RESPONSE_COLUMNS = (
    "response", "topic", "style", "text", "kind", "origin", "system", "query", "cleaned_text",
)  # fmt: skip
# Kinds of items that only structured summaries have.
OF_PARTS = (
    "overview", "overview_sections", "heading_statement", "heading_section", "section_summary",
)  # fmt: skip
TASK_COLUMNS = ("response", "worker", "topic", "style")

FIELDS = ("key", "topic_id", "topic__key", "topic__query", "style", "origin", "system__key", "text")


def responses(source: Source) -> Iterator[Row]:
    """The texts that the items of a study show, or that it has accepted, by topic and key."""
    rows = responses_of(source.study)
    ordered = rows.order_by(judged.in_order("topic__key"), judged.in_order("key"))
    for pks in judged.chunks(ordered, source.step):
        texts = Response.objects.filter(pk__in=pks)
        found = {pk: row for pk, *row in texts.values_list("pk", *FIELDS)}
        references = _references({row[1] for row in found.values()})
        yield from (_response(found[pk], references) for pk in pks if pk in found)


def _references(topics: set[int]) -> Mapping[int, Sequence[tuple[str, str]]]:
    """Of each topic (id) its passages by rank: key and text."""
    found: dict[int, list[tuple[str, str]]] = {topic: [] for topic in topics}
    passages = Passage.objects.filter(topic__in=topics).order_by("topic", "rank")
    for topic, key, text in passages.values_list("topic_id", "key", "text"):
        found[topic].append((key, text))
    return found


def _response(row: Sequence[Any], references: Mapping[int, Sequence[tuple[str, str]]]) -> Row:
    key, topic, topic_key, query, style, origin, system, text = row
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
        "cleaned_text": without_citations(text),
        "statements": [
            {
                "text": each.text,
                "citations": [keys[number] for number in each.cited if number < len(keys)],
            }
            for each in statements(text)
        ],
        "text": text,
        "origin": origin,
        "system": system,
    }


def summaries(source: Source) -> Iterator[StructuredSummary]:
    """The structured summaries of its corpus."""
    return summaries_of(source.study.corpus.responses.all())


def have_parts(source: Source) -> bool:
    """Whether it asks about the parts of summaries."""
    return any(asked.item_kind in OF_PARTS for asked in source.questions)


def response_columns(source: Source) -> tuple[str, ...]:
    return RESPONSE_COLUMNS


def tasks(source: Source) -> Iterator[Row]:
    """One row an accepted text of a writing study: who wrote it, and what the forms were told."""
    fields = _form_fields(source.study)
    accepted = Assignment.objects.filter(
        study=source.study, state=Assignment.State.ACCEPTED, writing__response__isnull=False
    )
    for pks in judged.chunks(
        accepted.order_by(judged.in_order("writing__response__key")), source.step
    ):
        rows = Assignment.objects.filter(pk__in=pks).values_list(
            "pk", "writing__response__key", "worker__pseudonym", "task__writing_task__topic__key",
            "task__writing_task__style", "entry_answers", "exit_answers",
        )  # fmt: skip
        found = {pk: row for pk, *row in rows}
        for pk in pks:
            if pk in found:
                *task, entry, left = found[pk]
                answers = {**entry, **left}
                yield dict(zip(TASK_COLUMNS, task, strict=True)) | {
                    name: _written(answers.get(name), column) for name, column in fields.items()
                }


def _written(answer: str | None, column: Type) -> Cell:
    """Return an answer as it is published: a number where all codes of its question are."""
    return None if answer is None else cell_of(answer, column)


def task_columns(source: Source) -> tuple[str, ...]:
    return (*TASK_COLUMNS, *_form_fields(source.study))


def _form_fields(study: Study) -> dict[str, Type]:
    """Return the questions before and after the writing, each with the type of its answers."""
    columns: dict[str, Type] = {}
    for asked in (*study.entry_form, *study.exit_form):
        column = type_of([option["code"] for option in asked.get("options", ())])
        columns[asked["key"]] = max(column, columns.get(asked["key"], column))
    return columns
