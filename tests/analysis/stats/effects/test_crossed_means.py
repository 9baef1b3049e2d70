"""Means of groups over topics and workers: known errors, shared topics, simulated coverage."""

import numpy as np
import pandas as pd
import pytest
import scipy

from analysis.stats.bradley_terry.comparisons import Comparisons
from analysis.stats.bradley_terry.merit_errors import merit_errors
from analysis.stats.bradley_terry.merits import fit_merits, grade
from analysis.stats.design_checks import NO_SHARED_TOPIC, About
from analysis.stats.effects.crossed_means import NOTHING_VARIES, crossed_means
from analysis.stats.effects.group_means import group_means
from analysis.stats.effects.worker_changes import from_merits
from analysis.stats.effects.worker_changes import from_scores as of_units
from analysis.stats.errors import BadSetting
from benchmarks.coverage.votes import covers, true_values
from benchmarks.simulated_studies import World, draw
from tests.hooks import numbers


def scores(*, topics=40, workers=40, lean=0.0, noise=1.0, effect=0.5, seed=1):
    """Every worker scores one response of both groups in every topic."""
    rng = np.random.default_rng(seed)
    shape = (workers, topics, 2)
    worker, topic, group = (axis.ravel() for axis in np.indices(shape))
    score = effect * group + rng.normal(0, 1, topics)[topic] + rng.normal(0, noise, len(topic))
    score += (rng.normal(0, 1, workers) * lean)[worker] * group
    names = np.array(["a", "b"], dtype=object)[group]
    return pd.DataFrame({"worker": worker, "topic": topic, "group": names, "score": score})


def from_scores(votes):
    """Of a response for each group in each topic."""
    unit = votes["group"] + votes["topic"].astype(str)
    votes = votes.assign(unit=unit, response=unit)
    return of_units(votes, votes[["unit", "response", "topic", "group"]].drop_duplicates())


def difference(votes, **settings):
    return crossed_means(*from_scores(votes), **settings).differences.iloc[0]


def test_the_error_of_a_difference_is_that_of_two_crossed_samples():
    # noise of sd 1 in 1,600 cells on either side, lean of sd 2 in 40 workers: sqrt(4/40 + 2/1600)
    result = difference(scores(lean=2.0))
    assert result.error == pytest.approx(np.sqrt(4 / 40 + 2 / 1600), rel=0.25)
    assert (result.topics, result.workers) == (40, 40)
    calm = difference(scores())
    assert calm.error == pytest.approx(np.sqrt(2 / 1600), rel=0.3)
    assert calm.difference == pytest.approx(0.5, abs=0.15)
    assert calm.p < 1e-6


def test_where_workers_lean_it_covers_what_topics_alone_do_not():
    # issue 10: system means over topics cover .91-.92 in the corpus; less where workers are fewer
    world, rng = World(topics=30, workers=10), np.random.default_rng(2)
    truth = true_values(world, rng)
    found = pd.DataFrame([covers(draw(world, rng), truth, former=True) for _ in range(40)]).mean()
    assert found["over topics"] < 0.9
    assert 0.88 <= found["mean of a system, topics and workers"] <= 1
    assert found["sandwich"] < found["effect of position, workers"]


def test_equal_groups_differ_in_one_study_of_twenty():
    p = [
        difference(scores(topics=10, workers=12, effect=0.0, lean=0.7, seed=seed)).p
        for seed in range(60)
    ]
    assert np.mean(np.array(p) < 0.05) <= 0.1


def better_where_they_meet(topics=30):
    """Return scores: B loses to A in shared topics, but wins its others."""
    rows = [
        {"problem": f"shared{t}", "a": f"A{t}", "b": f"B{t}", "outcome": "a"} for t in range(topics)
    ]
    for t in range(topics):
        names = [f"B{topics + t}", *(f"{name}{t}" for name in "CDEFG")]
        for i, first in enumerate(names):
            rows += [
                {"problem": f"long{t}", "a": first, "b": second, "outcome": "a"}
                for second in names[i + 1 :]
            ]
    frame = pd.concat([pd.DataFrame(rows)] * 5, ignore_index=True)
    return frame.assign(worker=np.arange(len(frame)) % 20)


def test_who_wins_wherever_they_meet_is_ahead_whatever_the_length_of_other_topics():
    # issue 10: grades 1..n averaged over topics of different n rank B above A
    frame = better_where_they_meet()
    comparisons = Comparisons.from_frame(frame)
    result = fit_merits(comparisons)
    group = {response: response[0] for response in comparisons.responses}
    grades = pd.DataFrame(
        {
            "topic": np.array(comparisons.problems, dtype=object)[comparisons.entry_problem],
            "group": list(map(group.get, comparisons.responses)),
            "value": grade(result.merits, comparisons.entry_problem),
        }
    )
    ranked = group_means(grades)
    assert list(ranked.groups).index("B") < list(ranked.groups).index("A")
    values, changes = from_merits(result, merit_errors(result, workers=frame.worker), group)
    differences = crossed_means(values, changes).differences
    pair = differences[
        (differences["first"].isin(["A", "B"])) & differences["second"].isin(["A", "B"])
    ].iloc[0]
    ahead = pair.difference if pair["first"] == "A" else -pair.difference
    assert ahead > 0
    assert pair.topics == 30


def test_groups_that_never_meet_are_not_compared():
    votes = scores(topics=24)
    apart = votes[(votes["topic"] < 12) == (votes["group"] == "a")]
    result = difference(apart)
    assert np.isnan(result.difference)
    assert result.why == NO_SHARED_TOPIC
    assert crossed_means(*from_scores(apart)).means["letters"].nunique() == 1


def test_a_group_whose_values_are_all_alike_has_no_interval_of_no_width():
    # issue 10: a group with equal grades gets [3.00, 3.00]
    votes = scores().assign(score=3.0)
    means = crossed_means(*from_scores(votes)).means
    assert means["low"].isna().all()
    assert set(means["why"]) == {NOTHING_VARIES}


def test_for_too_few_topics_it_offers_no_interval_and_says_so():
    result = difference(scores(topics=9, workers=40))
    assert np.isnan([result.low, result.p, result.q]).all()
    assert 9 in numbers(result.why)


@pytest.mark.parametrize(("workers", "about"), [(9, About.THESE), (10, About.LIKE_THESE)])
def test_few_workers_have_an_interval_about_themselves(workers, about):
    votes = scores(topics=40, workers=workers, lean=1.0)
    result = difference(votes)
    assert (result.about, result.workers) == (about, workers)
    values, _ = from_scores(votes)
    over_topics = crossed_means(values, None).differences.iloc[0]
    assert over_topics.about == About.THESE
    is_same = result.error == pytest.approx(over_topics.error)
    assert is_same == (about is About.THESE)


def test_it_refuses_a_bad_setting_and_changes_without_a_value():
    votes = scores(topics=12, workers=12)
    with pytest.raises(BadSetting):
        difference(votes, alpha=2)
    values, changes = from_scores(votes)
    with pytest.raises(BadSetting):
        crossed_means(values[values["topic"] > 0], changes)


def test_where_those_who_judged_are_taken_as_given_it_is_the_t_interval_over_topics():
    rng = np.random.default_rng(5)
    a, b = rng.normal(0, 1, (2, 12))
    rows = [("a", t, value) for t, value in enumerate(a)] + [("b", t, v) for t, v in enumerate(b)]
    values = pd.DataFrame(rows, columns=["group", "topic", "value"])
    result = crossed_means(values, None, confidence=0.9)
    pair = result.differences.iloc[0]
    first, second = (a, b) if pair["first"] == "a" else (b, a)
    test = scipy.stats.ttest_rel(first, second)
    low, high = test.confidence_interval(0.9)
    assert (pair.low, pair.high, pair.p) == pytest.approx((low, high, test.pvalue))
    assert pair.ahead == pytest.approx(1 - test.pvalue / 2)
    assert set(result.means["over"]) == {"topics"}
    alone = scipy.stats.ttest_1samp(a, 0).confidence_interval(0.9)
    mean = result.means.set_index("group").loc["a"]
    assert (mean.low, mean.high) == pytest.approx(tuple(alone))


def test_the_best_comes_first_by_the_topics_that_groups_share():
    # a beats b by 1 wherever they meet; b alone is in twenty topics that are easy for everybody
    rows = [(f"t{t}", g, (g == "a") + t / 7) for t in range(12) for g in "ab"]
    rows += [(f"easy{t}", g, 9.0 + (g == "b") * 0.4 + t / 9) for t in range(20) for g in "bc"]
    values = pd.DataFrame(rows, columns=["topic", "group", "value"])
    means = crossed_means(values, None).means
    assert list(means["group"]) == ["a", "b", "c"]
    assert means["mean"].idxmax() != 0  # by its own topics a is the last


def test_the_units_of_a_response_count_once_and_its_group_by_responses():
    # group g in topic t: response r with the units u and v (means 1 and 3), response s with w (8)
    votes = pd.DataFrame(
        [(1, "u", 0), (2, "u", 2), (1, "v", 3), (1, "w", 9), (2, "w", 7)],
        columns=["worker", "unit", "score"],
    )
    speaks = pd.DataFrame(
        [("u", "r"), ("v", "r"), ("w", "s")], columns=["unit", "response"]
    ).assign(topic="t", group="g")
    values, changes = of_units(votes, speaks)
    assert values["value"].tolist() == [(2 + 8) / 2]
    moved = changes.set_index("worker")["change"]
    # without 2: u is 0, w is 9; without 1: u is 2, w is 7, of v nothing is left but the mean 5
    assert moved[2] == pytest.approx(5 - ((0 + 3) / 2 + 9) / 2)
    assert moved[1] == pytest.approx(5 - ((2 + 5) / 2 + 7) / 2)


def test_one_group_has_a_mean_and_nothing_to_compare():
    votes = scores(topics=12, workers=12)
    result = crossed_means(*from_scores(votes[votes["group"] == "a"]))
    assert result.differences.empty
    assert result.means["low"].notna().all()
    assert list(result.means["letters"]) == [""]


def test_a_group_that_is_the_mean_of_each_topic_has_no_interval():
    """Merits sum to 0 in each topic, up to rounding: 0.00 [0.00, 0.00] would claim certainty."""
    rng = np.random.default_rng(3)
    values = pd.DataFrame(
        {"topic": range(20), "group": "essay, llm", "value": rng.normal(0, 1e-16, 20)}
    )
    changes = pd.DataFrame(
        [
            (w, t, "essay, llm", v)
            for t in range(20)
            for w, v in enumerate(rng.normal(0, 1e-17, 12))
        ],
        columns=["worker", "topic", "group", "change"],
    )
    (row,) = crossed_means(values, changes).means.to_dict("records")
    assert np.isnan([row["low"], row["high"]]).all()
    assert row["why"] == NOTHING_VARIES


def test_groups_that_were_not_compared_share_no_letter_and_are_in_no_family():
    """A and B are in topics 0 to 11, A and C in 12 to 23: B and C share none."""
    rng = np.random.default_rng(4)
    rows = [(t, g, rng.normal()) for t in range(12) for g in "AB"]
    rows += [(t, g, rng.normal()) for t in range(12, 24) for g in "AC"]
    result = crossed_means(pd.DataFrame(rows, columns=["topic", "group", "value"]), None)
    letters = dict(zip(result.means["group"], map(set, result.means["letters"]), strict=True))
    assert letters["A"] & letters["B"]
    assert letters["A"] & letters["C"]
    assert not letters["B"] & letters["C"]
    pairs = result.differences
    has_value = pairs["p"].notna()
    assert has_value.sum() == 2
    q = scipy.stats.false_discovery_control(pairs["p"][has_value])
    assert pairs["q"][has_value].to_numpy() == pytest.approx(q)


def test_that_there_are_too_few_topics_is_the_reason_though_two_groups_share_none():
    votes = scores(topics=4)
    apart = votes[(votes["topic"] < 2) == (votes["group"] == "a")]
    assert numbers(difference(apart).why) == [10, 4]
