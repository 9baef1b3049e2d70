"""Habits, worth in votes, and prediction-powered estimates: by hand and by simulation."""

import numpy as np
import pandas as pd
import pytest

from analysis.stats.judges.habits import difference, share
from analysis.stats.judges.powered import NothingMore, prediction_powered, tuning
from analysis.stats.judges.worth import votes_worth
from analysis.stats.resampling import Bootstrap


def test_a_share_is_over_clusters_and_a_difference_too():
    cluster = np.arange(20) // 2
    hits, draws = np.tile([1.0, 0.0], 10), np.ones(20)
    found = share(hits, draws, cluster, name="it")
    assert found.value == 0.5
    assert found.low < 0.5 < found.high
    assert found.clusters == 10
    apart = difference((draws, hits), (draws, draws), cluster, name="it")
    assert apart.value == 0.5
    few = share(hits[:4], draws[:4], cluster[:4], name="it")
    assert np.isnan(few.low)
    assert "takes 10" in few.why


def test_a_judge_like_one_person_is_worth_one_vote():
    rng = np.random.default_rng(1)
    truth = rng.normal(0, 1, 4000)
    votes = truth[:, None] + rng.normal(0, 1.5, (4000, 6))
    for label, worth in ((votes[:, 0], 1), (votes[:, :3].mean(axis=1), 3)):
        others = votes[:, 3:]
        found = votes_worth(
            judge=label, totals=others.sum(axis=1), squares=(others**2).sum(axis=1),
            counts=np.full(4000, 3.0), cluster=np.arange(4000), symmetric=False,
            bootstrap=Bootstrap(draws=50),
        )  # fmt: skip
        assert found.votes == pytest.approx(worth, rel=0.15)
        assert found.low < worth < found.high
        assert found.reliability == pytest.approx(1 / (1 + 1.5**2), abs=0.03)


def frames(people, judge, more):
    both = pd.DataFrame({"people": people, "judge": judge}).assign(group="s")
    rest = pd.DataFrame({"judge": more}).assign(group="s")
    return both.assign(topic=range(len(both))), rest.assign(topic=range(len(rest)))


def test_the_estimate_is_that_of_the_formula():
    # Angelopoulos, Duchi and Zrnic (2023), PPI++: lambda = cov(Y, F) / (var F + n / N var F').
    rng = np.random.default_rng(2)
    F, more = rng.normal(0, 1, 12), rng.normal(0.3, 1, 40)
    Y = 0.5 * F + rng.normal(1, 0.5, 12)
    used = np.cov(Y, F)[0, 1] / (F.var(ddof=1) + 12 / 40 * more.var(ddof=1))
    assert tuning(Y, F, more) == pytest.approx(used)
    row = prediction_powered(*frames(Y, F, more)).frame.iloc[0]
    assert row["value"] == pytest.approx(Y.mean() + used * (more.mean() - F.mean()))
    error = np.var(Y - used * F, ddof=1) / 12 * 11 / 10 + used**2 * more.var(ddof=1) / 40
    assert row["gain"] == pytest.approx(Y.var(ddof=1) / 12 / error)
    assert row["people"] == pytest.approx(Y.mean())


def test_a_judge_that_says_the_opposite_is_not_used():
    Y = np.linspace(0, 1, 12)
    row = prediction_powered(*frames(Y, -Y, np.linspace(-1, 0, 30))).frame.iloc[0]
    assert row["tuning"] == 0
    assert row["value"] == pytest.approx(row["people"])
    assert row["gain"] == pytest.approx(1)


def test_too_few_of_either_give_a_sentence():
    with pytest.raises(NothingMore, match="there are 5 and 30"):
        prediction_powered(*frames(np.arange(5.0), np.arange(5.0), np.arange(30.0)))
