"""Claims about LLM judges, with all judges of a question taken together.

A list of sentences on the page says of each judge whether it agrees better than by its habits,
better or worse than one person, and leans to a side. Holm (1979) controls the probability of any
false one in the list of a question. In the alternative annotator test, Holm's family is all judges
beside annotators of one expertise.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from analysis.stats.effects.families import holm
from analysis.stats.judges.alternative_annotator import FALSE_DISCOVERIES

Row = dict[str, Any]
CLAIMS = (
    ("agreement", "p", "p_adjusted"),
    ("agreement", "p_over_person", "p_over_person_adjusted"),
    ("habits", "p", "p_adjusted"),
)


def adjust_claims(rows: dict[str, list[Row]]) -> None:
    """Add the adjusted p of all sentences, and who passes the alternative annotator test."""
    claims = [
        (row, p, adjusted)
        for table, p, adjusted in CLAIMS
        for row in rows[table]
        if row.get(p) is not None
    ]
    for (row, _, name), value in zip(claims, _holm([row[p] for row, p, _ in claims]), strict=True):
        row[name] = value
    for beside in dict.fromkeys(row["beside"] for row in rows["replacement"]):
        tests = [row for row in rows["replacement"] if row["beside"] == beside]
        for row, value in zip(tests, _holm([row["p"] for row in tests]), strict=True):
            row["p_adjusted"] = value
            row["passes"] = "yes" if value <= FALSE_DISCOVERIES else "no"


def _holm(p: Sequence[float]) -> list[float]:
    return [float(value) for value in holm(np.array(p, dtype=np.float64))]
