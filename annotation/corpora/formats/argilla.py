"""Records of Argilla: fields, responses and suggestions, nested or flattened to columns. Pure.

Argilla 2 writes `responses: {question: [{value, user_id}]}`, its server and Argilla 1
`responses: [{values: {question: {value}}, status, user_id}]`. Flattened, as a data set of Hugging
Face, a question has the columns `label.responses`, `.responses.users` and `.suggestion`; in
Argilla 1 it is a list of `{value, user_id, status}`, beside `label-suggestion`.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

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
from annotation.corpora.reading.source_rows import SourceRow
from annotation.corpora.row_kinds import RowKind
from annotation.texts.sentences import Sentence, marked

ANSWERS, USERS, STATUSES = ".responses", ".responses.users", ".responses.status"
SUGGESTION, AGENT = ".suggestion", ".suggestion.agent"
OLD_SUGGESTION, OLD_METADATA = "-suggestion", "-suggestion-metadata"
PROPERTIES = ("id", "status", "_server_id", "external_id", "metadata", "vectors", "inserted_at")
NOT_GIVEN = ("discarded", "draft", "missing", "pending")
DRAFTS, SEVERAL = marked("drafts and discarded responses"), marked("rankings and lists of labels")


class ArgillaAnswer(NamedTuple):
    """An answer to a question of a record: of a person, or a suggestion of a model."""

    question: str
    value: Any
    rater: str
    kind: str = ""
    status: str = ""


def _signature(sample: FileSample) -> Signature | None:
    if not sample.share_of_most(_is_record):
        return None
    return Signature(1, (Sentence("one record per row, with its responses (Argilla)"),))


def _is_record(row: Mapping[str, Any]) -> bool:
    if isinstance(row.get("fields"), dict):
        return "responses" in row or "suggestions" in row
    return any(name + ANSWERS in row or name + OLD_SUGGESTION in row for name in _questions(row))


def _questions(row: Mapping[str, Any]) -> list[str]:
    """Return the questions of a flattened record."""
    endings = (ANSWERS, SUGGESTION, OLD_SUGGESTION)
    names = [name.removesuffix(end) for name in row for end in endings if name.endswith(end)]
    return list(dict.fromkeys(name for name in names if name))


def _reader(rows: Iterable[SourceRow]) -> Iterator[Read]:
    reader = RecordReader()
    for source in rows:
        record = source.values
        if not isinstance(record, dict) or not _is_record(record):
            yield FaultyRow(source, FormatFault("fields", Sentence("is not a record")))
            continue
        nested = isinstance(record.get("fields"), dict)
        fields = record["fields"] if nested else _fields(record)
        metadata = record.get("metadata")
        more = {**(metadata if isinstance(metadata, dict) else {}), "id": record.get("id")}
        texts: RecordTexts | None = None
        for item in reader.rows(source, fields, more):
            if isinstance(item, RecordTexts):
                texts = item
            else:
                yield item
        if texts is None:
            yield FaultyRow(source, FormatFault("fields", Sentence("has no text")))
            continue
        yield from _labels(source, texts, _nested(record) if nested else _flat(record))


def _fields(record: Mapping[str, Any]) -> dict[str, Any]:
    questions = _questions(record)
    return {
        name: value
        for name, value in record.items()
        if name not in (*PROPERTIES, *questions)
        and not any(name.startswith((f"{one}.", f"{one}-sugg")) for one in questions)
    }


def _labels(
    source: SourceRow, texts: RecordTexts, answers: Iterable[ArgillaAnswer]
) -> Iterator[Read]:
    left_out: Counter[str] = Counter()
    for answer in answers:
        if answer.status in NOT_GIVEN:
            left_out[DRAFTS] += 1
            continue
        value = answer.value
        if isinstance(value, list) and len(value) == 1 and isinstance(value[0], str):
            value = value[0]
        if isinstance(value, list | dict):
            left_out[SEVERAL] += 1
        elif value not in (None, ""):
            label = {**texts.columns(), "question": answer.question, "value": str(value)}
            by = {"rater": answer.rater[:100]} if answer.rater else {}
            kind = {"kind": answer.kind} if answer.kind else {}
            yield ForeignLabel(source, {**label, **by, **kind})
    if left_out:
        yield LeftOutCounts(source, left_out)


# -- Nested --------------------------------------------------------------------------------------
def _nested(record: Mapping[str, Any]) -> Iterator[ArgillaAnswer]:
    responses = record.get("responses")
    if isinstance(responses, dict):
        for question, answers in responses.items():
            for answer in _objects(answers):
                yield ArgillaAnswer(
                    question, answer.get("value"), _user(answer), status=_status(answer)
                )
    for response in _objects(responses):
        values = response.get("values")
        for question, answer in values.items() if isinstance(values, dict) else ():
            value = answer.get("value") if isinstance(answer, dict) else answer
            yield ArgillaAnswer(question, value, _user(response), status=_status(response))
        if "question_name" in response:
            name = str(response["question_name"])
            yield ArgillaAnswer(
                name, response.get("value"), _user(response), status=_status(response)
            )
    yield from _suggested(record.get("suggestions"))


def _suggested(suggestions: Any) -> Iterator[ArgillaAnswer]:
    if isinstance(suggestions, dict):
        suggestions = [
            {"question_name": question, **answer}
            for question, answer in suggestions.items()
            if isinstance(answer, dict)
        ]
    for answer in _objects(suggestions):
        if question := answer.get("question_name", answer.get("question_id")):
            yield ArgillaAnswer(str(question), answer.get("value"), _agent(answer), kind="model")


# -- Flattened -----------------------------------------------------------------------------------
def _flat(record: Mapping[str, Any]) -> Iterator[ArgillaAnswer]:
    for question in _questions(record):
        answers = _listed(record.get(question + ANSWERS))
        users, statuses = (_listed(record.get(question + end)) for end in (USERS, STATUSES))
        for place, value in enumerate(answers):
            status = str(statuses[place]) if place < len(statuses) else ""
            user = str(users[place]) if place < len(users) else ""
            yield ArgillaAnswer(question, value, user, status=status)
        for answer in _objects(record.get(question)):
            yield ArgillaAnswer(
                question, answer.get("value"), _user(answer), status=_status(answer)
            )
        for end in (SUGGESTION, OLD_SUGGESTION):
            metadata = record.get(question + OLD_METADATA)
            agent = record.get(question + AGENT) or (
                metadata.get("agent") if isinstance(metadata, dict) else ""
            )
            yield ArgillaAnswer(
                question, record.get(question + end), str(agent or ""), kind="model"
            )


def _objects(value: Any) -> list[dict[str, Any]]:
    return [one for one in _listed(value) if isinstance(one, dict)]


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _user(answer: Mapping[str, Any]) -> str:
    return str(answer.get("user_id") or answer.get("user") or "")


def _agent(answer: Mapping[str, Any]) -> str:
    return str(answer.get("agent") or "")


def _status(answer: Mapping[str, Any]) -> str:
    return str(answer.get("status") or "")


FORMAT = FileFormat(
    name="argilla",
    title=marked("records with responses (Argilla)"),
    signature=_signature,
    brings=(RowKind.ANSWERED_TOPICS, RowKind.RESPONSES),
    reader=_reader,
    labels=True,
)
