"""Coverage and trec measures of all systems on one topic, and their means over topics.

A board keeps the scores of each topic, so that a new grade costs the work of one topic. The means
are those of `coverage_board` and `relevance_board` at one depth.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import scipy

from analysis.stats.arrays import Floats
from analysis.stats.retrieval.coverage import qrels_of
from analysis.stats.retrieval.diversity import Novelty
from analysis.stats.retrieval.rankings import scores_by_system

FROM = " ≥ "  # before the level of a measure of trec_eval
COVERAGE = ("cover", "n-cover", "α-nDCG", "subtopic recall")
DEEP = "MAP"  # the measure that reads whole rankings


@dataclass(frozen=True, eq=False)
class TopicCoverage:
    """Scores (S) by measure of the systems that rank passages of a topic.

    Without an entry that a passage answers there is no n-cover; without grades, no measure of
    trec_eval, and `graded` is empty. graded, read: passages among the first k, and among all.
    """

    systems: tuple[str, ...]
    scores: dict[str, Floats]
    graded: dict[str, Floats]
    read: dict[str, Floats]


def topic_coverage(
    topic: str,
    rankings: Mapping[str, Sequence[str]],
    grades: pd.DataFrame,
    size: int,
    *,
    levels: Sequence[int],
    level: int,
    k: int,
) -> TopicCoverage:
    """Return the scores of each system. size: of the counted entries of the topic.

    grades: topic, passage, entry, grade, of the counted entries alone. level: covers an entry.
    """
    systems = tuple(sorted(rankings))
    novelty = Novelty.of(grades, level=level, depth=k)
    answered = len(novelty.covered(topic))
    found = [novelty.of_ranking(topic, rankings[system]) for system in systems]
    alpha, recall = np.array(found, dtype=np.float64).reshape(len(systems), 2).T
    scores = {f"cover@{k}": recall * answered / size}
    if answered:
        scores[f"n-cover@{k}"] = recall
    scores |= {f"α-nDCG@{k}": alpha, f"subtopic recall@{k}": recall}
    if grades.empty:
        return TopicCoverage(systems, scores, {}, {})
    qrels = qrels_of(grades, "maximum")[topic]
    scores |= dict(_relevance(rankings, qrels, systems, levels, k))
    graded, read = {}, {}
    for name, depth in (("k", k), (DEEP, None)):
        cut = [rankings[system][:depth] for system in systems]
        read[name] = np.array([len(documents) for documents in cut], dtype=np.float64)
        graded[name] = np.array([sum(d in qrels for d in documents) for documents in cut]) * 1.0
    return TopicCoverage(systems, scores, graded, read)


def _relevance(
    rankings: Mapping[str, Sequence[str]],
    qrels: Mapping[str, int],
    systems: Sequence[str],
    levels: Sequence[int],
    k: int,
) -> Iterator[tuple[str, Floats]]:
    """Yield the measures of trec_eval, in the order of a board."""
    cut = {system: ranked[:k] for system, ranked in rankings.items()}
    ndcg, precision = f"ndcg_cut_{k}", f"P_{k}"
    for at, level in enumerate(levels):
        whole = scores_by_system(rankings, qrels, [ndcg, precision, "map"], level=level)
        first = scores_by_system(cut, qrels, ["recip_rank"], level=level)
        if not at:
            yield f"nDCG@{k}", whole(ndcg, systems)
        yield f"MRR@{k}{FROM}{level}", first("recip_rank", systems)
        yield f"P@{k}{FROM}{level}", whole(precision, systems)
        yield f"{DEEP}{FROM}{level}", whole("map", systems)


def coverage_of(
    parts: Sequence[TopicCoverage], systems: Sequence[str], *, k: int, confidence: float = 0.95
) -> pd.DataFrame:
    """Return one row a measure and system: value, low, high, sd, n, missing, judged.

    Topics that a system does not rank count as 0 and are in `missing`.
    """
    row = {name: at for at, name in enumerate(systems)}
    measures = list(dict.fromkeys(name for part in parts for name in part.scores))
    first = [f"{name}@{k}" for name in COVERAGE]
    order = [name for name in first if name in measures]
    frames = []
    for measure in [*order, *(name for name in measures if name not in order)]:
        mine = [part for part in parts if measure in part.scores]
        values = np.zeros((len(systems), len(mine)))
        for at, part in enumerate(mine):
            kept = [n for n, name in enumerate(part.systems) if name in row]
            rows = [row[part.systems[n]] for n in kept]
            values[rows, at] = part.scores[measure][kept]
        counted = parts if measure in first else mine
        missing = [sum(name not in part.systems for part in counted) for name in systems]
        judged = _judged(parts, row, DEEP if measure.startswith(DEEP) else "k")
        frames.append(_summary(values, confidence).assign(
            system=list(systems), measure=measure, missing=missing, judged=judged
        ))  # fmt: skip
    return pd.concat(frames, ignore_index=True)


def _judged(parts: Sequence[TopicCoverage], row: Mapping[str, int], name: str) -> Floats:
    """Return the share of graded passages among those that each system ranks in graded topics."""
    graded, read = np.zeros((2, len(row)))
    for part in parts:
        if not part.graded:
            continue
        kept = [n for n, system in enumerate(part.systems) if system in row]
        rows = [row[part.systems[n]] for n in kept]
        graded[rows] += part.graded[name][kept]
        read[rows] += part.read[name][kept]
    return np.asarray(np.divide(graded, read, out=np.full(len(row), np.nan), where=read > 0))


def _summary(values: Floats, confidence: float) -> pd.DataFrame:
    """Return value, low, high, sd and n over the columns of values (S, T)."""
    n = values.shape[1]
    mean = values.mean(axis=1)
    sd = values.std(axis=1, ddof=1) if n > 1 else np.full(len(values), np.nan)
    half = np.full(len(values), np.nan)
    if n > 1:
        t = float(scipy.stats.t.ppf((1 + confidence) / 2, n - 1))
        half = np.where(sd > 0, t * sd / n**0.5, np.nan)
    return pd.DataFrame({"value": mean, "low": mean - half, "high": mean + half, "sd": sd, "n": n})
