"""A question with a list of rated answers: UltraFeedback, distilabel, Nectar. Pure.

UltraFeedback has `completions` with a rating for each aspect, distilabel parallel lists
(`generations`, `generation_models`, `ratings`), Nectar `answers` with a rank. Comparisons of
summaries by OpenAI have two `summaries` of a post and the worker's `choice`. A corpus gets the
question and its answers; ratings, ranks and choices are labels.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from annotation.corpora.formats import votes
from annotation.corpora.formats.answer_keys import AnswerKeys
from annotation.corpora.formats.faults import FormatFault
from annotation.corpora.formats.file_format import (
    FaultyRow,
    FileFormat,
    FileSample,
    ForeignLabel,
    FormatRow,
    LeftOutCounts,
    Read,
    Signature,
)
from annotation.corpora.formats.pairs import IDS, QUESTIONS
from annotation.corpora.formats.reranking import digest, first_text
from annotation.corpora.reading.source_rows import SourceRow
from annotation.corpora.row_kinds import RowKind
from annotation.texts.conversations import RawTurn, Speaker, turns_of_transcript
from annotation.texts.sentences import Sentence, marked

OF_TEXTS = ("generations", "completions")  # `answers` that are texts are references
OF_OBJECTS = (*OF_TEXTS, "answers", "summaries", "outputs", "responses", "candidates")
TEXTS = ("response", "answer", "text", "completion", "generation", "output")
NAMES = ("model", "policy", "model_name", "generation_model", "system", "agent")
OUTER = ("info", "input")  # objects that may hold the question
MODELS = ("generation_models", "generation_model", "model_names", "models")
NUMBER = re.compile(r"-?\d{1,4}(\.\d+)?")
OVERALL, RANK = "overall_score", "rank"
NO_NUMBER = marked("ratings without a number")


class CompletionAnswer(NamedTuple):
    """An answer, the model that gave it, and its ratings by aspect."""

    text: str
    model: str
    ratings: Mapping[str, Any]


def _signature(sample: FileSample) -> Signature | None:
    if not sample.share_of_most(lambda row: bool(_answers(row) and _question(row))):
        return None
    return Signature(0.99, (Sentence("one question per row, with a list of answers"),))


def _reader(rows: Iterable[SourceRow]) -> Iterator[Read]:
    topics: set[str] = set()
    keys = AnswerKeys()
    for source in rows:
        row = source.values if isinstance(source.values, dict) else {}
        turns, answers = _question(row), _answers(row)
        if not turns or not answers:
            field, reason = ("completions", Sentence("is not a list of answers"))
            if not turns:
                field, reason = "instruction", Sentence("is not a question")
            yield FaultyRow(source, FormatFault(field, reason))
            continue
        topic = _topic(row, turns)
        if topic not in topics:
            topics.add(topic)
            yield _topic_row(source, topic, turns)
        yield from _answered(source, topic, answers, keys)


def _topic(row: Mapping[str, Any], turns: list[RawTurn]) -> str:
    info = row.get("info")
    inner = first_text(info, ("id",)) if isinstance(info, dict) else ""
    named = first_text(dict(row), (*IDS, "id")) or inner
    return named or digest("\n\n".join(turn.content for turn in turns))


def _topic_row(source: SourceRow, topic: str, turns: list[RawTurn]) -> FormatRow:
    values: dict[str, Any] = {"topic": topic, "query": turns[-1].content}
    if len(turns) == 1:
        return FormatRow(source, RowKind.ANSWERED_TOPICS, values)
    messages = [turn._asdict() for turn in turns]
    return FormatRow(source, RowKind.TOPICS, values | {"messages": messages})


def _answered(
    source: SourceRow, topic: str, answers: list[CompletionAnswer], keys: AnswerKeys
) -> Iterator[Read]:
    """Yield the responses of a row, their ratings, and the choice between two."""
    no_number = 0
    named = []
    for answer in answers:
        key, is_new = keys.key_of(topic, answer.model or "answer", answer.text)
        named.append(key)
        if is_new:
            values = {"response": key, "topic": topic, "text": answer.text}
            system = {"system": answer.model} if answer.model else {}
            yield FormatRow(source, RowKind.RESPONSES, values | system)
        for aspect, rating in answer.ratings.items():
            if not NUMBER.fullmatch(str(rating).strip()):
                no_number += 1
                continue
            label = {"topic": topic, "response": key, "question": aspect, "value": f"{rating}"}
            yield ForeignLabel(source, {**label, "kind": "model"})
    if no_number:
        yield LeftOutCounts(source, {NO_NUMBER: no_number})
    choice = source.values.get("choice")
    if len(named) == 2 and choice in (0, 1) and not isinstance(choice, bool):
        if named[0] == named[1]:
            yield LeftOutCounts(source, {votes.SAME: 1})
            return
        sides = {"topic": topic, "response_a": named[0], "response_b": named[1]}
        vote = {"value": "ab"[choice], **votes.by_whom(source.values)}
        yield ForeignLabel(source, {**sides, **vote})


# -- Fields ----------------------------------------------------------------------------------------
def _question(row: Mapping[str, Any]) -> list[RawTurn]:
    """Return the turns that lead to the answers, up to the last one by the user."""
    text = next((row[name] for name in QUESTIONS if isinstance(row.get(name), str)), "")
    for name in OUTER:
        if not text and isinstance(outer := row.get(name), dict):
            text = first_text(outer, (*QUESTIONS, "article"), strips=False)
    turns = turns_of_transcript(text)
    if turns and turns[-1].role is Speaker.ASSISTANT and not turns[-1].content:
        turns = turns[:-1]  # the place of the answer
    if turns and turns[-1].role is Speaker.USER:
        return turns
    return [RawTurn(Speaker.USER, text)] if text.strip() else []


def _answers(row: Mapping[str, Any]) -> list[CompletionAnswer]:
    """Return the answers in a row; empty if it has no list of them."""
    for name in OF_OBJECTS:
        value = row.get(name)
        if not isinstance(value, list) or not value:
            continue
        if name in OF_TEXTS and all(one is None or isinstance(one, str) for one in value):
            return _parallel(row, value)
        if all(isinstance(one, dict) and _has_text(one) for one in value):
            models = [first_text(one, NAMES) for one in value]
            if all(models) or "annotations" in value[0]:
                return [
                    CompletionAnswer(_text(one), model, _ratings(one))
                    for one, model in zip(value, models, strict=True)
                ]
    return []


def _has_text(answer: Mapping[str, Any]) -> bool:
    return any(
        name in answer and (answer[name] is None or isinstance(answer[name], str)) for name in TEXTS
    )


def _text(answer: Mapping[str, Any]) -> str:
    return next((answer[name] for name in TEXTS if isinstance(answer.get(name), str)), "")


def _parallel(row: Mapping[str, Any], texts: list[str | None]) -> list[CompletionAnswer]:
    """Return the answers of distilabel, whose models and ratings are lists of their own."""
    count = len(texts)
    models = next((row[name] for name in MODELS if row.get(name)), "")
    models = models if isinstance(models, list) else [models] * count
    ratings = row.get("ratings")
    ratings = ratings if isinstance(ratings, list) else []
    if len(models) != count or len(ratings) not in (0, count):
        return []
    rated = [{"rating": rating} for rating in ratings] or [{}] * count
    return [
        CompletionAnswer(text or "", model if isinstance(model, str) else "", of)
        for text, model, of in zip(texts, models, rated, strict=True)
    ]


def _ratings(answer: Mapping[str, Any]) -> dict[str, Any]:
    """Return the ratings of an answer by aspect: each an object, or a list of one."""
    annotations = answer.get("annotations")
    rated: dict[str, Any] = {}
    for aspect, given in annotations.items() if isinstance(annotations, dict) else ():
        ratings = given if isinstance(given, list) else [given]
        for one in ratings:
            if isinstance(one, dict) and one.get("Rating") is not None:
                rated.setdefault(str(aspect), one["Rating"])
    for name in (OVERALL, RANK):
        if answer.get(name) is not None and not isinstance(answer[name], bool | list | dict):
            rated[name] = answer[name]
    return rated


def _paths(names: Iterable[str]) -> Iterator[str]:
    for name in OF_OBJECTS:
        yield from (f"{name}.{field}" for field in names)


FORMAT = FileFormat(
    name="completions",
    title=marked("questions with rated answers (UltraFeedback, distilabel, Nectar)"),
    signature=_signature,
    brings=(RowKind.TOPICS, RowKind.ANSWERED_TOPICS, RowKind.RESPONSES),
    reader=_reader,
    reads=(
        *QUESTIONS,
        *IDS,
        *MODELS,
        *("id", "ratings", "choice", "info.id"),
        *(f"{outer}.{name}" for outer in OUTER for name in (*QUESTIONS, "article")),
        *votes.RATERS,
        *votes.TIMES,
        *_paths((*TEXTS, *NAMES, OVERALL, RANK, "annotations.*.Rating")),
    ),
    labels=True,
)
