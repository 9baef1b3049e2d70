"""Rows of the alternative annotator test of one LLM judge."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from analysis.analyses.judge_bench import Bench
from analysis.stats.arrays import Ints
from analysis.stats.judges.alternative_annotator import EPSILON, alternative_annotator
from analysis.stats.judges.judge_comparison import Judge

REPLACEMENT = (
    "judge", "beside", "epsilon", "omega", "won", "annotators", "rho", "opponent", "p_adjusted",
    "passes",
)  # fmt: skip


def replacement(bench: Bench, judge: Judge) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield one row for each expertise of annotators, or the reason why there is none."""
    people = bench.people
    _, first = np.unique(
        np.stack([people.unit, people.worker]), axis=1, return_index=True
    )  # a person who judged both directions of a pair counts once
    for expertise, epsilon in EPSILON.items():
        test = alternative_annotator(
            judge=_labels(judge),
            item=people.unit[first],
            worker=people.worker[first],
            value=people.value[first],
            topic=people.topic,
            epsilon=epsilon,
        )
        if test.why:
            yield "undefined", {"table": "replacement", "reason": test.why}
            return
        yield "replacement", {
            "beside": expertise, "epsilon": epsilon, "omega": test.omega, "won": len(test.won),
            "annotators": len(test.annotators), "rho": test.rho,
            "opponent": float(test.opponent.mean()), "p": test.p_passes,
        }  # fmt: skip


def _labels(judge: Judge) -> Ints:
    """Return the judge's label of each unit (U,), -1 without one or with several."""
    shares = judge.shares
    return np.where(shares.max(axis=1) == 1, shares.argmax(axis=1), -1)
