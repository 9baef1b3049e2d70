"""Scores of the kinds that the rows of a file may have, by names and values; the best first.

This is the one decision about kinds: the preview, the check, the import and the command line ask
here. A score is between 0 and 1. Names of ours and formats of other systems are certain; words
inside of names and values are weighed, and lose what of the text they would leave unread.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from annotation.corpora.detection.column_words import ColumnRole, id_of, parted, role_of
from annotation.corpora.detection.columns import (
    ColumnEvidence,
    answers_of_systems,
    columns_of,
    table_columns,
)
from annotation.corpora.formats.file_format import FileSample
from annotation.corpora.formats.registry import recognised_formats
from annotation.corpora.recognised_columns import ANSWERS, is_bare, plain, proposed
from annotation.corpora.schema import OWN_KEYS, RowKind, fields_of
from annotation.texts.sentences import Sentence

SNAPSHOTS, AUTHORS = "snapshots", "authors"  # of the Crowd RAG Corpus 2025, read in their own way
# What files of a kind are often called; the first kind of equals is proposed.
CALLED = {
    RowKind.PASSAGES: ("passage", "segment", "document", "doc", "paragraph", "chunk", "pool"),
    RowKind.RESPONSES: ("response", "answer", "output", "summary", "summaries", "generation"),
    RowKind.RANKINGS: ("ranking", "run", "retrieval", "retrieved"),
    RowKind.TOPICS: ("topic", "query", "queries", "question", "prompt"),
    RowKind.SYSTEMS: ("system", "model"),
}
# Of kinds that others have: what they are here, if nobody asks whose file it is.
PLAIN = {
    RowKind.QUERIES: RowKind.TOPICS,
    RowKind.RAG_TOPICS: RowKind.TOPICS,
    RowKind.DOCUMENTS: RowKind.PASSAGES,
    RowKind.ANSWERS: RowKind.RESPONSES,
}
# The first of these fields that a row has says what it is, where its names are ours.
IDENTIFYING = {
    "summary": RowKind.SUMMARIES,
    "references_ids": RowKind.RETRIEVAL,
    "response": RowKind.RESPONSES,
    "passage": RowKind.PASSAGES,
    "topic": RowKind.TOPICS,
    "system": RowKind.SYSTEMS,
    "agent": RowKind.ANSWERS,
    "did": RowKind.DOCUMENTS,
    "qid": RowKind.QUERIES,
    "id": RowKind.RAG_TOPICS,
}
EXPORTED = {"response", "topic", "text", "cleaned_text"}  # of our responses.jsonl
FLAT = {RowKind.TABLE, RowKind.PASSAGE_TABLE, *CALLED, *PLAIN}  # rows without lists and parts
CERTAIN, PROBABLE = 0.95, 0.4
UNCERTAIN = 0.6  # of a table whose columns are known by their values alone
CLOSE = 0.1  # a second kind with nearly the score of the first has to be asked about
MOST_UNREAD = 0.5  # share of the text


@dataclass(frozen=True)
class KindCandidate:
    """A kind that rows may be of; `systems` are the columns of a wide table of answers."""

    kind: str
    score: float
    columns: dict[str, str] = field(default_factory=dict)
    systems: dict[str, str] = field(default_factory=dict)
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True)
class Detection:
    """The kinds that a file may be of, the most probable one first."""

    ranking: tuple[KindCandidate, ...] = ()
    unread_share: float = 0.0  # of the text, by the first of them

    @property
    def kind(self) -> str:
        """The most probable kind, or nothing."""
        return self.ranking[0].kind if self.ranking else ""

    @property
    def is_unsure(self) -> bool:
        """Return whether somebody has to say what the rows are before anything else."""
        if not self.ranking:
            return False
        first, *others = self.ranking
        if first.score >= CERTAIN:
            return False
        if first.kind == RowKind.TABLE and first.score < UNCERTAIN:
            return True
        is_close = any(first.score - other.score < CLOSE for other in others)
        return is_close or bool(first.systems) or self.unread_share > MOST_UNREAD


def detected(sample: FileSample) -> Detection:
    """Return what a file may be."""
    if formats := recognised_formats(sample):
        return Detection(
            tuple(
                KindCandidate(file_format.name, signature.score, reasons=signature.reasons)
                for file_format, signature in formats
            )
        )
    seen = ColumnEvidence(sample)
    scored = (_weighed(seen, candidate) for candidate in _candidates(seen))
    best: dict[str, KindCandidate] = {}
    for candidate in scored:
        if candidate.score > PROBABLE and (
            candidate.kind not in best or candidate.score > best[candidate.kind].score
        ):
            best[candidate.kind] = candidate
    ranking = tuple(sorted(best.values(), key=lambda one: -one.score))
    unread = seen.unread_share(_read(ranking[0])) if ranking and seen.rows else 0.0
    return Detection(ranking, unread)


def named_kind(names: Iterable[str]) -> RowKind | None:
    """Return the kind of a row with names of ours, or None."""
    has = set(names)
    if has >= EXPORTED:
        return RowKind.RESPONSES
    if {"question", "answer"} <= has:
        return RowKind.TABLE
    if {"system", "passage"} <= has:
        return RowKind.RANKINGS
    if {"references", "answer"} <= has:
        return RowKind.RAG_ANSWERS
    return next((kind for name, kind in IDENTIFYING.items() if name in has), None)


def _read(candidate: KindCandidate) -> list[str]:
    return [*candidate.columns.values(), *candidate.systems]


def _weighed(seen: ColumnEvidence, candidate: KindCandidate) -> KindCandidate:
    """Return the candidate with the score that is left by what it would not read."""
    if not seen.rows or candidate.kind not in FLAT or set(seen.names) >= EXPORTED:
        return candidate
    unread = seen.unread_share(_read(candidate))
    score = candidate.score * (1 - 0.7 * unread)
    reasons = candidate.reasons
    if unread > MOST_UNREAD:
        left = [name for name in seen.texts if name not in _read(candidate)]
        listed = ", ".join(f"“{name[:60]}”" for name in left[:3])
        reasons += (Sentence("most text is ignored: {columns}", columns=listed),)
    if candidate.kind in (RowKind.TOPICS, RowKind.QUERIES):
        query = seen.profile(candidate.columns.get("query", ""))
        if unread and query.filled and query.is_repeated:
            score *= 0.3 + 0.7 * len(query.values) / query.filled
            reasons += (Sentence("questions repeat across rows"),)
        topic = seen.profile(candidate.columns.get("topic", ""))
        is_certain = candidate.score >= CERTAIN
        if topic.is_repeated and not query.is_repeated and not is_certain:
            score *= 0.4
            reasons += (Sentence("the same ID has different texts"),)
    text = candidate.columns.get("text", "")
    if candidate.kind == RowKind.RESPONSES and seen.rows:
        score *= 0.4 if seen.profile(text).is_number else 1
        score *= 0.7 if role_of(text) is ColumnRole.PASSAGE else 1
    if (
        candidate.kind == RowKind.PASSAGES
        and role_of(candidate.columns.get("text", "")) is ColumnRole.ANSWER
    ):
        score *= 0.7
    if candidate.kind == RowKind.PASSAGES and any(
        role_of(name) is ColumnRole.SYSTEM and seen.profile(name).is_of_names
        for name in seen.names
        if name not in _read(candidate)
    ):
        score *= 0.7
    return replace(candidate, score=score, reasons=reasons)


# -- Candidates ----------------------------------------------------------------------------------
def _candidates(seen: ColumnEvidence) -> Iterator[KindCandidate]:
    has = set(seen.names)
    if {"response", "text", "timestamp"} <= has:
        yield KindCandidate(SNAPSHOTS, 1)
        return
    if {"response", "worker", "topic", "style"} <= has and "text" not in has:
        yield KindCandidate(AUTHORS, 1)
        return
    table = _table(seen)
    if table and table.score >= CERTAIN:
        yield table
    elif exact := _exact(seen):
        yield exact
    if table:
        yield table
    yield from _wide_tables(seen)
    yield from _passage_tables(seen)
    for kind in CALLED:
        yield from _plain(seen, kind)


def _exact(seen: ColumnEvidence) -> KindCandidate | None:
    """Return the kind whose fields the columns are called like."""
    has, kind = set(seen.names), named_kind(seen.names)
    if kind is None:
        return None
    fields = fields_of(kind)
    # Many files call something their id: only topics of TREC RAG have nothing else.
    is_other = kind is RowKind.RAG_TOPICS and not has <= set(fields)
    needed = {name for name, is_needed in fields.items() if is_needed}
    columns = columns_of(seen, kind) if kind in CALLED else {n: n for n in fields if n in has}
    if needed <= has and not is_other:
        return KindCandidate(kind, 1, columns, reasons=(Sentence("column names match"),))
    # What is missing is asked of rows of ours that are read for the most part.
    is_ours = kind in CALLED and 2 * len(proposed(seen.names, list(fields))) >= len(has)
    return KindCandidate(kind, PROBABLE + 0.02, columns) if is_ours and not is_other else None


def _plain(seen: ColumnEvidence, kind: RowKind) -> Iterator[KindCandidate]:
    """Yield a kind whose required fields may all be there.

    The file's name decides first, then whether all is there, then how many columns are read.
    """
    words = {word.removesuffix("s") for word in re.split(r"[^a-z]+", seen.sample.name.lower())}
    fields, columns = fields_of(kind), columns_of(seen, kind)
    missing = {name for name, is_needed in fields.items() if is_needed} - set(columns)
    is_called = not words.isdisjoint(word.removesuffix("s") for word in CALLED[kind])
    text = columns.get("text", "")
    may_number = (
        is_called or plain(text) in map(plain, ANSWERS) or role_of(text) is ColumnRole.ANSWER
    )
    if kind is RowKind.RESPONSES and seen.profile(columns.get("system", "")).is_of_names:
        may_number = may_number or seen.profile(text).is_text
    if kind is RowKind.TOPICS and _is_document(columns, seen.names):
        return
    if kind is RowKind.SYSTEMS and not is_called and not _names_systems(columns):
        return
    if missing and not (may_number and _lacks_only_its_id(kind, missing, seen.names)):
        return
    score = 0.5 + 0.25 * is_called + 0.1 * (not missing) + 0.01 * min(len(columns), 9)
    reasons = tuple(
        Sentence("“{column}” is the {field}", column=column[:60], field=name)
        for name, column in columns.items()
        if fields[name]
    )
    if is_called:
        reasons = (Sentence("file name matches"), *reasons)
    yield KindCandidate(kind, score, columns, reasons=reasons)


def _names_systems(columns: dict[str, str]) -> bool:
    return any(
        role is ColumnRole.SYSTEM
        for name in columns.values()
        for role in (role_of(name), id_of(name))
    )


def _lacks_only_its_id(kind: RowKind, missing: set[str], names: Iterable[str]) -> bool:
    """Return whether rows could be numbered, and have no id of another kind."""
    other_ids = {name for name in OWN_KEYS.values() if name not in (OWN_KEYS.get(kind), "topic")}
    return missing == {OWN_KEYS.get(kind)} and not proposed(list(names), sorted(other_ids))


def _is_document(columns: dict[str, str], names: Iterable[str]) -> bool:
    """Return whether the title that would be the query is that of a text."""
    return plain(columns.get("query", "")) == "title" and _has_text(names)


def _has_text(names: Iterable[str]) -> bool:
    return not {"text", "content", "contents", "body"}.isdisjoint(map(plain, names))


# -- Tables of answers ---------------------------------------------------------------------------
def _table(seen: ColumnEvidence) -> KindCandidate | None:
    """Return the table of answers: a question and an answer, whoever gave it."""
    has = set(seen.names)
    ours = fields_of(RowKind.RESPONSES)
    if {"response", "topic", "text"} <= has and (has <= set(ours) or has >= EXPORTED):
        return None
    if {"run_id", "topic_id", "references", "answer"} <= has:
        return None  # of TREC RAG: its answer is a list
    columns = table_columns(seen)
    if not {"question", "answer"} <= set(columns):
        return None
    by_name = proposed(
        [name for name in seen.names if not is_bare(name)],
        ("question", "answer", "system", "passage", "topic"),
    )
    has_passage_id = "passage" in by_name
    # A text is anything; what is called an answer is one, whoever gave it.
    is_named = {"question", "answer"} <= set(by_name) and not has_passage_id
    is_named = is_named and ("system" in by_name or not _has_text(seen.names))
    is_as_named = all(columns.get(name) == by_name.get(name) for name in ("question", "answer"))
    score = 1.0 if is_named and is_as_named else _table_score(seen, columns)
    if has_passage_id:
        score *= 0.7
    if seen.profile(columns["question"]).is_of_codes:
        score *= 0.55  # ids of topics that another file has
    return KindCandidate(RowKind.TABLE, score, columns, reasons=_table_reasons(seen, columns))


def _table_score(seen: ColumnEvidence, columns: dict[str, str]) -> float:
    question, answer = columns["question"], columns["answer"]
    score = 0.5
    score += 0.15 * (role_of(question) is ColumnRole.QUESTION) + 0.15 * (
        role_of(answer) is ColumnRole.ANSWER
    )
    score += 0.08 * ("system" in columns)
    if role_of(answer) is not ColumnRole.ANSWER and "system" not in columns:
        score -= 0.1
    if seen.rows:
        score += 0.05 * seen.profile(question).asks
        score += 0.1 * seen.differs_within(question, answer)
        score -= 0.3 * seen.profile(answer).is_sparse
        score -= 0.2 * (
            not seen.profile(answer).is_text and role_of(answer) is not ColumnRole.ANSWER
        )
    return min(score, 0.94)


def _table_reasons(seen: ColumnEvidence, columns: dict[str, str]) -> tuple[str, ...]:
    question, answer = columns["question"], columns["answer"]
    reasons: list[str] = [
        Sentence("“{column}” is the question", column=question[:60]),
        Sentence("“{column}” is the answer", column=answer[:60]),
    ]
    if seen.rows and seen.differs_within(question, answer):
        reasons.append(Sentence("the same question has different answers"))
    return tuple(reasons)


def _wide_tables(seen: ColumnEvidence) -> Iterator[KindCandidate]:
    """Yield a table with a column for each system's answers."""
    columns = table_columns(seen)
    question = columns.get("question", "")
    if not question or ("system" in columns and not seen.profile(columns["system"]).is_text):
        return
    answers = answers_of_systems(seen, question)
    if len(answers) < 2:
        return
    if not seen.rows and not all(
        role_of(name) in (ColumnRole.ANSWER, ColumnRole.MODEL) for name in answers
    ):
        return
    named = sum(
        role_of(name) in (ColumnRole.ANSWER, ColumnRole.MODEL, ColumnRole.SYSTEM)
        for name in answers
    )
    score = 0.6 + 0.3 * named / len(answers)
    kept = {name: column for name, column in columns.items() if name in ("question", "topic")}
    kept |= {name: columns[name] for name in ("passages",) if name in columns}
    listed = ", ".join(f"“{name[:60]}”" for name in answers[:5])
    yield KindCandidate(
        RowKind.TABLE,
        score,
        kept,
        systems=dict(zip(answers, parted(answers), strict=True)),
        reasons=(Sentence("columns with answers: {columns}", columns=listed),),
    )


def _passage_tables(seen: ColumnEvidence) -> Iterator[KindCandidate]:
    """Yield a table with a row for each passage of a question, and perhaps an answer."""
    if not seen.rows:
        return
    columns = columns_of(seen, RowKind.PASSAGE_TABLE)
    if not {"question", "text"} <= set(columns):
        return
    question, text = columns["question"], columns["text"]
    if not seen.profile(text).is_text or not seen.differs_within(question, text):
        return
    answer = columns.get("answer", "")
    if answer and not (seen.profile(answer).is_sparse or seen.is_same_within(question, answer)):
        system = columns.get("system")
        if not system or not seen.profile(system).is_of_names:
            return
    reasons: list[str] = [Sentence("the same question has different passages")]
    if answer:
        reasons.append(Sentence("“{column}” is the answer", column=answer[:60]))
    yield KindCandidate(RowKind.PASSAGE_TABLE, 0.94, columns, reasons=tuple(reasons))
