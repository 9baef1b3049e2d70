"""Share of votes with a certain label for each item, with Wilson intervals.

Wilson, Probable Inference, the Law of Succession, and Statistical Inference (1927).
"""

from collections.abc import Collection, Hashable
from dataclasses import dataclass

import numpy as np
import pandas as pd
import scipy

from analysis.stats.errors import CannotCompute
from analysis.stats.resampling import check_confidence


@dataclass(frozen=True, eq=False, kw_only=True)
class SharesResult:
    """Shares of items; frame: one row an item: item, share, low, high, n."""

    frame: pd.DataFrame
    positive: Collection[Hashable]
    confidence: float


def label_shares(
    votes: pd.DataFrame, *, positive: Collection[Hashable], confidence: float = 0.95
) -> SharesResult:
    """Return the share of votes (columns item, value) with a positive label, of all with a label.

    Raises CannotCompute (no_labels, no_positive_option), BadSetting.
    """
    check_confidence(confidence)
    if not positive:
        raise CannotCompute(
            "no_positive_option",
            "Shares cannot be computed because the question has no positive option.",
        )
    labelled = votes[votes["value"].notna()]
    if labelled.empty:
        raise CannotCompute("no_labels", "Shares cannot be computed because no answer has a label.")
    hits = labelled["value"].isin(list(positive)).groupby(labelled["item"], sort=True)
    frame = hits.agg(share="mean", n="count").reset_index()
    z2 = scipy.stats.norm.ppf((1 + confidence) / 2) ** 2
    n, p = frame["n"], frame["share"]
    middle = (p + z2 / (2 * n)) / (1 + z2 / n)
    half = np.sqrt(z2 * (p * (1 - p) / n + z2 / (4 * n**2))) / (1 + z2 / n)
    frame["low"], frame["high"] = (middle - half).clip(lower=0), (middle + half).clip(upper=1)
    return SharesResult(
        frame=frame[["item", "share", "low", "high", "n"]], positive=positive, confidence=confidence
    )
