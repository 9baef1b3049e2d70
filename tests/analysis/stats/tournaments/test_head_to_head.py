"""Points over topics and workers: what they are, and how often their intervals cover."""

import numpy as np
import pandas as pd
import pytest

from analysis.stats.design_checks import About
from analysis.stats.tournaments.head_to_head import COLUMNS, points
from tests.analysis.coded_errors import cannot_compute
from tests.hooks import numbers


def games(*rows):
    return pd.DataFrame(rows, columns=["topic", "worker", "first", "second", "score"])


def simulated(rng, topics, workers, topic_sd=0.8, worker_sd=0.6):
    """Each worker judges a third of the topics; both lean to one of the two systems."""
    of_topic, of_worker = rng.normal(0.3, topic_sd, topics), rng.normal(0, worker_sd, workers)
    t, w = np.nonzero(rng.random((topics, workers)) < 1 / 3)
    chance = 1 / (1 + np.exp(-(of_topic[t] + of_worker[w])))
    score = (rng.random(len(t)) < chance).astype(float)
    frame = pd.DataFrame({"topic": t.astype(str), "worker": w.astype(str), "score": score})
    return frame.assign(first="A", second="B")


def test_points_wins_and_ties_in_both_directions():
    frame = points(
        games(
            ("t", "w", "A", "B", 1),
            ("t", "v", "B", "A", 0),
            ("u", "w", "A", "B", 0.5),
            ("u", "w", "A", "C", 0),
        )
    ).set_index(["first", "second"])
    assert list(frame.reset_index().columns) == list(COLUMNS)
    assert frame.loc["A", "B"][["points", "won", "tied", "lost"]].tolist() == [2.5 / 3, 2, 1, 0]
    assert frame.loc["B", "A"][["points", "won", "tied", "lost"]].tolist() == [0.5 / 3, 0, 1, 2]
    assert frame.loc["C", "A"]["points"] == 1
    assert np.isnan(frame.loc["A", "B"]["low"])
    assert numbers(frame.loc["A", "B"]["why"]) == [10, 2]
    assert frame.loc["A", "B"]["about"] == About.THESE


@pytest.mark.parametrize(("topics", "workers"), [(10, 15), (30, 30)])
def test_the_interval_covers(topics, workers):
    """Nominal 95 %; the truth is the share over many topics and workers."""
    rng = np.random.default_rng(20)
    truth = simulated(rng, 1500, 1500)["score"].mean()
    hits = []
    for _ in range(300):
        row = points(simulated(rng, topics, workers)).iloc[0]
        hits.append(row["low"] <= truth <= row["high"])
    assert 0.91 <= np.mean(hits) <= 0.99  # 300 studies: two standard errors around .93-.97


def test_games_that_ended_alike_have_no_interval():
    rows = [(f"t{n}", f"w{n}", "A", "B", 1) for n in range(12)]
    (first, _) = points(games(*rows)).to_dict("records")
    assert np.isnan(first["low"])
    assert first["why"]
    assert numbers(first["why"]) == []


def test_bad_games_are_refused():
    with cannot_compute("no_games"):
        points(games())
    with cannot_compute("own_opponent"):
        points(games(("t", "w", "A", "A", 1)))
