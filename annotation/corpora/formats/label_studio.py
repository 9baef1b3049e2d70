"""Exports of Label Studio: JSON with tasks and annotations, JSON-MIN and CSV. Pure.

A task has `data`, and `annotations` with a list `result`: each result is a choice, a rating, a
number, the selected side of a pair, or a text. JSON-MIN and CSV have a row for each annotation: the
data, and a column for each control. Annotators are called by their number, never by their address.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from annotation.corpora.detection.column_words import ColumnRole, role_of
from annotation.corpora.formats.annotated_records import RecordReader, RecordTexts
from annotation.corpora.formats.faults import FormatFault
from annotation.corpora.formats.file_format import (
    FaultyRow,
    FileFormat,
    FileSample,
    ForeignLabel,
    LeftOutCounts,
    Read,
    Signature,
)
from annotation.corpora.formats.reranking import digest, first_text
from annotation.corpora.reading.source_rows import SourceRow
from annotation.corpora.row_kinds import RowKind
from annotation.texts.sentences import Sentence, marked

SPANS, SEVERAL, CANCELLED = (
    marked("marked spans and regions"),
    marked("multiple-choice answers"),
    marked("skipped annotations"),
)
VALUES = ("choices", "rating", "number", "selected", "text", "datetime")
UNANNOTATED = {"id", "data", "meta", "predictions"}
MINIMAL_COLUMNS = {"annotator", "annotation_id", "lead_time"}
PROPERTIES = frozenset(
    (
        *("id", "annotator", "annotation_id", "created_at", "updated_at", "lead_time"),
        *("agreement", "inner_id", "total_annotations", "comment_count", "history", "agreement"),
    )
)
BESIDE = (  # columns that are data of the task, however short
    *(
        ColumnRole.ID,
        ColumnRole.SYSTEM,
        ColumnRole.MODEL,
        ColumnRole.OTHER,
        ColumnRole.TOPIC,
        ColumnRole.QUESTION,
        ColumnRole.ANSWER,
    ),
    *(
        ColumnRole.PASSAGE,
        ColumnRole.TITLE,
        ColumnRole.ORIGIN,
        ColumnRole.REFERENCE,
        ColumnRole.DESCRIPTION,
    ),
)
MOST_CONTROL = 60  # characters of a value of a control
ADDRESS = re.compile(r"[^@\s]+@[^@\s]+")
NO_TEXT = Sentence("has no text in its data")


# -- Tasks ---------------------------------------------------------------------------------------
def _has_tasks(sample: FileSample) -> Signature | None:
    if not sample.share_of_most(_is_task):
        return None
    return Signature(1, (Sentence("one task per row, with its annotations (Label Studio)"),))


def _is_task(row: Mapping[str, Any]) -> bool:
    annotations = row.get("annotations", row.get("completions"))
    is_to_do = annotations is None and row.keys() <= UNANNOTATED
    return isinstance(row.get("data"), dict) and (isinstance(annotations, list) or is_to_do)


def _tasks(rows: Iterable[SourceRow]) -> Iterator[Read]:
    reader = RecordReader()
    for source in rows:
        task = source.values
        if not isinstance(task, dict) or not _is_task(task):
            yield FaultyRow(source, FormatFault("annotations", Sentence("is not a task")))
            continue
        texts: RecordTexts | None = None
        for item in reader.rows(source, task["data"], {**_objects(task.get("meta")), **_id(task)}):
            if isinstance(item, RecordTexts):
                texts = item
            else:
                yield item
        if texts is None:
            yield FaultyRow(source, FormatFault("data", NO_TEXT))
            continue
        annotations = task.get("annotations", task.get("completions"))
        for annotation in _listed(annotations):
            yield from _labels(source, texts, annotation, _annotator(annotation))
        for prediction in _listed(task.get("predictions")):
            model = first_text(prediction, ("model_version",))
            by = {"rater": model, "kind": "model"} if model else {"kind": "model"}
            yield from _labels(source, texts, prediction, by)


def _labels(
    source: SourceRow, texts: RecordTexts, annotation: Mapping[str, Any], by: Mapping[str, str]
) -> Iterator[Read]:
    """Yield the labels of an annotation; what is no answer to a question is counted."""
    if annotation.get("was_cancelled"):
        yield LeftOutCounts(source, {CANCELLED: 1})
        return
    left_out: Counter[str] = Counter()
    time = {"answered_at": created} if (created := annotation.get("created_at")) else {}
    for result in _listed(annotation.get("result")):
        value, reason = _value(_objects(result.get("value")))
        if reason:
            left_out[reason] += 1
        elif value:
            control = str(result.get("from_name") or "")
            on = texts.columns(str(result.get("to_name") or ""))
            yield ForeignLabel(source, {**on, "question": control, "value": value, **by, **time})
    if left_out:
        yield LeftOutCounts(source, left_out)


def _value(value: Mapping[str, Any]) -> tuple[str, str]:
    """Return the value of a result, or why it is none."""
    if "start" in value or "x" in value or "points" in value or "ranker" in value:
        return "", SPANS
    name = next((name for name in VALUES if name in value), "")
    answer = value.get(name)
    if isinstance(answer, list):
        if len(answer) > 1 and name != "text":
            return "", SEVERAL
        answer = "\n".join(map(str, answer))
    if name == "" or isinstance(answer, dict | bool):
        return "", SPANS if value else ""
    return ("" if answer is None else _written(answer)), ""


def _written(answer: Any) -> str:
    return f"{answer:.15g}" if isinstance(answer, float) else str(answer).strip()


def _annotator(annotation: Mapping[str, Any]) -> dict[str, str]:
    """Return who gave an annotation: a number, or a digest of what may be an address."""
    person = annotation.get("completed_by")
    if isinstance(person, dict):
        person = person.get("id", person.get("email"))
    return {"rater": _pseudonym(person)} if person not in (None, "") else {}


def _pseudonym(person: Any) -> str:
    text = str(person).strip()
    return f"annotator {digest(text) if ADDRESS.search(text) else text}"[:100]


def _id(task: Mapping[str, Any]) -> dict[str, Any]:
    return {"id": task["id"]} if "id" in task else {}


def _objects(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _listed(value: Any) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


TASKS = FileFormat(
    name="label_studio",
    title=marked("tasks with annotations (Label Studio)"),
    signature=_has_tasks,
    brings=(RowKind.ANSWERED_TOPICS, RowKind.RESPONSES),
    reader=_tasks,
    labels=True,
)


# -- JSON-MIN and CSV ----------------------------------------------------------------------------
def _is_minimal(sample: FileSample) -> Signature | None:
    if not set(sample.names) >= MINIMAL_COLUMNS:
        return None
    return Signature(1, (Sentence("columns match Label Studio"),))


def _minimal(rows: Iterable[SourceRow]) -> Iterator[Read]:
    reader = RecordReader()
    for source in rows:
        row = source.values if isinstance(source.values, dict) else {}
        controls = {name: value for name, value in row.items() if _is_control(name, value)}
        data = {n: v for n, v in row.items() if n not in PROPERTIES and n not in controls}
        texts: RecordTexts | None = None
        for item in reader.rows(source, data, _id(row)):
            if isinstance(item, RecordTexts):
                texts = item
            else:
                yield item
        if texts is None:
            yield FaultyRow(source, FormatFault("", NO_TEXT))
            continue
        annotation = {
            "completed_by": row.get("annotator"),
            "created_at": row.get("created_at"),
            "result": [
                {"from_name": name, "value": _of_cell(value)} for name, value in controls.items()
            ],
        }
        yield from _labels(source, texts, annotation, _annotator(annotation))


def _is_control(name: str, value: Any) -> bool:
    """Return whether a column is a control: short, or an object, and no data of a task."""
    if name in PROPERTIES or role_of(name) in BESIDE or value in (None, ""):
        return False
    value = _decoded(value)
    if isinstance(value, list | dict):
        return True
    return not isinstance(value, str) or (
        len(value) <= MOST_CONTROL and role_of(name) is not ColumnRole.TEXT
    )


def _of_cell(value: Any) -> dict[str, Any]:
    """Return a cell as the value of a result: {"choices": [...]}, a list of them, or a word."""
    value = _decoded(value)
    if isinstance(value, list) and value and isinstance(value[0], dict):
        value = value[0]
    if isinstance(value, dict):
        return value
    return {"choices": value if isinstance(value, list) else [value]}


def _decoded(value: Any) -> Any:
    """Return the list or object that a cell writes as JSON, or the value as it is."""
    if isinstance(value, str) and value.startswith(("[", "{")):
        try:
            return msgspec.json.decode(value)
        except (msgspec.DecodeError, RecursionError):
            return value
    return value


MINIMAL = FileFormat(
    name="label_studio_min",
    title=marked("annotations, one per row (Label Studio JSON-MIN or CSV)"),
    signature=_is_minimal,
    brings=(RowKind.ANSWERED_TOPICS, RowKind.RESPONSES),
    reader=_minimal,
    labels=True,
)
