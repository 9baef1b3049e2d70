"""Files of FastChat and MT-bench: questions, and answers of models to all turns. Pure.

question.jsonl has the turns of the user, model_answer/MODEL.jsonl those of a model in `choices`.
Each turn of an answer is a response to the conversation before it: the last one has the topic of
the question, an earlier one a topic of its own, as in `conversations`.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from annotation.corpora.formats.conversations import turn_key
from annotation.corpora.formats.faults import FormatFault
from annotation.corpora.formats.file_format import (
    FaultyRow,
    FileFormat,
    FileSample,
    FormatRow,
    LeftOutCounts,
    Read,
    Signature,
)
from annotation.corpora.formats.reranking import first_text
from annotation.corpora.reading.source_rows import SourceRow
from annotation.corpora.row_kinds import RowKind
from annotation.texts.sentences import Sentence, marked

QUESTION, MODEL = ("question_id",), ("model_id", "model")
OTHERS = marked("additional answers by a model")


def _texts(value: Any) -> list[str]:
    """Return a list of texts, empty if it is none."""
    is_texts = isinstance(value, list) and all(isinstance(text, str) for text in value)
    return value if is_texts else []


# -- Questions -----------------------------------------------------------------------------------
def _has_turns(sample: FileSample) -> Signature | None:
    if not sample.every("question_id", "turns") or not _texts(sample.rows[0]["turns"]):
        return None
    return Signature(1, (Sentence("one question per row, with its turns"),))


def _questions(rows: Iterable[SourceRow]) -> Iterator[Read]:
    for source in rows:
        row = source.values if isinstance(source.values, dict) else {}
        turns = _texts(row.get("turns"))
        if not turns or not turns[0].strip():
            yield FaultyRow(source, FormatFault("turns", Sentence("is not a list of texts")))
            continue
        topic = first_text(row, QUESTION)
        yield FormatRow(source, RowKind.ANSWERED_TOPICS, {"topic": topic, "query": turns[0]})


QUESTIONS = FileFormat(
    name="fastchat_questions",
    title=marked("questions with turns (FastChat, MT-bench)"),
    signature=_has_turns,
    brings=(RowKind.ANSWERED_TOPICS,),
    reader=_questions,
    reads=("question_id", "turns"),
)


# -- Answers -------------------------------------------------------------------------------------
def _has_choices(sample: FileSample) -> Signature | None:
    if not sample.every("question_id", "choices") or not _replies(sample.rows[0]):
        return None
    return Signature(1, (Sentence("each row lists a model's answers"),))


def _replies(row: Mapping[str, Any]) -> list[str]:
    choices = row.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    return _texts(first.get("turns")) if isinstance(first, dict) else []


def _joined(rows: Iterable[SourceRow], questions: Iterable[SourceRow]) -> Iterator[Read]:
    """Yield the responses to the questions of another file."""
    turns_by_question = {
        first_text(row.values, QUESTION): _texts(row.values.get("turns"))
        for row in questions
        if isinstance(row.values, dict)
    }
    for source in rows:
        row = source.values if isinstance(source.values, dict) else {}
        replies, topic = _replies(row), first_text(row, QUESTION)
        turns = turns_by_question.get(topic, [])
        if not replies or not topic:
            yield FaultyRow(source, FormatFault("choices", Sentence("is not a list of turns")))
        elif len(turns) < len(replies):
            yield FaultyRow(source, FormatFault("question_id", _missing(topic, turns, replies)))
        else:
            if len(row["choices"]) > 1:
                yield LeftOutCounts(source, {OTHERS: len(row["choices"]) - 1})
            yield from _responses(source, topic, turns[: len(replies)], replies)


def _missing(topic: str, turns: list[str], replies: list[str]) -> Sentence:
    if not turns:
        return Sentence("{topic!r} has no question: also upload question.jsonl", topic=topic)
    return Sentence(
        "has {replies} answers for {turns} turns", replies=len(replies), turns=len(turns)
    )


def _responses(
    source: SourceRow, question: str, turns: list[str], replies: list[str]
) -> Iterator[Read]:
    system = first_text(source.values, MODEL) or "model"
    messages: list[dict[str, str]] = []
    for number, (turn, reply) in enumerate(zip(turns, replies, strict=True), start=1):
        messages += [{"role": "user", "content": turn}, {"role": "assistant", "content": reply}]
        topic = question if number == len(turns) else turn_key(question, number)
        values = {"response": f"{topic}/{system}", "topic": topic, "text": reply, "system": system}
        yield FormatRow(source, RowKind.ANSWERED_TOPICS, {"topic": topic, "query": turns[0]})
        yield FormatRow(
            source, RowKind.RESPONSES, values | ({"messages": list(messages)} if number > 1 else {})
        )


def _alone(rows: Iterable[SourceRow]) -> Iterator[Read]:
    return _joined(rows, ())


ANSWERS = FileFormat(
    name="fastchat_answers",
    title=marked("model answers (FastChat, MT-bench)"),
    signature=_has_choices,
    brings=(RowKind.ANSWERED_TOPICS, RowKind.RESPONSES),
    reader=_alone,
    joins=QUESTIONS.name,
    joined_reader=_joined,
    reads=("question_id", "answer_id", *MODEL, "choices.index", "choices.turns", "tstamp"),
    system="model_id",
)
