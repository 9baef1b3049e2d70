"""Texts of records that other platforms annotate: a question with one answer, or with two. Pure.

The fields of a record are named by its project. They are recognised by their words, as the columns
of a table are; texts without a question are answers to one topic, `texts`.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from annotation.corpora.detection.column_words import ColumnRole, role_of
from annotation.corpora.detection.profiles import WIDE
from annotation.corpora.formats import pairs
from annotation.corpora.formats.answer_keys import AnswerKeys
from annotation.corpora.formats.file_format import FormatRow
from annotation.corpora.formats.reranking import digest, first_text
from annotation.corpora.reading.source_rows import SourceRow
from annotation.corpora.recognised_columns import proposed
from annotation.corpora.row_kinds import RowKind
from annotation.texts.conversations import Speaker, UnreadTurn, is_conversation, messages_of

TEXTS, ALL_TEXTS = "texts", "Texts"  # topic and query of texts without a question
PREFERENCE = ("chosen", "rejected")
ADDRESS = re.compile(r"\S+://\S+|/\S+\.\w{2,4}")


@dataclass
class RecordTexts:
    """The answers of a record: field -> key of the response, in the order of the fields."""

    topic: str
    keys: dict[str, str] = field(default_factory=dict)

    def columns(self, field_name: str = "") -> dict[str, str]:
        """Return the columns of a label on one field, or on all texts of the record."""
        if len(self.keys) == 1 or field_name in self.keys:
            key = self.keys.get(field_name) or next(iter(self.keys.values()))
            return {"topic": self.topic, "response": key}
        sides = dict(zip(("response_a", "response_b"), self.keys.values(), strict=False))
        return {"topic": self.topic, **sides}


@dataclass
class RecordReader:
    """Reader of the texts of all records of a file."""

    answers: AnswerKeys = field(default_factory=AnswerKeys)
    topics: dict[str, str] = field(default_factory=dict)  # key -> query

    def rows(
        self, source: SourceRow, fields: Mapping[str, Any], more: Mapping[str, Any]
    ) -> Iterator[FormatRow | RecordTexts]:
        """Yield the rows of the texts that are new, and last what labels are about.

        `more` are properties of the record: perhaps the model, and its id. Nothing is yielded for
        a record without a text.
        """
        threads = {name: _thread(value) for name, value in fields.items()}
        fields = {n: t[-1]["content"] if (t := threads[n]) else v for n, v in fields.items()}
        filled = {n: v for n, v in fields.items() if isinstance(v, str) and v.strip()}
        answered = _answers(filled) if any(map(_is_text, filled.values())) else ()
        texts = {n: v for n, v in filled.items() if n in answered or _is_text(v)}
        if not answered:
            return
        question = _question(texts, answered)
        query = texts[question] if question else ALL_TEXTS
        if not question and (first := _first_turn(threads[answered[0]])):
            question, query = answered[0], first
        topic = first_text(dict(fields), pairs.IDS) or (digest(query) if question else TEXTS)
        if self.topics.get(topic, query) != query:
            topic = digest(query)  # the id is that of something else
        if topic not in self.topics:
            self.topics[topic] = query
            yield FormatRow(source, RowKind.ANSWERED_TOPICS, {"topic": topic, "query": query})
        number = first_text(dict(more), ("id",))
        record = RecordTexts(topic)
        systems = _systems({**more, **fields}, answered)
        for name, system in zip(answered, systems, strict=True):
            key, is_new = self.answers.key_of(topic, system or number or "text", texts[name])
            record.keys[name] = key
            if is_new:
                values = {"response": key, "topic": topic, "text": texts[name]}
                if system:
                    values["system"] = system
                thread = {"messages": threads[name]} if threads[name] else {}
                yield FormatRow(source, RowKind.RESPONSES, values | thread)
        yield record


def _thread(value: Any) -> list[dict[str, str]]:
    """Return the turns of a conversation that ends with its answer, or an empty list."""
    if not is_conversation(value):
        return []
    try:
        turns = messages_of(value)
    except UnreadTurn:
        return []
    if turns[-1].role is not Speaker.ASSISTANT:
        return []
    return [{"role": str(turn.role), "content": turn.content} for turn in turns]


def _first_turn(thread: list[dict[str, str]]) -> str:
    """Return the first turn of the user, which is the query of a conversation."""
    return next((turn["content"] for turn in thread if turn["role"] == Speaker.USER), "")


def _is_text(value: Any) -> bool:
    """Return whether a value may be a text that is judged: no address, no id."""
    if not isinstance(value, str) or ADDRESS.fullmatch(value.strip()):
        return False
    return len(value.split()) > 1 or bool(WIDE.search(value))


def _answers(texts: Mapping[str, str]) -> tuple[str, ...]:
    """Return the fields of the answers of a record."""
    pair = pairs.pair_of(texts, (*pairs.ANSWERS, "candidate", "model", "option"))
    if pair:
        return pair
    if set(PREFERENCE) <= texts.keys():
        return PREFERENCE
    columns = proposed(list(texts), ("question", "answer"))
    if "answer" in columns:
        return (columns["answer"],)
    for role in (ColumnRole.ANSWER, ColumnRole.TEXT):
        named = (name for name in texts if role_of(name) is role)
        if text_fields := [name for name in named if _is_text(texts[name])]:
            return (text_fields[0],)
    longest = max(filter(_is_text, texts.values()), key=len, default="")
    return tuple(name for name in texts if texts[name] == longest)[:1] if longest else ()


def _question(texts: Mapping[str, str], answers: tuple[str, ...]) -> str:
    others = [name for name in texts if name not in answers]
    named = next((name for name in pairs.QUESTIONS if name in others), "")
    return named or next((name for name in others if role_of(name) is ColumnRole.QUESTION), "")


def _systems(fields: Mapping[str, Any], answers: tuple[str, ...]) -> list[str]:
    """Return the system of each answer: of a pair its field where no model is named."""
    if len(answers) == 1:
        return [first_text(dict(fields), pairs.MODELS)]
    models = pairs.pair_of(fields, pairs.MODELS) or ("", "")
    return [
        first_text(dict(fields), (model,)) if model and model not in answers else name
        for model, name in zip(models, answers, strict=True)
    ]
