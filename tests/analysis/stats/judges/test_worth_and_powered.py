"""Habits, worth in votes, and prediction-powered estimates: by hand and by simulation."""

import numpy as np
import pandas as pd
import pytest

from analysis.stats.judges.habits import difference, share
from analysis.stats.judges.powered import NothingMore, prediction_powered, tuning
from analysis.stats.judges.worth import UNBOUNDED, votes_worth


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
        unit, worker = np.divmod(np.arange(12_000), 3)
        found = votes_worth(
            judge=label, unit=unit, worker=worker, number=votes[:, 3:].ravel(),
            cluster=np.arange(4000), symmetric=False,
        )  # fmt: skip
        assert found.votes == pytest.approx(worth, rel=0.15)
        assert found.low < worth < found.high
        assert found.reliability == pytest.approx(1 / (1 + 1.5**2), abs=0.03)


def of_pairs(knows, *, topics=12, people=12):
    """Pairs of six a topic, each judged by five of them."""
    rng = np.random.default_rng(3)
    truth = rng.normal(0, 1, 6 * topics)
    unit = np.repeat(np.arange(6 * topics), 5)
    worker = (unit // 6 * 5 + np.tile(np.arange(5), 6 * topics)) % people
    number = np.sign(truth[unit] + rng.normal(0, 1.5, len(unit)))
    return votes_worth(
        judge=np.sign(knows * truth + rng.normal(0, 1.5, len(truth))), unit=unit, worker=worker,
        number=number, cluster=np.arange(6 * topics) // 6, symmetric=True,
    )  # fmt: skip


def test_what_a_label_is_worth_is_over_topics_and_people():
    found = of_pairs(1)
    assert 0 < found.low < found.votes < found.high
    given = of_pairs(1, people=5)  # so few are taken as given
    assert found.high - found.low >= given.high - given.low
    against = of_pairs(-1)
    assert (against.votes, against.low) == (0, 0)
    assert against.r2 == 0
    few = of_pairs(1, topics=8)
    assert np.isnan(few.low)
    assert "takes 10" in few.why


def test_a_judge_as_good_as_all_people_together_has_no_interval():
    rng = np.random.default_rng(5)
    truth = np.repeat([1.0, -1.0], 30)
    unit, worker = np.divmod(np.arange(60 * 12), 12)
    number = np.where(rng.random(len(unit)) < 0.7, truth[unit], -truth[unit])
    found = votes_worth(
        judge=truth, unit=unit, worker=worker, number=number, cluster=np.arange(60) // 5,
        symmetric=True,
    )  # fmt: skip
    assert found.votes > 20
    assert np.isnan(found.low)
    assert np.isinf(found.votes) or found.why == UNBOUNDED


def test_a_judge_that_copies_what_people_said_is_given_no_number_that_it_is_worth():
    """It says what people say on average as well as any number of them."""
    rng = np.random.default_rng(6)
    unit, worker = np.divmod(np.arange(120 * 5), 5)
    found = []
    for _ in range(30):
        truth = rng.normal(0, 1, 120)
        number = np.sign(truth[unit] + rng.normal(0, 1.5, len(unit)))
        copied = np.sign(np.bincount(unit, weights=number))
        slipped = np.where(rng.random(120) < 0.1, -copied, copied)
        found.append(
            votes_worth(
                judge=slipped, unit=unit, worker=(unit // 6 * 5 + worker) % 20, number=number,
                cluster=np.arange(120) // 6, symmetric=True,
            )
        )  # fmt: skip
    finite = [each for each in found if np.isfinite(each.votes)]
    assert len(finite) >= 5
    assert sum(each.why == UNBOUNDED for each in finite) >= len(finite) - 2


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


@pytest.mark.parametrize("what", ["topics", "items"])
def test_an_estimate_says_what_its_interval_is_over(what):
    rng = np.random.default_rng(9)
    both, rest = frames(rng.normal(0, 1, 15), rng.normal(0, 1, 15), rng.normal(0, 1, 20))
    assert list(prediction_powered(both, rest, what=what).frame["over"]) == [what]


def test_too_few_of_either_give_a_sentence():
    with pytest.raises(NothingMore, match="there are 5 and 30"):
        prediction_powered(*frames(np.arange(5.0), np.arange(5.0), np.arange(30.0)))
