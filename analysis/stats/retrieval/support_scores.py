"""Support of the statements of an answer by the passages that they cite.

Thakur et al. (2025), support in TREC RAG 2024: full support weighs 1, partial 0.5, none 0. The
weighted precision is the mean over the statements with a citation, the weighted recall over all.
"""

from collections.abc import Iterable

import numpy as np
import pandas as pd

from analysis.stats.errors import missing_columns
from analysis.stats.retrieval.rankings import mean_over_topics

STATEMENTS = ("system", "topic", "statement", "cited", "support")


def support_board(
    statements: pd.DataFrame,
    systems: Iterable[str],
    topics: Iterable[str],
    *,
    confidence: float = 0.95,
) -> pd.DataFrame:
    """Return one row a system and measure: system, measure, value, low, high, sd, n, missing, ...

    statements: one row each; support of a cited one is 1, 0.5, 0 or NaN (unjudged, counted as 0 and
    in `judged`). Topics without a statement count as zero and are in `missing`; an answer without a
    citation has precision 0. Raises CannotCompute (missing_columns).
    """
    if lacking := [name for name in STATEMENTS if name not in statements]:
        raise missing_columns(lacking, frame="statements")
    topics = sorted(topics)
    rows = []
    for system in systems:
        mine = statements[statements["system"] == system]
        cited = mine[mine["cited"]]
        sums = cited["support"].fillna(0).groupby(cited["topic"]).sum().reindex(topics).fillna(0)
        judged = float(cited["support"].notna().mean()) if len(cited) else float("nan")
        sizes = {"support precision": cited, "support recall": mine}
        for measure, counted in sizes.items():
            size = counted.groupby("topic").size().reindex(topics).fillna(0).to_numpy(np.float64)
            values = np.divide(
                sums.to_numpy(np.float64), size, out=np.zeros(len(topics)), where=size > 0
            )
            summary = mean_over_topics(values, confidence)
            missing = len(set(topics) - set(mine["topic"]))
            row = {"system": system, "measure": measure} | summary
            rows.append(row | {"missing": missing, "judged": judged})
    return pd.DataFrame(rows)
