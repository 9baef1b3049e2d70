"""Whether a judge and people rank alike: tau-b with an interval, or without one, and why."""

import numpy as np
import pandas as pd
import pytest
import scipy

from analysis.stats.crossed_errors import error_of_leaps
from analysis.stats.design_checks import About
from analysis.stats.judges.agreement import ALIKE
from analysis.stats.judges.system_ranking import (
    NO_INTERVAL,
    on_fishers_scale,
    systems_alike,
    texts_alike,
)
from tests.analysis.coded_errors import cannot_compute
from tests.hooks import numbers


def worth(rng, topics, texts, workers, noise):
    """Return each worker's rating of each text, in the columns of system rankings."""
    rows = [
        (worker, f"{topic}-{text}", f"{topic}-{text}", f"x{text}", topic,
         text + rng.normal(0, noise))
        for topic in range(topics) for text in range(texts) for worker in workers
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=["worker", "unit", "at", "text", "topic", "score"])


def test_the_texts_of_a_topic_are_ranked_by_tau_b_as_scipy_has_it():
    rng = np.random.default_rng(1)
    judge = worth(rng, 12, 5, ["judge"], 2).round()  # with ties
    votes = worth(rng, 12, 5, [f"w{n}" for n in range(12)], 3)
    result = texts_alike(judge, votes, confidence=0.95)
    taus = [
        scipy.stats.kendalltau(
            judge[judge["topic"] == topic].groupby("text")["score"].mean(),
            votes[votes["topic"] == topic].groupby("text")["score"].mean(),
        ).statistic
        for topic in range(12)
    ]
    assert result.tau == pytest.approx(np.mean(taus))
    assert (result.topics, result.ranked, result.why) == (12, 60, "")
    half = scipy.stats.t.ppf(0.975, 11) * np.std(taus, ddof=1) / 12**0.5
    z = np.arctanh([result.low, result.tau, result.high])
    assert z[2] - z[1] == pytest.approx(z[1] - z[0])
    assert z[2] - z[1] >= half / (1 - result.tau**2) - 1e-9  # people may add to it


def test_the_interval_is_that_of_leaving_out_one_after_the_other():
    """Oracle: tau computed again without each topic, person, and person in a topic."""
    rng = np.random.default_rng(6)
    workers = [f"w{n}" for n in range(10)]
    judge, votes = worth(rng, 10, 4, ["j"], 2), worth(rng, 10, 4, workers, 2).round()
    whole = texts_alike(judge, votes, confidence=0.95)

    def without(**chosen):
        gone = np.all([votes[name] == each for name, each in chosen.items()], axis=0)
        return whole.tau - texts_alike(judge, votes[~gone], confidence=0.95).tau

    topics = [without(topic=topic) for topic in range(10)]
    people = [without(worker=worker) for worker in workers]
    cells = [without(topic=topic, worker=worker) for topic in range(10) for worker in workers]
    error, degrees = error_of_leaps(*map(np.array, (topics, people, cells)))
    half = scipy.stats.t.ppf(0.975, degrees) * error / (1 - whole.tau**2)
    ends = np.tanh(np.arctanh(whole.tau) + np.array([-half, half]))
    assert [whole.low, whole.high] == pytest.approx(list(ends))


@pytest.mark.parametrize("sign", [1, -1])
def test_a_judge_that_copies_what_people_said_or_says_the_opposite_has_an_interval(sign):
    """Tau is at an end of the scale, and moves all the same without some of the people."""
    offered = []
    for seed in range(8):
        rng = np.random.default_rng(seed)
        votes = worth(rng, 12, 3, [f"w{n}" for n in range(12)], 1.2)
        votes = votes[rng.random(len(votes)) < 0.8]
        judge = votes.groupby(["topic", "text", "unit"], as_index=False)["score"].mean()
        judge["score"] *= sign
        result = texts_alike(judge, votes, confidence=0.95)
        assert result.tau == pytest.approx(sign)
        if not result.why:
            inner, outer = (result.low, result.high) if sign > 0 else (result.high, result.low)
            assert outer == pytest.approx(sign)
            assert 0 < sign * inner < 1
            offered.append(result)
    assert offered


@pytest.mark.parametrize("sign", [1, -1])
def test_the_interval_moves_little_where_tau_does(sign):
    """From Fisher's scale to the end of it, where an interval on it is all of -1 to 1."""
    taus = np.append(np.linspace(0.5, 1, 501), 1 - 10.0 ** -np.arange(3, 16))
    taus = sign * np.sort(taus)
    for error in (1e-6, 0.01, 0.06, 0.2, 0.6):
        found = np.array([on_fishers_scale(tau, error, 12.0, 0.95) for tau in taus])
        assert np.abs(np.diff(found, axis=0)).max() < 0.02
        assert (found[:, 0] <= taus + 1e-12).all()
        assert (taus <= found[:, 1] + 1e-12).all()
    ends = on_fishers_scale(sign * 1.0, 0.05, 12.0, 0.95)
    k = (1 - 2 * 0.05) ** 0.5  # the error of artanh(k tau) is then k / 2
    inner = np.tanh(np.arctanh(k) - scipy.stats.t.ppf(0.975, 12) * k / 2) / k
    assert sorted(sign * np.array(ends)) == pytest.approx([inner, 1])


def test_people_who_lean_widen_the_interval():
    rng = np.random.default_rng(2)
    workers = [f"w{n}" for n in range(12)]
    judge, votes = worth(rng, 30, 5, ["judge"], 2), worth(rng, 30, 5, workers, 1)
    lean = {(worker, text): rng.normal(0, 6) for worker in workers for text in votes["text"]}
    leaning = [lean[each] for each in zip(votes["worker"], votes["text"], strict=True)]
    plain = texts_alike(judge, votes, confidence=0.95)
    wide = texts_alike(judge, votes.assign(score=votes["score"] + leaning), confidence=0.95)
    assert wide.high - wide.low > plain.high - plain.low


def test_few_topics_have_no_interval_and_a_sentence():
    rng = np.random.default_rng(3)
    votes = worth(rng, 9, 4, [f"w{each}" for each in range(10)], 1)
    found = texts_alike(worth(rng, 9, 4, ["j"], 1), votes, confidence=0.95)
    assert np.isnan(found.low)
    assert 10 in numbers(found.why)


def test_few_people_are_taken_as_given_and_the_interval_is_over_topics():
    rng = np.random.default_rng(3)
    judge = worth(rng, 14, 4, ["j"], 2)
    votes = worth(rng, 14, 4, [f"w{each}" for each in range(9)], 2)
    found = texts_alike(judge, votes, confidence=0.95)
    assert (found.about, found.why) == (About.THESE, "")
    taus = [
        texts_alike(judge[judge["topic"] == t], votes[votes["topic"] == t], confidence=0.95).tau
        for t in judge["topic"].unique()
    ]
    error = np.std(taus, ddof=1) / 14**0.5
    assert (found.low, found.high) == pytest.approx(
        on_fishers_scale(np.mean(taus), error, 13, 0.95)
    )
    more = pd.concat([votes, votes.assign(worker=votes["worker"] + "-")])
    assert texts_alike(judge, more, confidence=0.95).about == About.LIKE_THESE


def test_topics_that_are_all_ranked_alike_have_no_interval_of_no_width():
    rng = np.random.default_rng(5)
    votes = worth(rng, 12, 4, [f"w{n}" for n in range(12)], 0)
    result = texts_alike(worth(rng, 12, 4, ["j"], 0), votes, confidence=0.95)
    assert (result.tau, result.why) == (1, ALIKE.format("tau"))
    assert np.isnan([result.low, result.high]).all()


def test_a_text_that_one_person_alone_has_judged_is_not_known_without_them():
    rng = np.random.default_rng(4)
    workers = [f"w{n}" for n in range(10)]
    judge, votes = worth(rng, 10, 4, ["j"], 1), worth(rng, 10, 4, workers, 1)
    votes = votes[(votes["text"] != "x3") | (votes["worker"] == "w0")]
    result = texts_alike(judge, votes, confidence=0.95)
    assert result.low <= result.tau <= result.high


def test_systems_have_a_tau_without_an_interval():
    beside = pd.DataFrame(
        {"topic": [0, 0, 0, 1, 1, 1], "group": list("abcabc"),
         "judge": [1, 2, 3, 1, 2, 3], "people": [1, 3, 2, 1, 3, 2]}
    )  # fmt: skip
    result = systems_alike(beside)
    assert result.tau == pytest.approx(1 / 3)
    assert (result.topics, result.ranked, result.why) == (2, 3, NO_INTERVAL)
    assert np.isnan(result.low)
    with cannot_compute("too_few_systems"):
        systems_alike(beside[beside["group"] != "c"])
