"""Scores of answers by nuggets, as nuggetizer computes them, and by avoided nuggets.

Pradeep et al. (2024), the AutoNuggetizer framework: an answer supports a nugget (1), partially
(0.5) or not (0). All and vital average that over all nuggets and over the vital ones; strict counts
full support alone; weighted gives an okay nugget half the weight of a vital one. An answer to a
topic without nuggets of a kind scores 0. Okay is the same over the okay nuggets. Avoid is the
supported share of what an answer must not say: less is better, and the other scores leave it out.
"""

from collections.abc import Iterable, Mapping

import numpy as np
import pandas as pd

from analysis.stats.arrays import Floats
from analysis.stats.errors import CannotCompute
from analysis.stats.retrieval.rankings import mean_over_topics

SUPPORT: Mapping[str, float] = {"support": 1.0, "partial_support": 0.5, "not_support": 0.0}
VITAL, OKAY, AVOID = "vital", "okay", "avoid"
NUGGET_SCORES = (
    "vital", "strict vital", "okay", "all", "strict all", "weighted", "strict weighted", "avoid",
)  # fmt: skip
WEIGHTS: Mapping[str, Mapping[str, float]] = {
    "vital": {VITAL: 1.0},
    "okay": {OKAY: 1.0},
    "all": {VITAL: 1.0, OKAY: 1.0},
    "weighted": {VITAL: 1.0, OKAY: 0.5},
    "avoid": {AVOID: 1.0},
}


def nugget_scores(support: Floats, importance: Iterable[str]) -> dict[str, float]:
    """Return the scores of one answer; a nugget without a label of support (NaN) counts as 0.

    support: 1, 0.5 or 0 for each nugget. Raises CannotCompute (unknown_importance).
    """
    labels = np.array(list(importance), dtype=object)
    if unknown := set(labels) - {VITAL, OKAY, AVOID}:
        raise CannotCompute(
            "unknown_importance",
            f"Nuggets cannot be scored because {sorted(unknown)[0]!r} is no importance; these are "
            "vital, okay and avoid.",
        )
    given = np.nan_to_num(np.asarray(support, dtype=np.float64))
    scores = {}
    for name in NUGGET_SCORES:
        weight_of = WEIGHTS[name.removeprefix("strict ")]
        weights = np.array([weight_of.get(label, 0.0) for label in labels])
        values = (given >= 1).astype(np.float64) if name.startswith("strict") else given
        scores[name] = float(weights @ values / weights.sum()) if weights.sum() else 0.0
    return scores


def nugget_board(
    labels: pd.DataFrame, bank: pd.DataFrame, systems: Iterable[str], *, confidence: float = 0.95
) -> pd.DataFrame:
    """Return one row a system and score: system, measure, value, low, high, sd, n, missing, judged.

    labels: system, topic, entry, support, of one answer a system and topic. bank: topic, entry,
    importance ('' as okay). missing: topics without any label, which count as zero; judged: the
    share of the bank with a label. Raises CannotCompute (empty_bank, unknown_importance).
    """
    if bank.empty:
        raise CannotCompute(
            "empty_bank", "Nuggets cannot be scored because the bank has no nugget."
        )
    bank = bank.assign(importance=bank["importance"].replace("", OKAY))
    rows = []
    for system in systems:
        mine = labels[labels["system"] == system][["topic", "entry", "support"]]
        cells = bank.merge(mine, on=["topic", "entry"], how="left")
        topics = [
            nugget_scores(part["support"].to_numpy(np.float64), part["importance"])
            for _, part in cells.groupby("topic")
        ]
        missing = int(cells["support"].isna().groupby(cells["topic"]).all().sum())
        judged = float(cells["support"].notna().mean())
        for name in _kinds(bank):
            values = np.array([scores[name] for scores in topics])
            summary = mean_over_topics(values, confidence)
            row = {"system": system, "measure": name} | summary
            rows.append(row | {"missing": missing, "judged": judged})
    return pd.DataFrame(rows)


def _kinds(bank: pd.DataFrame) -> list[str]:
    """Return the scores that the bank has nuggets for."""
    present = set(bank["importance"])
    return [
        name for name in NUGGET_SCORES if present & WEIGHTS[name.removeprefix("strict ")].keys()
    ]
