"""Pairs of answers with votes, as texts: arena and LMSYS tables, AlpacaEval, preference data. Pure.

A row has a question and two answers, in columns that end in _a and _b or _1 and _2
(`response_a`, `output_1`), or `chosen` and `rejected`; perhaps the models that gave them, and who
won. A table of LMSYS writes each text as a list of its turns. Lists of turns with roles are
conversations, which have a format of their own. A corpus gets two answers a question; votes are
labels.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import msgspec

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
from annotation.corpora.formats.reranking import digest, first_text
from annotation.corpora.formats.votes import PREFERRED
from annotation.corpora.reading.source_rows import SourceRow
from annotation.corpora.row_kinds import RowKind
from annotation.texts.sentences import Sentence, marked

QUESTIONS = ("prompt", "question", "instruction", "query", "input", "post", "history")
IDS = ("question_id", "prompt_id", "topic_id", "query_id", "qid", "instruction_id")
ANSWERS = (
    *("response", "answer", "output", "completion", "text", "summary", "generation"),
    "human_ref",  # of SHP
)
MODELS = ("model", "model_id", "system", "generator", "agent", "engine", "policy", "model_name")
ENDINGS = (
    ("_a", "_b"),
    ("_1", "_2"),
    ("_0", "_1"),
    ("_A", "_B"),
    ("A", "B"),
    ("1", "2"),
    ("_left", "_right"),
)


class PairColumns(NamedTuple):
    """The columns of a table of pairs."""

    question: str
    answers: tuple[str, str]
    models: tuple[str, str] | None


def _columns(names: Iterable[str]) -> PairColumns | None:
    """Return the columns of question, answers and models, or None where some are missing."""
    has = set(names)
    question = next((name for name in QUESTIONS if name in has), "")
    answers = pair_of(has, ANSWERS) or (PREFERRED if has >= set(PREFERRED) else None)
    if not question or not answers:
        return None
    sources = [f"{name}_source" for name in answers]  # of PKU-SafeRLHF
    models = (sources[0], sources[1]) if has.issuperset(sources) else pair_of(has, MODELS)
    return PairColumns(question, answers, models)


def pair_of(has: Collection[str], words: Iterable[str]) -> tuple[str, str] | None:
    """Return the two columns that are called by one of these words with the endings of a pair."""
    pairs = ((word + first, word + second) for word in words for first, second in ENDINGS)
    return next((pair for pair in pairs if set(pair) <= set(has)), None)


def _signature(sample: FileSample) -> Signature | None:
    names = sample.names or list(dict.fromkeys(n for row in sample.objects() for n in row))
    columns = _columns(names)
    if columns is None or (columns.models is None and not _votes(names)):
        return None
    rows = sample.objects()
    read = sum(all(_turns(row.get(name), blank=True) for name in columns.answers) for row in rows)
    if rows and read * 2 < len(sample.rows):
        return None
    listed = ", ".join(f"“{name}”" for name in columns.answers)
    return Signature(0.98, (Sentence("two answers to a question: {columns}", columns=listed),))


def _votes(names: Iterable[str]) -> list[str]:
    return [name for name in names if name in (*votes.WINNERS, *PREFERRED)]


def _reader(rows: Iterable[SourceRow]) -> Iterator[Read]:
    questions: dict[str, str] = {}  # topic -> digest of its question
    answers = AnswerKeys()
    for source in rows:
        row = source.values if isinstance(source.values, dict) else {}
        columns = _columns(row)
        turns = _turns(row.get(columns.question)) if columns else []
        if columns is None or not turns:
            fault = FormatFault(columns.question if columns else "", Sentence("is not a question"))
            yield FaultyRow(source, fault)
            continue
        question = "\n\n".join(turns)
        topic = first_text(row, IDS) or digest(question)
        if questions.get(topic, digest(question)) != digest(question):
            topic = digest(question)  # the id is that of something else
        if topic not in questions:
            questions[topic] = digest(question)
            yield FormatRow(source, RowKind.ANSWERED_TOPICS, {"topic": topic, "query": turns[0]})
        yield from _answered(source, columns, topic, turns, answers)


def _answered(
    source: SourceRow, columns: PairColumns, topic: str, turns: list[str], answers: AnswerKeys
) -> Iterator[Read]:
    """Yield the two responses of a row, and the vote on them."""
    row, keys = source.values, []
    for place, name in enumerate(columns.answers):
        replies = _turns(row.get(name), blank=True)
        if len(replies) != len(turns):
            reason = (
                Sentence("is not a text")
                if len(turns) == 1
                else Sentence(
                    "has {replies} answers for {turns} turns",
                    replies=len(replies),
                    turns=len(turns),
                )
            )
            yield FaultyRow(source, FormatFault(name, reason))
            continue
        system = _system(row, columns, place)
        key, is_new = answers.key_of(topic, system, "\0".join(replies))
        keys.append(key)
        if is_new:
            values = {"response": key, "topic": topic, "text": replies[-1], "system": system}
            yield FormatRow(source, RowKind.RESPONSES, values | _thread(turns, replies))
    is_preference = columns.answers == PREFERRED
    label = votes.label_of(row, topic, keys, is_preference=is_preference) if len(keys) == 2 else {}
    if label and keys[0] == keys[1]:
        yield LeftOutCounts(source, {votes.SAME: 1})
    elif label.get("value") in votes.BROKEN:
        yield LeftOutCounts(source, {votes.UNREAD: 1})
    elif label:
        yield ForeignLabel(source, label)


def _thread(turns: list[str], replies: list[str]) -> dict[str, Any]:
    if len(turns) == 1:
        return {}
    pairs = zip(turns, replies, strict=True)
    messages = [
        {"role": role, "content": text}
        for turn, reply in pairs
        for role, text in (("user", turn), ("assistant", reply))
    ]
    return {"messages": messages}


def _turns(value: Any, *, blank: bool = False) -> list[str]:
    """Return a text as its turns: LMSYS writes each as a list; empty if it is no text."""
    value = _decoded(value)
    turns = value if isinstance(value, list) else [value]
    texts = ["" if turn is None and blank else turn for turn in turns]
    return texts if all(isinstance(text, str) and (blank or text.strip()) for text in texts) else []


def _system(row: Mapping[str, Any], columns: PairColumns, place: int) -> str:
    """Return the model, or the column where none is named."""
    named = first_text(dict(row), (columns.models[place],)) if columns.models else ""
    return named or columns.answers[place]


def _decoded(value: Any) -> Any:
    """Return the list that a text writes as JSON, or the value as it is."""
    if isinstance(value, str) and value.startswith(('["', "[null")):
        try:
            return msgspec.json.decode(value)
        except (msgspec.DecodeError, RecursionError):
            return value
    return value


FORMAT = FileFormat(
    name="pairs",
    title=marked("answer pairs with votes (arena, LMSYS, AlpacaEval)"),
    signature=_signature,
    brings=(RowKind.ANSWERED_TOPICS, RowKind.RESPONSES),
    reader=_reader,
    reads=(
        *QUESTIONS,
        *IDS,
        *PREFERRED,
        *votes.WINNERS,
        *votes.RATERS,
        *votes.TIMES,
        *(f"{word}{end}_source" for word in ANSWERS for end in ENDINGS[2]),
        *(word + end for word in (*ANSWERS, *MODELS) for ends in ENDINGS for end in ends),
    ),
    labels=True,
)
