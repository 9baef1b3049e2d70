"""Judgments without the texts they are about: MT-bench, RAGElo, and tables in their shapes. Pure.

A row names a question and two models with the winner, one model with a score, or a document with
its grade. MT-bench counts turns, in a column or in the name of a score (`score_turn1`). RAGElo
writes the words of its judge to `raw_answer`, and what they mean to `answer` or `relevant`.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from annotation.corpora.formats import pairs, votes
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
from annotation.corpora.formats.reranking import first_text
from annotation.corpora.reading.source_rows import SourceRow
from annotation.corpora.row_kinds import RowKind
from annotation.texts.sentences import Sentence, marked

TOPICS = ("question_id", "qid", "query_id", "topic_id", "topic", "query-id")
DOCUMENTS = ("did", "docid", "doc_id", "passage_id", "corpus-id")
BEIR = {"query-id", "corpus-id", "score"}
RAW = "raw_answer"  # of RAGElo
MEANT = ("relevant", "relevance", "answer", "score")
TURN = re.compile(r"_?turn_?([1-9])")
SCORE = re.compile(r"(?:score|rating|grade)(?:_?turn_?[1-9])?")
TEXTS = frozenset(("text", "response", "output", "document", "passage", "conversation"))
MOST_VALUE = 60  # characters
NUMBER = re.compile(r"-?\d{1,9}(\.\d+)?")
REASONINGS = marked("free-text answers by a judge")


def _signature(sample: FileSample) -> Signature | None:
    if not sample.share_of_most(_is_judged):
        return None
    return Signature(0.97, (Sentence("one judgment per row, without texts"),))


def _is_judged(row: Mapping[str, Any]) -> bool:
    if not first_text(dict(row), TOPICS) or not TEXTS.isdisjoint(row):
        return False
    if pairs.pair_of(row, pairs.ANSWERS) or "conversation_a" in row:
        return False
    if pairs.pair_of(row, pairs.MODELS):
        return RAW in row or any(name in row for name in (*votes.WINNERS, "relevant"))
    if first_text(dict(row), DOCUMENTS) and (RAW in row or row.keys() >= BEIR):
        return True
    has_judge = RAW in row or any(name in row for name in votes.RATERS)
    return has_judge and bool(first_text(dict(row), pairs.MODELS)) and bool(_scores(row))


def _scores(row: Mapping[str, Any]) -> dict[str, str]:
    """Return the scores of a row by column: of RAGElo all columns with a number."""
    return {
        name: str(value)
        for name, value in row.items()
        if (SCORE.fullmatch(name) or (RAW in row and name not in TOPICS and name != RAW))
        and not isinstance(value, bool)
        and NUMBER.fullmatch(str(value).strip())
    }


def _reader(rows: Iterable[SourceRow]) -> Iterator[Read]:
    for source in rows:
        row = source.values
        if not isinstance(row, dict) or not _is_judged(row):
            yield FaultyRow(source, FormatFault("", Sentence("is not a judgment")))
            continue
        where = {"topic": first_text(row, TOPICS)} | _by_whom(row)
        if turn := first_text(row, ("turn",)):
            where["turn"] = turn
        yield from _labels(source, row, where)


def _labels(source: SourceRow, row: dict[str, Any], where: dict[str, str]) -> Iterator[Read]:
    if models := pairs.pair_of(row, pairs.MODELS):
        systems = {f"model_{side}": str(row[name]) for side, name in zip("ab", models, strict=True)}
        yield _label(source, {**where, **systems}, _winner(row))
    elif document := first_text(row, DOCUMENTS):
        yield _label(source, {**where, "passage": document}, _meant(row))
    else:
        system = {"system": first_text(row, pairs.MODELS)}
        scores = _scores(row)
        for name, value in scores.items():
            turn = {"turn": match[1]} if (match := TURN.search(name)) else {}
            question = {} if SCORE.fullmatch(name) else {"question": name}
            yield _label(source, {**where, **system, **turn, **question}, value)


def _label(source: SourceRow, columns: dict[str, str], value: str) -> Read:
    if value in ("", *votes.BROKEN):
        return LeftOutCounts(source, {votes.UNREAD: 1})
    if len(value) > MOST_VALUE:
        return LeftOutCounts(source, {REASONINGS: 1})
    return ForeignLabel(source, {**columns, "value": value})


def _winner(row: Mapping[str, Any]) -> str:
    if RAW not in row and "relevant" not in row:
        return votes.vote_of(row)
    value = _meant(row)
    return "tie" if value.upper() == "C" else value  # as RAGElo asks its judge


def _meant(row: Mapping[str, Any]) -> str:
    """Return the shortest answer of RAGElo's judge."""
    values = (str(row[name]).strip() for name in MEANT if row.get(name) not in (None, ""))
    return min(values, key=len, default="")


def _by_whom(row: Mapping[str, Any]) -> dict[str, str]:
    is_model = RAW in row or "relevant" in row
    return ({"kind": "model"} if is_model else {}) | votes.by_whom(row)


FORMAT = FileFormat(
    name="judgments",
    title=marked("judgments without texts (MT-bench, RAGElo)"),
    signature=_signature,
    brings=(RowKind.RESPONSES,),  # none of its own: labels alone
    reader=_reader,
    labels=True,
)
