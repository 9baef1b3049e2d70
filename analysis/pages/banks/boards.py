"""Leaderboard of a bank, shared by the page, the API and the command."""

import hashlib
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from django.core.cache import cache

from analysis.analyses import bank_board as analysis
from analysis.analyses.bank_board import BankBoard, K, TopicPart
from analysis.exports.bank_assignments import assignment_lines
from analysis.inputs.bank_cells import (
    POOLS,
    GradeState,
    TopicCells,
    grade_levels_of,
    is_open,
    larger_pool,
    orders_of,
    statements_of,
    texts_fingerprint,
    topic_cells,
)
from analysis.stats.errors import CannotCompute
from analysis.stats.retrieval.entry_values import Lead
from analysis.stats.retrieval.revisions import RevisionDifference
from annotation.refusals import Refusal
from annotation.texts.sentences import Sentence
from judging.banks.deleting import board_cache_prefix
from judging.banks.entries_at import EntryAt, confirmed_at, entries_at
from judging.banks.secrets import masked
from judging.banks.verifying import text_questions
from judging.models import Bank, BankEntry

KEPT_SECONDS = 24 * 3600
MOST_K = 1000
PREFERRED = ("strict vital", "vital", "strict all", "all")


@dataclass(frozen=True)
class Choice:
    """Choices for a board; empty fields take their defaults.

    pool: people or models, by default the one with more grades. measure: orders the systems.
    revision: of the bank, by default the current one. before: an earlier revision to compare with.
    """

    pool: str = ""
    measure: str = ""
    revision: int | None = None
    before: int | None = None
    k: int = K


@dataclass(frozen=True, eq=False)
class ShownBoard:
    """A board, its lead, and its difference from an earlier revision, if one was chosen.

    is_open: a study of the bank may get more work, so there is no interval and no lead.
    """

    bank: Bank
    choice: Choice
    board: BankBoard
    lead: Lead | None
    changed: RevisionDifference | None
    why_not: str
    is_open: bool


def shown_board(bank: Bank, choice: Choice) -> ShownBoard:
    """Return the board of a bank. Raises the refusals BoardPool, BoardMeasure, BoardRevision.

    Boards are cached until a grade, an answer or a decision changes; then only the parts of the
    topics that it is about are computed again.
    """
    checked(bank, choice)
    revision = bank.revision if choice.revision is None else choice.revision
    state = _State.of(bank)
    of = (revision, choice.pool, choice.k, bank.revision, state.all)
    board: BankBoard = cached(bank, of, lambda: _board(bank, choice, revision, state))
    measure = _measure(board, choice.measure)
    compared = choice.before if measure else None
    lead, changed, why_not = cached(
        bank, (*of, measure, compared), lambda: _compared(bank, board, measure, compared)
    )
    choice = Choice(board.pool, measure, revision, choice.before, choice.k)
    open_now = is_open(bank)
    if open_now:
        board, lead = without_claims(board), None
    return ShownBoard(bank, choice, board, lead, changed, why_not, open_now)


def without_claims(board: BankBoard) -> BankBoard:
    """Return the board without its intervals."""
    return replace(board, rows=board.rows.assign(low=np.nan, high=np.nan))


def agreements(shown: ShownBoard) -> list[dict[str, Any]]:
    """Return the agreement with the official orders of the bank's corpus."""
    orders = orders_of(shown.bank)
    return analysis.agreement(shown.board, orders) if orders else []


def assignments(bank: Bank, choice: Choice) -> Iterator[str]:
    """Yield the lines of nuggetizer's assignments. Raises Refusal."""
    shown = shown_board(bank, choice)
    entries = confirmed_at(bank, shown.choice.revision)
    return assignment_lines(bank, shown.board.values["answers"], entries)


def cached(bank: Bank, of: tuple[Any, ...], compute: Callable[[], Any]) -> Any:
    """Return a value that is kept until a part of its key changes."""
    key = f"{board_cache_prefix(bank.pk)}{digest_of(of)}"
    found = cache.get(key)
    if found is None:
        found = compute()
        cache.set(key, found, KEPT_SECONDS)
    return found


def kept_parts(
    bank: Bank,
    name: str,
    digests: Mapping[int, str],
    compute: Callable[[Collection[int]], Mapping[int, Any]],
) -> list[Any]:
    """Return the part of each topic; those whose digest changed are computed again."""
    name = f"{board_cache_prefix(bank.pk)}{name}"
    kept: dict[int, tuple[str, Any]] = cache.get(name) or {}
    late = [topic for topic, digest in digests.items() if kept.get(topic, ("",))[0] != digest]
    if late:
        parts = compute(late)
        kept |= {topic: (digests[topic], parts[topic]) for topic in late}
        cache.set(name, {topic: kept[topic] for topic in digests}, KEPT_SECONDS)
    return [kept[topic][1] for topic in digests]


def digest_of(of: object) -> str:
    return hashlib.sha256(repr(of).encode()).hexdigest()[:32]


@dataclass(frozen=True)
class _State:
    """Numbers that change with all that a board reads, but for the decisions."""

    grades: GradeState
    texts: tuple[Any, ...]

    @classmethod
    def of(cls, bank: Bank) -> "_State":
        return cls(GradeState.of(bank), texts_fingerprint(bank))

    @property
    def all(self) -> tuple[Any, ...]:
        return (*sorted(self.grades.by_topic.items()), *self.texts)


def _board(bank: Bank, choice: Choice, revision: int, state: _State) -> BankBoard:
    """Return the board, from the kept parts of topics in which nothing has changed."""
    pool = choice.pool or larger_pool(state.grades.counts)
    rows = list(bank.entries.order_by("pk").values_list("key", "topic", "topic__key"))
    importance = importance_of(confirmed_at(bank, revision))
    entries: dict[int, list[str]] = {}
    for key, topic, _ in rows:
        entries.setdefault(topic, []).append(key)
    # A decision changes cells only by the answers that extracted ones are verified with.
    keys = bank.revision if text_questions(bank) else 0
    levels = grade_levels_of(bank)
    states = {
        topic: (state.grades.by_topic.get(topic), state.texts, keys, levels, pool)
        for topic in entries
    }
    decided = {
        topic: (of_topic, tuple(importance.get(key) for key in of_topic))
        for topic, of_topic in entries.items()
    }
    digests = {topic: digest_of((states[topic], decided[topic])) for topic in entries}

    def compute(late: Collection[int]) -> dict[int, TopicPart]:
        cells = _cells(bank, pool, {topic: states[topic] for topic in late})
        return {
            topic: analysis.topic_part(cells[topic], entries[topic], importance, levels, choice.k)
            for topic in late
        }

    parts: list[TopicPart] = kept_parts(bank, f"parts:{pool}:{choice.k}", digests, compute)
    systems = {system for part in parts for system in part.texts | part.ranked}
    names = bank.corpus.systems.filter(key__in=systems).values_list("key", "name")
    of_statements = ("statements", pool, state.texts)
    statements = cached(bank, of_statements, lambda: statements_of(bank, pool))
    return analysis.bank_board(
        parts, statements, importance, {key: topic for key, _, topic in rows}, pool=pool,
        counts=state.grades.counts, names={key: name or key for key, name in names}, k=choice.k,
    )  # fmt: skip


def _cells(
    bank: Bank, pool: str, states: Mapping[int, tuple[Any, ...]]
) -> Mapping[int, TopicCells]:
    """Return the cells of topics, read from the database only if they have changed."""
    prefix = f"{board_cache_prefix(bank.pk)}cells:"
    names = {topic: f"{prefix}{topic}:{digest_of(state)}" for topic, state in states.items()}
    found = cache.get_many(names.values()) if names else {}
    cells = {topic: found[name] for topic, name in names.items() if name in found}
    if missing := [topic for topic in names if topic not in cells]:
        read = topic_cells(bank, pool, missing)
        cache.set_many({names[topic]: of for topic, of in read.items()}, KEPT_SECONDS)
        cells |= read
    return cells


def _measure(board: BankBoard, wanted: str) -> str:
    """Return the measure that orders the systems, or ''. Raises Refusal for an unknown one."""
    if wanted and wanted not in board.measures:
        names = ", ".join(board.measures)
        sentence = Sentence("Choose a measure on this leaderboard: {names}.", names=names)
        raise Refusal("BoardMeasure", sentence, status=400)
    return wanted or [*in_order(board.measures), ""][0]


def in_order(measures: Collection[str]) -> list[str]:
    """Return the measures with the preferred ones first."""
    preferred = [name for name in PREFERRED if name in measures]
    return [*preferred, *(name for name in measures if name not in preferred)]


def _compared(
    bank: Bank, board: BankBoard, measure: str, before: int | None
) -> tuple[Lead | None, RevisionDifference | None, str]:
    """Return the lead, the difference from an earlier revision, and why the latter is missing."""
    lead = analysis.lead(board, measure) if measure else None
    if before is None:
        return lead, None, ""
    try:
        earlier = importance_of(confirmed_at(bank, before))
        changed = analysis.difference(board, measure, earlier, replaces=_replaced(bank))
    except CannotCompute as reason:
        return lead, None, str(reason)
    return lead, changed, ""


def importance_of(entries: list[EntryAt]) -> dict[str, str]:
    """Return the importance of each confirmed entry by its key."""
    return {row.key: row.importance for row in entries}


def checked(bank: Bank, choice: Choice) -> None:
    """Raise Refusal for an invalid pool, revision or depth."""
    if choice.pool and choice.pool not in POOLS:
        raise Refusal("BoardPool", Sentence("Choose people or models."), status=400)
    for number in (choice.revision, choice.before):
        if number is not None and not 0 <= number <= bank.revision:
            raise Refusal(
                "BoardRevision",
                Sentence("Choose a revision from 0 to {n}.", n=bank.revision),
                status=400,
            )
    if not 1 <= choice.k <= MOST_K:
        raise Refusal("BoardDepth", Sentence("Choose 1 to {n} passages.", n=MOST_K), status=400)


def as_json(shown: ShownBoard) -> dict[str, Any]:
    """Return a board as plain data; secret entries have no text."""
    board = shown.board
    return {
        "bank": shown.bank.name,
        "revision": shown.choice.revision,
        "before": shown.choice.before,
        "raters": board.pool,
        "cells": board.cells,
        "measure": shown.choice.measure,
        "topics": board.topics,
        "confidence": board.confidence,
        "is_open": shown.is_open,
        "lead": None if shown.lead is None else _plain(vars(shown.lead)),
        "rows": _records(board.rows),
        "zero_topics": _records(board.zeros),
        "ungraded": list(board.ungraded),
        "reasons": [*board.reasons, *filter(None, [shown.why_not])],
        "difference": _records(shown.changed.board) if shown.changed else [],
        "causes": causes(shown, secret=False),
        "topics_left_out": list(shown.changed.left_out) if shown.changed else [],
        "official_orders": [_plain(row) for row in agreements(shown)],
    }


def causes(shown: ShownBoard, *, secret: bool) -> list[dict[str, Any]]:
    """Return each changed entry with its effect on each system, largest effects first."""
    if shown.changed is None or shown.changed.causes.empty:
        return []
    frame = shown.changed.causes
    names = {*frame["entry"], *frame["replaces"]}
    texts = entry_texts(shown.bank, names, secret=secret)
    rows = []
    for (entry, replaces, kind), part in frame.groupby(["entry", "replaces", "change"], sort=False):
        shares = dict(zip(part["system"], part["difference"], strict=True))
        rows.append(
            {
                "entry": entry, "text": texts.get(str(entry)), "change": kind,
                "replaces": replaces, "before": texts.get(str(replaces)),
                "topic": part["topic"].iloc[0], "shares": shares,
                "most": max(abs(share) for share in shares.values()),
            }
        )  # fmt: skip
    return sorted(rows, key=lambda row: (-row["most"], row["entry"]))


def entry_texts(bank: Bank, keys: set[str], *, secret: bool) -> dict[str, str | None]:
    """Return the texts of entries. Without `secret`, the text of secret entries is None."""
    wanted = list(bank.entries.filter(key__in=keys).values_list("pk", flat=True))
    rows = entries_at(bank, entries=wanted) if wanted else []
    rows = rows if secret else masked(bank, rows)
    return {row.key: row.text or None for row in rows}


def _replaced(bank: Bank) -> dict[str, str]:
    """Return the earlier wording of each edited entry."""
    rows = BankEntry.objects.filter(bank=bank, replaces__isnull=False)
    return dict(rows.values_list("key", "replaces__key"))


def _records(frame: Any) -> list[dict[str, Any]]:
    return [_plain(row) for row in frame.to_dict("records")]


def _plain(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row with NaN replaced, because JSON has no NaN."""
    return {
        name: None if isinstance(value, float) and value != value else value
        for name, value in row.items()
    }
