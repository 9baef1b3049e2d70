"""Means of scores with t intervals."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
import scipy

from analysis.stats.errors import CannotCompute
from analysis.stats.resampling import check_confidence


@dataclass(frozen=True, eq=False, kw_only=True)
class MeansResult:
    """Means of items.

    frame: one row an item: item, mean, low, high, n, sd; low and high are NaN where n < 2, and
    where all scores are alike: a t interval of no width would claim certainty.
    """

    frame: pd.DataFrame
    confidence: float


def mean_scores(votes: pd.DataFrame, *, confidence: float = 0.95) -> MeansResult:
    """Return the mean score of each item (columns item, score), its t interval and its n.

    Raises CannotCompute (no_scores), BadSetting.
    """
    check_confidence(confidence)
    scored = votes[votes["score"].notna()]
    if scored.empty:
        raise CannotCompute("no_scores", "Means cannot be computed because no answer has a score.")
    groups = scored.groupby("item", sort=True)["score"]
    frame = groups.agg(mean="mean", sd="std", n="count").reset_index()
    degrees = np.maximum(frame["n"] - 1, 1)
    spread = frame["sd"].where(groups.nunique().to_numpy() > 1)
    half = scipy.stats.t.ppf((1 + confidence) / 2, degrees) * spread / np.sqrt(frame["n"])
    frame["low"], frame["high"] = frame["mean"] - half, frame["mean"] + half
    return MeansResult(frame=frame, confidence=confidence)
