"""Leaderboard of a bank: scores of systems at a revision, and changes between two revisions.

The board uses the cells of all studies of a bank and is therefore not a step of a run.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from analysis.analyses.official_order import DEPTHS
from analysis.inputs.bank_cells import TopicCells
from analysis.stats.arrays import Floats
from analysis.stats.errors import CannotCompute
from analysis.stats.retrieval.coverage import NO_ENTRIES
from analysis.stats.retrieval.entry_values import (
    AVOID,
    COVER,
    EntryValues,
    Lead,
    has_kind,
    lead_of,
    means_of,
    weights_of,
)
from analysis.stats.retrieval.leaderboards import middle_of, with_intervals_that_cover
from analysis.stats.retrieval.nugget_scores import NUGGET_SCORES
from analysis.stats.retrieval.rank_agreement import order_agreement
from analysis.stats.retrieval.rankings import mean_over_topics
from analysis.stats.retrieval.revisions import RevisionDifference, revision_difference
from analysis.stats.retrieval.support_scores import support_board
from analysis.stats.retrieval.topic_coverage import TopicCoverage, coverage_of, topic_coverage

CONFIDENCE = 0.95
TREC = ("nDCG@", "MRR@", "P@", "MAP")
K = 20  # ranking depth, as in Dietz (2024)
ROWS = ("system", "measure", "value", "low", "high", "n", "missing", "judged")
NO_ANSWER, NO_RANKING = "no answer", "no ranking"
Importance = Mapping[str, str]  # key of a confirmed entry -> its importance
# Decisions on an entry whose impact can be previewed.
EDIT, RETIRE, CONFIRM = "edit", "retire", "confirm"


@dataclass(frozen=True, eq=False)
class BankBoard:
    """Scores of systems by the confirmed entries of a bank.

    rows: one per system and measure (ROWS). zeros: topics that count as 0 (system, topic, why).
    ungraded: systems that have an answer or ranking but no grade. values: by "answers" and "cover".
    reasons: why some measures are missing. measures: those that can compare systems entry by entry.
    importance: of the confirmed entries.
    """

    pool: str
    cells: dict[str, int]
    names: dict[str, str]
    topics: int
    rows: pd.DataFrame
    zeros: pd.DataFrame
    ungraded: tuple[str, ...]
    values: dict[str, EntryValues]
    measures: tuple[str, ...]
    importance: Importance
    reasons: tuple[str, ...]
    confidence: float

    def of(self, measure: str) -> EntryValues:
        return self.values["cover" if measure.startswith(COVER) else "answers"]


@dataclass(frozen=True, eq=False)
class TopicPart:
    """Part of a board about one topic; only grades and decisions of this topic change it.

    texts, ranked: systems with an answer, or a ranking. values: by "answers" and "cover". coverage:
    None without counted entries.
    """

    topic: str
    texts: frozenset[str]
    ranked: frozenset[str]
    values: dict[str, EntryValues]
    coverage: TopicCoverage | None


def topic_part(
    cells: TopicCells, entries: Sequence[str], importance: Importance, levels: Sequence[int], k: int
) -> TopicPart:
    """Return the part of a board. entries: of the topic, including retired ones."""
    topics = dict.fromkeys(entries, cells.topic)
    answers = cells.answers[cells.answers["entry"].isin(entries)]
    counted = {key for key in entries if weights_of(COVER).get(importance.get(key, "-"))}
    grades = cells.grades[cells.grades["entry"].isin(counted)].assign(topic=cells.topic)
    coverage = topic_coverage(
        cells.topic, cells.rankings, grades, len(counted), levels=levels, level=middle_of(levels),
        k=k,
    ) if counted else None  # fmt: skip
    values = {
        "answers": EntryValues.of(answers, sorted(answers["system"].unique()), topics),
        "cover": _cover_values(cells, topics, level=middle_of(levels), k=k),
    }
    return TopicPart(cells.topic, cells.texts, frozenset(cells.rankings), values, coverage)


def bank_board(
    parts: Sequence[TopicPart],
    statements: pd.DataFrame,
    importance: Importance,
    topics: Mapping[str, str],
    *,
    pool: str,
    counts: dict[str, int],
    names: dict[str, str],
    k: int = K,
) -> BankBoard:
    """Return the board of a bank from the parts of its topics.

    importance: of each confirmed entry. topics: of each entry, including retired ones. counts: of
    grades, by pool. names: of the systems with an answer or a ranking.
    """
    wanted = sorted({topics[key] for key in importance})
    frames, measures, reasons = [], list[str](), list[str]()
    values = {
        name: EntryValues.joined([part.values[name] for part in parts], topics)
        for name in ("answers", "cover")
    }
    if values["answers"].systems:
        frames.append(_nuggets(values["answers"], importance))
        measures += [name for name in frames[0]["measure"].unique() if name != AVOID]
    else:
        reasons.append("Answers can't be scored because none has a grade on an entry.")
    if values["cover"].systems:
        coverage = [part.coverage for part in parts if part.coverage]
        if coverage:
            frames.append(coverage_of(coverage, values["cover"].systems, k=k))
            measures.append(f"{COVER}@{k}")
        else:
            reasons.append(NO_ENTRIES)
    elif any(part.ranked for part in parts):
        reasons.append("Rankings can't be scored because no ranked passage has a grade.")
    if len(statements) and wanted:
        mine = statements[statements["topic"].isin(wanted)]
        systems = sorted(mine["system"].unique())
        frames.append(support_board(mine, systems, wanted, confidence=CONFIDENCE))
    else:
        reasons.append(
            "Support can't be scored because no study has judged statements against their "
            "citations."
        )
    rows = pd.concat(frames, ignore_index=True) if frames else pd.DataFrame(columns=list(ROWS))
    if len(rows):
        rows = with_intervals_that_cover(rows)
    shown = {*rows["system"]}
    return BankBoard(
        pool=pool,
        cells=counts,
        names=names,
        topics=len(wanted),
        rows=rows[list(ROWS)],
        zeros=_zeros(parts, values, wanted),
        ungraded=tuple(sorted(set(names) - shown)),
        values=values,
        measures=tuple(measures),
        importance=dict(importance),
        reasons=tuple(reasons),
        confidence=CONFIDENCE,
    )


def lead(board: BankBoard, measure: str) -> Lead | None:
    """Return the comparison of the top two systems, or None if only one has grades."""
    values = board.of(measure)
    _, scores = values.by_topic(board.importance, _weighted(measure))
    return lead_of(values.systems, scores, confidence=board.confidence)


def difference(
    board: BankBoard, measure: str, before: Importance, **how: Any
) -> RevisionDifference:
    """Return the scores at two revisions and each entry's share. Raises CannotCompute."""
    values, weights = board.of(measure), weights_of(_weighted(measure))
    weighted_alone = measure.startswith(COVER)  # other scores are 0 on a topic without such entries
    v = (values.values >= 1) * 1.0 if measure.startswith("strict") else values.values
    v = np.where(np.isnan(values.values), np.nan, v)
    at = np.argwhere(~np.isnan(v))
    frame = pd.DataFrame(
        {
            "system": np.array(values.systems, dtype=object)[at[:, 0]],
            "topic": np.array(values.topics, dtype=object)[at[:, 1]],
            "entry": np.array(values.entries, dtype=object)[at[:, 1]],
            "value": v[at[:, 0], at[:, 1]],
        }
    )
    topics = dict(zip(values.entries, values.topics, strict=True))
    every = set(topics.values())
    revisions = []
    for bank in (before, board.importance):
        by_topic: dict[str, dict[str, float]] = {topic: {} for topic in every}
        for key, kind in bank.items():
            weight = weights.get(kind, 0.0)
            if weight or not weighted_alone:
                by_topic[topics[key]][key] = weight
        revisions.append(by_topic)
    return revision_difference(frame, revisions[0], revisions[1], list(values.systems), **how)


def agreement(board: BankBoard, orders: Mapping[str, Mapping[str, float]]) -> list[dict[str, Any]]:
    """Return rho, tau, tau_ap and overlaps (or why not) for each official order and measure."""
    rows = []
    for order, official in orders.items():
        for measure, part in board.rows.groupby("measure", sort=False):
            if measure == AVOID:
                continue  # lower is better
            scores = part.set_index("system")["value"]
            common = sorted(set(scores.index) & set(official))
            theirs = np.array([official[system] for system in common], dtype=np.float64)
            row = {"order": order, "measure": str(measure), "systems": len(common)}
            try:
                found = order_agreement(theirs, scores[common].to_numpy(np.float64), depths=DEPTHS)
            except CannotCompute as reason:
                rows.append(row | {"why": str(reason)})
                continue
            values = {"rho": found.rho, "tau": found.tau, "tau_ap": found.tau_ap}
            rows.append(row | values | {"top": dict(found.top), "why": ""})
    return rows


@dataclass(frozen=True, eq=False)
class Impact:
    """Change of each system's score through a decision, and the leaders before and after.

    differences: system -> change, only for changed scores; NaN if no graded entry is left.
    """

    decision: str
    before: dict[str, float]
    differences: dict[str, float]
    leaders: tuple[str, str]


def impacts(
    board: BankBoard, measure: str, entry: str, decisions: Sequence[str], *, kind: str = ""
) -> list[Impact]:
    """Return the impact of each decision on an entry, based on the grades so far.

    kind: the importance that a proposed entry gets on confirmation.
    """
    values, importance = board.of(measure), board.importance
    now, rows = means_of(values, importance, _weighted(measure)), []
    for decision in decisions:
        after, on = dict(importance), values
        if decision == RETIRE:
            after.pop(entry, None)
        elif decision in {EDIT, CONFIRM}:
            after[entry] = importance.get(entry, kind)
        else:
            after[entry] = decision
        if decision == EDIT:
            on = values.without(entry)
        then = means_of(on, after, _weighted(measure))
        change = {
            system: float(d)
            for system, d in zip(values.systems, then - now, strict=True)
            if not abs(d) < 1e-12
        }
        before = dict(zip(values.systems, now.tolist(), strict=True))
        leaders = _first(values.systems, now), _first(values.systems, then)
        rows.append(Impact(decision, before, change, leaders))
    return rows


def _weighted(measure: str) -> str:
    return COVER if measure.startswith(COVER) else measure


def _first(systems: Sequence[str], scores: "np.ndarray") -> str:
    """Return the system with the highest score. Ties go to the first name in the alphabet."""
    if not len(systems) or np.isnan(scores).all():
        return ""
    return min(zip(-scores.round(9), systems, strict=True))[1]


def _cover_values(
    cells: TopicCells, topics: Mapping[str, str], *, level: int, k: int
) -> EntryValues:
    """Return 1 if one of a system's first k passages covers the entry, else 0."""
    grades = cells.grades[cells.grades["entry"].isin(topics)]
    entries = tuple(topics)
    column = {entry: at for at, entry in enumerate(entries)}
    by_passage: dict[str, list[tuple[int, float]]] = {}
    for passage, entry, grade in zip(
        grades["passage"].tolist(), grades["entry"].tolist(), grades["grade"].tolist(), strict=True
    ):
        by_passage.setdefault(passage, []).append((column[entry], float(grade >= level)))
    rows: dict[str, Floats] = {}
    for system, ranked in sorted(cells.rankings.items()):
        row = np.full(len(entries), np.nan)
        for passage in ranked[:k]:
            for at, value in by_passage.get(passage, ()):
                row[at] = np.fmax(row[at], value)
        if not np.isnan(row).all():
            rows[system] = row
    values = np.array(list(rows.values())).reshape(len(rows), len(entries))
    return EntryValues(tuple(rows), entries, tuple(topics.values()), values)


def _nuggets(values: EntryValues, importance: Importance) -> pd.DataFrame:
    """Return nuggetizer's scores: value, low, high, sd, n, missing and judged of each system."""
    rows = []
    judged = values.judged(importance) if importance else np.zeros(len(values.systems))
    graded = {system: values.graded_topics(system) for system in values.systems}
    for measure in NUGGET_SCORES:
        if not has_kind(importance, measure):
            continue
        topics, scores = values.by_topic(importance, measure)
        for at, system in enumerate(values.systems):
            missing = len(set(topics) - graded[system])
            row = {"system": system, "measure": measure} | mean_over_topics(scores[at], CONFIDENCE)
            rows.append(row | {"missing": missing, "judged": float(judged[at])})
    return pd.DataFrame(rows, columns=[*ROWS, "sd"])


def _zeros(
    parts: Sequence[TopicPart], values: Mapping[str, EntryValues], wanted: Sequence[str]
) -> pd.DataFrame:
    """Return the topics that count as 0 because a system has no answer or ranking for them."""
    answered = {(system, part.topic) for part in parts for system in part.texts}
    ranked = {(system, part.topic) for part in parts for system in part.ranked}
    rows = [
        (system, topic, why)
        for name, has, why in (("answers", answered, NO_ANSWER), ("cover", ranked, NO_RANKING))
        for system in values[name].systems
        for topic in wanted
        if (system, topic) not in has
    ]
    return pd.DataFrame(rows, columns=["system", "topic", "why"])
