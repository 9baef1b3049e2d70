"""Looks at growing studies: the fast points of a system are those of the win matrix."""

import numpy as np
import pandas as pd
import pytest

from analysis.stats.sequential import look_confidence
from analysis.stats.tournaments.head_to_head import points
from benchmarks.coverage.peeking import first_look, p_of_points, played
from benchmarks.growing_studies import Growth, grown, until

WORLD = Growth(topics=30, workers=40, waves=True, other=True)


@pytest.mark.parametrize("sequential", [True, False])
def test_p_of_points_is_below_alpha_where_the_interval_leaves_out_a_half(sequential):
    rng = np.random.default_rng(3)
    confidence = look_confidence(0.95) if sequential else 0.95
    left_out = 0
    for shift in np.linspace(0, 0.4, 9):
        topic, worker, score = played(until(grown(WORLD, rng), 30))
        score = np.clip(score + shift, 0, 1).round(1).clip(0, 1)
        score = np.where(score > 0.5, 1.0, np.where(score < 0.5, 0.0, 0.5))
        games = pd.DataFrame({"topic": topic, "worker": worker, "score": score})
        row = points(games.assign(first="b", second="a"), sequential=sequential).iloc[1]
        misses = row["low"] > 0.5 or row["high"] < 0.5
        assert misses == (p_of_points(topic, worker, score) < 1 - confidence)
        left_out += misses
    assert 0 < left_out < 9


def test_votes_of_later_workers_are_not_in_an_earlier_look():
    study = grown(WORLD, np.random.default_rng(1))
    early = until(study, 12)
    assert set(early.worker) == set(range(12))
    assert len(np.unique(early.topic[early.item])) < len(np.unique(study.topic[study.item]))
    topic, worker, _ = played(until(study, first_look(study)))
    assert min(len(np.unique(topic)), len(np.unique(worker))) >= 10
