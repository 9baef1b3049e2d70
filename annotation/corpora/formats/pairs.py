"""Pairs of answers with votes, as texts: arena and LMSYS tables, AlpacaEval, preference data. Pure.

A row has a question and two answers, in columns that end in _a and _b or _1 and _2
(`response_a`, `output_1`), or `chosen` and `rejected`; perhaps the models that gave them, and who
won. A table of LMSYS writes each text as a list with one text. Lists of turns are conversations,
which have a format of their own. A corpus gets two answers a question; votes are counted.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import msgspec

from annotation.corpora.formats.faults import FormatFault
from annotation.corpora.formats.file_format import (
    FaultyRow,
    FileFormat,
    FormatRow,
    LeftOut,
    Sample,
    Signature,
)
from annotation.corpora.formats.reranking import digest, first_text
from annotation.corpora.reading.source_rows import SourceRow
from annotation.corpora.row_kinds import RowKind
from annotation.texts.sentences import Sentence, marked

QUESTIONS = ("prompt", "question", "instruction", "query", "input", "post")
IDS = ("question_id", "prompt_id", "topic_id", "query_id", "qid", "instruction_id")
ANSWERS = ("response", "answer", "output", "completion", "text", "summary", "generation")
MODELS = ("model", "system", "generator", "agent", "engine", "policy", "model_name")
ENDINGS = (("_a", "_b"), ("_1", "_2"), ("A", "B"), ("1", "2"), ("_left", "_right"))
PREFERRED = ("chosen", "rejected")
WINNERS = (
    *("winner", "preference", "vote", "label", "choice", "preferred", "better"),
    *("winner_model_a", "winner_model_b", "winner_tie"),
)
VOTES, THREADS = marked("votes"), marked("pairs of conversations with several turns")


class Columns(NamedTuple):
    """The columns of a table of pairs."""

    question: str
    answers: tuple[str, str]
    models: tuple[str, str] | None


def _columns(names: Iterable[str]) -> Columns | None:
    """Return the columns of question, answers and models, or None where some are missing."""
    has = set(names)
    question = next((name for name in QUESTIONS if name in has), "")
    answers = _pair(has, ANSWERS) or (PREFERRED if has >= set(PREFERRED) else None)
    return Columns(question, answers, _pair(has, MODELS)) if question and answers else None


def _pair(has: set[str], words: Iterable[str]) -> tuple[str, str] | None:
    pairs = ((word + first, word + second) for word in words for first, second in ENDINGS)
    return next((pair for pair in pairs if has >= set(pair)), None)


def _signature(sample: Sample) -> Signature | None:
    names = sample.names or list(dict.fromkeys(n for row in sample.objects() for n in row))
    columns = _columns(names)
    if columns is None or (columns.models is None and not _votes(names)):
        return None
    rows = sample.objects()
    read = sum(all(_text(row.get(name)) is not None for name in columns.answers) for row in rows)
    if rows and read * 2 < len(sample.rows):
        return None
    listed = ", ".join(f"“{name}”" for name in columns.answers)
    return Signature(0.98, (Sentence("two answers to a question: {columns}", columns=listed),))


def _votes(names: Iterable[str]) -> list[str]:
    return [name for name in names if name in (*WINNERS, *PREFERRED)]


def _reader(rows: Iterable[SourceRow]) -> Iterator[FormatRow | FaultyRow | LeftOut]:
    questions: dict[str, str] = {}  # topic -> digest of its question
    answers: dict[tuple[str, str], set[str]] = {}  # digests of texts
    for source in rows:
        row = source.values if isinstance(source.values, dict) else {}
        columns = _columns(row)
        question = _text(row.get(columns.question)) if columns else None
        if columns is None or question is None:
            is_thread = columns is not None and isinstance(_decoded(row[columns.question]), list)
            fault = FormatFault(columns.question if columns else "", Sentence("is no question"))
            yield LeftOut(source, {THREADS: 1}) if is_thread else FaultyRow(source, fault)
            continue
        topic = first_text(row, IDS) or digest(question)
        if questions.get(topic, digest(question)) != digest(question):
            topic = digest(question)  # the id is that of something else
        if topic not in questions:
            questions[topic] = digest(question)
            yield FormatRow(source, RowKind.ANSWERED_TOPICS, {"topic": topic, "query": question})
        if any(_is_vote(row.get(name)) for name in WINNERS) or columns.answers == PREFERRED:
            yield LeftOut(source, {VOTES: 1})
        for place, name in enumerate(columns.answers):
            text = _text(row.get(name))
            if text is None:
                yield FaultyRow(source, FormatFault(name, Sentence("is no text")))
                continue
            system = _system(row, columns, place)
            texts = answers.setdefault((topic, system), set())
            if digest(text) in texts:
                continue
            key = f"{topic}/{system}" + (f"/{len(texts) + 1}" if texts else "")
            texts.add(digest(text))
            values = {"response": key, "topic": topic, "text": text, "system": system}
            yield FormatRow(source, RowKind.RESPONSES, values)


def _system(row: Mapping[str, Any], columns: Columns, place: int) -> str:
    """Return the model, or the column where none is named."""
    named = first_text(dict(row), (columns.models[place],)) if columns.models else ""
    return named or columns.answers[place]


def _is_vote(value: Any) -> bool:
    return value not in (None, "", 0, 0.0, "0", "0.0", False)


def _text(value: Any) -> str | None:
    """Return a text, also of a list that has it alone; None for several turns and the rest."""
    value = _decoded(value)
    if isinstance(value, list) and len(value) == 1:
        value = "" if value[0] is None else value[0]
    return value if isinstance(value, str) else None


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
    title=marked("pairs of answers with votes (arena, LMSYS, AlpacaEval)"),
    signature=_signature,
    brings=(RowKind.ANSWERED_TOPICS, RowKind.RESPONSES),
    reader=_reader,
    reads=(
        *QUESTIONS,
        *IDS,
        *PREFERRED,
        *WINNERS,
        *(word + end for word in (*ANSWERS, *MODELS) for ends in ENDINGS for end in ends),
    ),
    hint=marked(
        "Votes are labels of a study: launch a study of pairs on this corpus, then bring them on "
        "its page Raters. A response is called by its question and its model."
    ),
)
