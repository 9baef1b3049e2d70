"""Habits, worth in votes, and prediction-powered estimates: by hand and by simulation."""

import numpy as np
import pandas as pd
import pytest
import scipy

from analysis.stats.judges.biases import difference, share
from analysis.stats.judges.prediction_powered import prediction_powered, tuning
from analysis.stats.judges.vote_worth import UNBOUNDED, votes_worth
from tests.analysis.coded_errors import cannot_compute
from tests.hooks import numbers


def test_a_share_is_over_clusters_and_a_difference_too():
    cluster = np.arange(20) // 2
    hits, draws = np.tile([1.0, 0.0], 10), np.ones(20)
    result = share(hits, draws, cluster, name="it")
    assert result.value == 0.5
    assert result.low < 0.5 < result.high
    assert result.clusters == 10
    apart = difference((draws, hits), (draws, draws), cluster, name="it")
    assert apart.value == 0.5
    few = share(hits[:4], draws[:4], cluster[:4], name="it")
    assert np.isnan(few.low)
    assert 10 in numbers(few.why)


def test_a_judge_like_one_person_is_worth_one_vote():
    rng = np.random.default_rng(1)
    truth = rng.normal(0, 1, 4000)
    votes = truth[:, None] + rng.normal(0, 1.5, (4000, 6))
    for label, worth in ((votes[:, 0], 1), (votes[:, :3].mean(axis=1), 3)):
        unit, worker = np.divmod(np.arange(12_000), 3)
        result = votes_worth(
            judge=label, unit=unit, worker=worker, number=votes[:, 3:].ravel(),
            cluster=np.arange(4000), symmetric=False,
        )  # fmt: skip
        assert result.votes == pytest.approx(worth, rel=0.15)
        assert result.low < worth < result.high
        assert result.reliability == pytest.approx(1 / (1 + 1.5**2), abs=0.03)


def of_pairs(knows, *, topics=12, people=12, without=None):
    """Pairs of six a topic, each judged by five of them; a topic may be left out."""
    rng = np.random.default_rng(3)
    truth = rng.normal(0, 1, 6 * topics)
    unit = np.repeat(np.arange(6 * topics), 5)
    worker = (unit // 6 * 5 + np.tile(np.arange(5), 6 * topics)) % people
    number = np.sign(truth[unit] + rng.normal(0, 1.5, len(unit)))
    judge, cluster = np.sign(knows * truth + rng.normal(0, 1.5, len(truth))), unit[::5] // 6
    kept = cluster != without
    place, there = np.cumsum(kept) - 1, kept[unit]
    return votes_worth(
        judge=judge[kept], unit=place[unit[there]], worker=worker[there], number=number[there],
        cluster=cluster[kept], symmetric=True,
    )  # fmt: skip


def test_what_a_label_is_worth_is_over_topics_and_people():
    result = of_pairs(1)
    assert 0 < result.low < result.votes < result.high
    given = of_pairs(1, people=5)  # so few are taken as given
    assert result.high - result.low >= given.high - given.low
    against = of_pairs(-1)
    assert (against.votes, against.low) == (0, 0)
    assert against.r2 == 0
    few = of_pairs(1, topics=8)
    assert np.isnan(few.low)
    assert 10 in numbers(few.why)


def test_a_judge_as_good_as_all_people_together_has_an_interval_without_an_upper_end():
    rng = np.random.default_rng(5)
    truth = np.repeat([1.0, -1.0], 30)
    unit, worker = np.divmod(np.arange(60 * 12), 12)
    number = np.where(rng.random(len(unit)) < 0.7, truth[unit], -truth[unit])
    result = votes_worth(
        judge=truth, unit=unit, worker=worker, number=number, cluster=np.arange(60) // 5,
        symmetric=True,
    )  # fmt: skip
    assert result.votes > 20
    assert result.low > 1
    assert np.isinf(result.high)
    assert result.why == UNBOUNDED


def test_the_interval_is_that_of_leaving_out_each_topic():
    """Oracle: u from reliability and R^2 without each topic; five people are taken as given."""
    whole = of_pairs(1, people=5)
    rho, unit = whole.reliability, (1 - whole.reliability) / whole.reliability
    u = []
    for topic in range(12):
        left = of_pairs(1, people=5, without=topic)
        k = left.r2 * (1 - left.reliability) / left.reliability / (1 - left.r2)
        assert left.votes == pytest.approx(k)
        u.append((k / (k + unit)) ** 0.5)
    changes = whole.r2**0.5 - np.array(u)
    error = (11 / 12 * ((changes - changes.mean()) ** 2).sum()) ** 0.5
    half = scipy.stats.t.ppf(0.975, 11) * error
    ends = [whole.r2**0.5 - half, whole.r2**0.5 + half]
    votes = [r**2 / (1 - r**2) * (1 - rho) / rho for r in ends]
    assert [whole.low, whole.high] == pytest.approx(votes)


def test_a_judge_that_copies_what_people_said_may_be_worth_any_number():
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
    offered = [each for each in found if not np.isnan(each.low)]
    assert len(offered) >= 20
    assert sum(np.isinf(each.high) for each in offered) >= len(offered) - 1


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


def items_of_topics(rng, *, topics=12, items=6):
    """Of each topic's items people judged the first half: both, more, and changes of 12 workers."""
    topic = np.repeat(np.arange(topics), items)
    F = rng.normal(0, 1, topics)[topic] + rng.normal(0, 1, len(topic))
    frame = pd.DataFrame({"topic": range(len(topic)), "cluster": topic, "group": "s", "judge": F})
    frame["people"] = 0.6 * F + rng.normal(1, 0.5, len(topic))
    half = frame["topic"] % items < items // 2
    both, more = frame[half], frame[~half].drop(columns="people")
    changes = both[["topic", "group"]].assign(worker=np.arange(len(both)) % 12)
    return both, more, changes.assign(change=rng.normal(0, 0.1, len(both)))


def test_items_of_a_topic_are_drawn_together():
    """Oracle: the estimate again without each topic, at the same tuning."""
    both, more, _ = items_of_topics(np.random.default_rng(9))
    row = prediction_powered(both, more).frame.iloc[0]

    def value(gone=None):
        mine, rest = both[both["cluster"] != gone], more[more["cluster"] != gone]
        return mine["people"].mean() - row["tuning"] * (mine["judge"].mean() - rest["judge"].mean())

    assert row["value"] == pytest.approx(value())
    left = np.array([value(topic) for topic in range(12)])
    error = 11 / 12 * ((left - left.mean()) ** 2).sum() * 11 / 10
    assert row["high"] - row["value"] == pytest.approx(scipy.stats.t.ppf(0.975, 10) * error**0.5)
    assert (row["units"], row["more"], row["over"]) == (36, 36, "topics")
    assert row["gain"] > 1


def test_people_who_judged_the_items_are_a_draw_too():
    both, more, changes = items_of_topics(np.random.default_rng(9))
    given = prediction_powered(both, more).frame.iloc[0]
    row = prediction_powered(both, more, changes).frame.iloc[0]
    assert row["over"] == "topics and workers"
    assert row["value"] == pytest.approx(given["value"])
    few = prediction_powered(both, more, changes[changes["worker"] < 9]).frame.iloc[0]
    assert few["over"] == "topics"
    assert few["high"] == pytest.approx(given["high"])


@pytest.mark.parametrize("clustered", [True, False])
def test_what_people_said_of_an_item_without_a_score_of_the_judge_does_not_count(clustered):
    """Nor do people count who said nothing else: they would be in the last item's topic."""
    both, more, changes = items_of_topics(np.random.default_rng(9))
    if not clustered:
        both, more = (each.drop(columns="cluster") for each in (both, more))
    frame = prediction_powered(both, more, changes).frame
    alone = pd.DataFrame({"worker": [3, 99, 99], "topic": [900, 900, 901], "change": 0.4})
    more_of_people = pd.concat([changes, alone.assign(group="s")], ignore_index=True)
    assert prediction_powered(both, more, more_of_people).frame.equals(frame)


def test_items_of_few_topics_give_a_sentence():
    both, more, _ = items_of_topics(np.random.default_rng(9), topics=9)
    with cannot_compute("too_few_topics", match="9.*0.*9"):
        prediction_powered(both, more)


def test_too_few_of_either_give_a_sentence():
    with cannot_compute("too_few_topics", match="5.*30"):
        prediction_powered(*frames(np.arange(5.0), np.arange(5.0), np.arange(30.0)))
