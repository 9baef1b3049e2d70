"""Leaderboards of systems by retrieval measure, cut-off and relevance level.

One row a system, measure and level: measure (MRR@5, P@5, nDCG@5, MAP, cover@5, n-cover@5,
α-nDCG@5, subtopic recall@5), level (grades from it on are relevant; none for nDCG, which weighs
grades), system, value, low, high, sd, n (topics), missing (those that the system ranks nothing for,
counted as zero), judged (the share of the documents down to the cut-off, or of all, that have a
grade; without one they count as not relevant).

A t interval over topics is given where it covers: in simulated values of MRR, P, nDCG and MAP it
does so at .93 to .95 where there are ten topics and the mean is as far from 0 and from 1 as four
topics in all; nearer to an end it covers .89 to .92, and is left out. Ends are cut at 0 and 1.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np
import pandas as pd

from analysis.stats.design_checks import LEAST_UNITS
from analysis.stats.errors import BadSetting
from analysis.stats.retrieval.coverage import Bank, cover
from analysis.stats.retrieval.diversity import Novelty
from analysis.stats.retrieval.rankings import Qrels, Run, leaderboard, mean_over_topics

BOARD = (
    "measure", "level", "system", "value", "low", "high", "sd", "n", "missing", "judged",
)  # fmt: skip
LEAST_ROOM = 4  # topics' worth between the mean and the nearer end of its scale
WIDEST = 5  # steps between the ends of a scale whose upper half is listed grade by grade
CALLED = {
    "cover": "cover",
    "normalised": "n-cover",
    "alpha_ndcg": "α-nDCG",
    "subtopic_recall": "subtopic recall",
}


def grade_levels(lowest: float, highest: float) -> tuple[int, ...]:
    """Return the grades from which a document may be called relevant, by the ends of the scale.

    These are the grades of the upper half of the scale: 3, 4 and 5 of 0 to 5, as in Dietz (2024),
    Table 4; 1 and 2 of 0 to 2. A wider scale has three: 60, 80 and 100 % of the way. A
    grade of 0 or less is never relevant.
    """
    width = highest - lowest
    if width > WIDEST:
        levels = [round(lowest + width * share) for share in (0.6, 0.8, 1)]
    else:
        levels = list(range(math.ceil(lowest + width / 2), math.floor(highest) + 1))
    return tuple(sorted({level for level in levels if level > 0}))


def middle_of(levels: Sequence[int]) -> int:
    """Return the level that covers an entry: the middle one, 4 of 0 to 5 as in Dietz (2024)."""
    return levels[len(levels) // 2] if levels else 1


def relevance_board(
    runs: Mapping[str, Run],
    qrels: Qrels,
    *,
    levels: Sequence[int],
    cutoffs: Sequence[int],
    confidence: float = 0.95,
) -> pd.DataFrame:
    """Return trec measures against qrels. Raises CannotCompute, BadSetting."""
    _check(cutoffs)
    deepest = max(len(documents) for run in runs.values() for documents in run.values())
    boards = []
    for name, measure, depth, level in _trec_measures(levels, cutoffs):
        board = leaderboard(
            runs, qrels, [measure], level=level or 1, depth=depth, confidence=confidence
        )
        judged = board["system"].map(judged_shares(runs, qrels, depth=depth or deepest))
        boards.append(board.assign(measure=name, level=level, judged=judged))
    return with_intervals_that_cover(pd.concat(boards, ignore_index=True)[list(BOARD)])


def _trec_measures(
    levels: Iterable[int], cutoffs: Iterable[int]
) -> Iterator[tuple[str, str, int | None, int | None]]:
    """Yield the common name, the name in trec_eval, the depth and the level of each measure."""
    for k in cutoffs:
        yield f"nDCG@{k}", f"ndcg_cut_{k}", k, None
    for level in levels:
        for k in cutoffs:
            yield f"MRR@{k}", "recip_rank", k, level
            yield f"P@{k}", f"P_{k}", k, level
        yield "MAP", "map", None, level


def coverage_board(
    runs: Mapping[str, Run],
    grades: pd.DataFrame,
    bank: Bank,
    *,
    levels: Sequence[int],
    cutoffs: Sequence[int],
    confidence: float = 0.95,
) -> pd.DataFrame:
    """Return Rubric-Cover, normalized cover, alpha-nDCG and subtopic recall.

    grades: topic, passage, entry, grade. Raises CannotCompute (empty_bank), BadSetting.
    """
    _check(cutoffs)
    graded: dict[str, dict[str, int]] = {}
    for topic, passage in zip(grades["topic"], grades["passage"], strict=True):
        graded.setdefault(str(topic), {})[str(passage)] = 1
    boards = []
    for level in levels:
        for k in cutoffs:
            board = cover(runs, grades, bank, level=level, depth=k, confidence=confidence)
            novelty = _novelty(runs, grades, bank, level=level, depth=k, confidence=confidence)
            board = pd.concat([board, novelty], ignore_index=True)
            called = board["measure"].map(CALLED) + f"@{k}"
            judged = board["system"].map(judged_shares(runs, graded, depth=k))
            boards.append(board.assign(measure=called, level=level, judged=judged))
    return with_intervals_that_cover(pd.concat(boards, ignore_index=True)[list(BOARD)])


def _novelty(
    runs: Mapping[str, Run],
    grades: pd.DataFrame,
    bank: Bank,
    *,
    level: int,
    depth: int,
    confidence: float,
) -> pd.DataFrame:
    """Return alpha-nDCG and subtopic recall in the columns of `coverage.cover`."""
    topics = [topic for topic, entries in bank.items() if entries]
    novelty = Novelty.of(grades, level=level, depth=depth)
    rows = []
    for system, run in runs.items():
        values = novelty.per_topic(run, topics)
        missing = int((~values["ranked"]).sum())
        for measure in ("alpha_ndcg", "subtopic_recall"):
            summary = mean_over_topics(values[measure].to_numpy(np.float64), confidence)
            rows.append({"system": system, "measure": measure} | summary | {"missing": missing})
    return pd.DataFrame(rows)


def with_intervals_that_cover(board: pd.DataFrame) -> pd.DataFrame:
    """Return a board without unreliable intervals: too few topics, or means near 0 or 1."""
    room = board["n"] * np.minimum(board["value"], 1 - board["value"])
    covers = (board["n"] >= LEAST_UNITS) & (room >= LEAST_ROOM)
    ends = {name: board[name].clip(0, 1).where(covers) for name in ("low", "high")}
    return board.assign(**ends)


def judged_shares(runs: Mapping[str, Run], qrels: Qrels, *, depth: int) -> dict[str, float]:
    """Return each system's share of graded documents among the first `depth` of each topic."""
    shares = {}
    for system, run in runs.items():
        graded = [
            document in qrels[topic]
            for topic in qrels
            for document in list(run.get(topic, ()))[:depth]
        ]
        shares[system] = float(np.mean(graded)) if graded else float("nan")
    return shares


def _check(cutoffs: Sequence[int]) -> None:
    for k in cutoffs:
        if k < 1:
            raise BadSetting("cutoffs", k, "1 or more")
