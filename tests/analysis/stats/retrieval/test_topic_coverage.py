"""Scores kept by topic: their means are those of the boards that read all topics at once."""

import numpy as np
import pandas as pd
import pytest

from analysis.stats.retrieval.coverage import qrels_of
from analysis.stats.retrieval.leaderboards import (
    coverage_board,
    relevance_board,
    with_intervals_that_cover,
)
from analysis.stats.retrieval.topic_coverage import FROM, coverage_of, topic_coverage

LEVELS, LEVEL, K = (3, 4, 5), 4, 4
COLUMNS = ["value", "low", "high", "n", "missing", "judged"]


def drawn(seed):
    """Return runs and grades of topics, some of them without ranking, grade or covered entry."""
    rng = np.random.default_rng(seed)
    bank = {f"t{t:02}": frozenset(f"t{t:02}/{e}" for e in range(3)) for t in range(14)}
    runs = {
        system: {
            topic: [f"p{p}" for p in rng.permutation(8)[: rng.integers(1, 8)]]
            for topic in bank
            if rng.random() < 0.8
        }
        for system in "xyz"
    }
    rows = [
        (topic, f"p{p}", entry, int(rng.integers(0, 6 if t % 5 else 3)))
        for t, (topic, entries) in enumerate(bank.items())
        for p in range(6)
        for entry in sorted(entries)
        if t != 3 and rng.random() < 0.8
    ]
    return bank, runs, pd.DataFrame(rows, columns=["topic", "passage", "entry", "grade"])


def at_once(bank, runs, grades):
    """Return the boards of all topics, with the levels in the names as on the page."""
    how = {"cutoffs": [K]}
    best = relevance_board(runs, qrels_of(grades, "maximum"), levels=LEVELS, **how)
    names = [
        measure if pd.isna(level) else f"{measure}{FROM}{level:.0f}"
        for measure, level in zip(best["measure"], best["level"], strict=True)
    ]
    covered = coverage_board(runs, grades, bank, levels=[LEVEL], **how)
    return pd.concat([covered, best.assign(measure=names)])


@pytest.mark.parametrize("seed", range(4))
def test_means_of_topics_equal_the_boards_of_all_topics(seed):
    bank, runs, grades = drawn(seed)
    parts = [
        topic_coverage(
            topic,
            {system: run[topic] for system, run in runs.items() if topic in run},
            grades[grades["topic"] == topic],
            len(entries),
            levels=LEVELS,
            level=LEVEL,
            k=K,
        )
        for topic, entries in bank.items()
    ]
    ours = with_intervals_that_cover(coverage_of(parts, sorted(runs), k=K))
    expected = at_once(bank, runs, grades)
    assert set(ours["measure"]) == set(expected["measure"])
    ours, expected = (
        frame.set_index(["system", "measure"])[COLUMNS].sort_index().astype(float)
        for frame in (ours, expected)
    )
    pd.testing.assert_frame_equal(ours, expected)
