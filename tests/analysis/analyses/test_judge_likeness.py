"""Rows of people who vote like an LLM judge."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from analysis.analyses.judge_likeness import LIKENESS, corrected, likeness
from benchmarks.coverage.copied_worlds import CopiedWorld, draw_copied, with_judge

WORLD = CopiedWorld()
OUTCOMES = {"a": 1, "n": 0, "b": -1}


def bench_and_judge(*, share):
    """Stand-ins for a bench and a judge with the votes of a simulated study, and the copies."""
    rng = np.random.default_rng(8)
    study, gap = draw_copied(WORLD, rng)
    study, members = with_judge(study, gap, rng, share=share)
    labels = study.frame().rename(columns={"item": "unit"})
    labels = labels.assign(
        worker=labels["worker"].map(lambda worker: f"w{worker}"),
        topic=study.a // WORLD.systems,
        first=[f"r{text}" for text in study.a],
        second=[f"r{text}" for text in study.b],
        left=np.where(study.left > 0, "a", "b"),
    )
    texts = sorted({*labels["first"], *labels["second"]})
    systems = pd.DataFrame(
        {"system": [f"s{int(text[1:]) % WORLD.systems}" for text in texts]}, index=texts
    )
    is_judge = labels["worker"] == f"w{WORLD.workers}"
    bench = SimpleNamespace(
        is_pair=True, votes=labels[~is_judge], texts=systems,
        measure=SimpleNamespace(outcomes=OUTCOMES),
    )  # fmt: skip
    judge = SimpleNamespace(name="model", labels=labels[is_judge].assign(worker="model"))
    return bench, judge, {f"w{member}" for member in members}


def test_the_person_who_copies_the_judge_comes_first():
    bench, judge, members = bench_and_judge(share=1 / WORLD.workers)
    tables, rows = zip(*likeness(bench, judge), strict=True)
    assert set(tables) == {"likeness"}
    assert {"judge", *rows[0]} == set(LIKENESS)
    assert {rows[0]["worker"]} == members
    assert rows[0]["q"] < 0.05 < rows[1]["q"]
    assert "model" not in {row["worker"] for row in rows}


def test_labels_of_single_texts_are_not_compared():
    bench, judge, _ = bench_and_judge(share=0)
    bench.is_pair = False
    assert list(likeness(bench, judge)) == []


def test_q_counts_all_judges():
    rows = [{"judge": "x", "q": 0.01}, {"judge": "y", "q": 0.6}]
    assert [row["q"] for row in corrected(rows)] == pytest.approx([0.02, 1])
