"""Rankings against qrels: the measures of trec_eval, by trec_eval itself (pytrec-eval-terrier).

trec_eval sorts by score, ties by document id from the end of the alphabet, and does not read the
rank. So a ranking goes in with scores that strictly decrease with its ranks. A topic of the qrels
for which a system ranks nothing counts as zero, and is counted (`missing`).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import pytrec_eval
import scipy

from analysis.stats.errors import BadSetting, CannotCompute

Run = Mapping[str, Sequence[str]]  # topic -> documents, the best first
Qrels = Mapping[str, Mapping[str, int]]  # topic -> document -> grade


def strictly_decreasing(documents: Sequence[str]) -> dict[str, float]:
    """Return scores n, n - 1, ..., 1 of a ranking, which no program can order otherwise."""
    return {document: float(len(documents) - place) for place, document in enumerate(documents)}


def per_topic(
    run: Run, qrels: Qrels, measures: Iterable[str], *, level: int = 1, depth: int | None = None
) -> pd.DataFrame:
    """Return one row a topic of the qrels and measure: topic, measure, value, ranked.

    level: grades from it on are relevant. depth: only this many documents are read, which makes
    recip_rank that of the first `depth`. Raises CannotCompute (no_topics, ranked_twice,
    unknown_measure), BadSetting.
    """
    if not qrels:
        raise CannotCompute(
            "no_topics", "A ranking cannot be measured because the qrels have no topic."
        )
    if level < 1:
        raise BadSetting("level", level, "1 or more")
    wanted = list(dict.fromkeys(measures))
    cut = {topic: _checked(topic, documents)[:depth] for topic, documents in run.items()}
    evaluated = _evaluated(cut, qrels, wanted, level)
    return pd.DataFrame(
        [
            (topic, name, evaluated.get(topic, {}).get(name, 0.0), bool(cut.get(topic)))
            for topic in sorted(qrels)
            for name in wanted
        ],
        columns=["topic", "measure", "value", "ranked"],
    )


def leaderboard(
    runs: Mapping[str, Run],
    qrels: Qrels,
    measures: Iterable[str],
    *,
    level: int = 1,
    depth: int | None = None,
    confidence: float = 0.95,
) -> pd.DataFrame:
    """Return one row a system and measure: system, measure, value, low, high, sd, n, missing.

    value: the mean over all n topics of the qrels; low and high: its t interval, none for a single
    topic or where all values are alike. missing: topics without a ranking, which count as zero.
    """
    measures = list(measures)
    rows = []
    for system, run in runs.items():
        values = per_topic(run, qrels, measures, level=level, depth=depth)
        for measure, part in values.groupby("measure", sort=False):
            missing = int((~part["ranked"]).sum())
            summary = mean_over_topics(part["value"].to_numpy(), confidence)
            rows.append({"system": system, "measure": measure} | summary | {"missing": missing})
    columns = ["system", "measure", "value", "low", "high", "sd", "n", "missing"]
    return pd.DataFrame(rows, columns=columns)


def mean_over_topics(values: "np.ndarray", confidence: float) -> dict[str, Any]:
    """Return value, low, high, sd, n of a measure over topics."""
    n = len(values)
    sd = float(values.std(ddof=1)) if n > 1 else float("nan")
    half = float("nan")
    if n > 1 and sd > 0:
        half = float(scipy.stats.t.ppf((1 + confidence) / 2, n - 1)) * sd / n**0.5
    mean = float(values.mean())
    return {"value": mean, "low": mean - half, "high": mean + half, "sd": sd, "n": n}


def scores_by_system(
    rankings: Mapping[str, Sequence[str]],
    grades: Mapping[str, int],
    measures: Sequence[str],
    *,
    level: int,
) -> Callable[[str, Sequence[str]], "np.ndarray"]:
    """Evaluate the rankings of one topic; return a function of measure and systems to scores."""
    evaluated = _evaluated(rankings, dict.fromkeys(rankings, grades), measures, level)
    return lambda measure, systems: np.array(
        [evaluated.get(system, {}).get(measure, 0.0) for system in systems]
    )


def _evaluated(
    run: Run, qrels: Qrels, measures: Sequence[str], level: int
) -> dict[str, dict[str, float]]:
    for measure in measures:
        if measure.rpartition("_")[0] not in FAMILIES and measure not in FAMILIES:
            raise CannotCompute(
                "unknown_measure",
                f"{measure!r} is not a trec_eval measure. Examples: recip_rank, P_20, map, "
                "ndcg_cut_10.",
            )
    grades = {
        topic: {doc: int(grade) for doc, grade in docs.items()} for topic, docs in qrels.items()
    }
    scores = {topic: strictly_decreasing(docs) for topic, docs in run.items() if docs}
    trec_names = {_asked(measure) for measure in measures}
    evaluator = pytrec_eval.RelevanceEvaluator(grades, trec_names, relevance_level=level)
    values: dict[str, dict[str, float]] = evaluator.evaluate(scores)
    return values


FAMILIES = frozenset(pytrec_eval.supported_measures)


def _asked(measure: str) -> str:
    """Return the measure as trec_eval takes it: P_20 is P.20."""
    family, _, number = measure.rpartition("_")
    return f"{family}.{number}" if family in FAMILIES and number.isdigit() else measure


def _checked(topic: str, documents: Sequence[str]) -> Sequence[str]:
    if len(set(documents)) < len(documents):
        twice = next(document for document in documents if list(documents).count(document) > 1)
        raise CannotCompute(
            "ranked_twice",
            f"The ranking cannot be read because {twice!r} appears twice in topic {topic!r}.",
        )
    return documents
