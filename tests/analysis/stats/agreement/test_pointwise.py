"""Scores of single responses: means, alpha, and their order next to that of pairwise grades."""

import krippendorff
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from analysis.stats.agreement.pointwise import NothingToRank, pointwise, rank_agreement
from analysis.stats.effects.means import NoScores, mean_scores
from analysis.stats.errors import BadSetting
from analysis.stats.votes import MissingColumns, UnknownValue

SCALE = (-3, -1, 1, 3)  # of the corpus's pointwise study


def scored(items=20, workers=4, seed=0):
    rng = np.random.default_rng(seed)
    quality = np.repeat(rng.normal(size=items), workers)
    noisy = quality + 0.7 * rng.normal(size=len(quality))
    return pd.DataFrame(
        {
            "item": np.repeat(np.arange(items), workers),
            "worker": np.tile(np.arange(workers), items),
            "score": np.array(SCALE)[np.digitize(noisy, [-0.8, 0, 0.8])],
        }
    )


@pytest.mark.parametrize("level", ["ordinal", "interval"])
def test_alpha_is_that_of_the_package(level):
    frame = scored()
    matrix = frame.pivot_table(index="worker", columns="item", values="score").to_numpy()
    expected = krippendorff.alpha(matrix, level_of_measurement=level, value_domain=list(SCALE))
    result = pointwise(frame, scale=SCALE, level=level, draws=100)
    assert result.alpha.value == pytest.approx(expected, abs=1e-10)
    assert result.alpha.low < expected < result.alpha.high
    assert (result.items, result.workers, result.votes) == (20, 4, 80)


def test_means_have_the_t_interval_of_scipy():
    frame = scored()
    means = pointwise(frame, scale=SCALE, draws=0).means.frame
    varied = means[means.sd > 0]
    assert len(means) == 20
    for row in varied.itertuples():
        scores = frame.score[frame["item"] == row.item]
        low, high = stats.t.interval(0.95, 3, scores.mean(), stats.sem(scores))
        assert (row.mean, row.low, row.high) == pytest.approx((scores.mean(), low, high))
        assert row.n == 4


def test_equal_scores_have_a_mean_but_no_interval():
    votes = pd.DataFrame({"item": list("aaabbb"), "score": [3, 3, 3, 1, 3, 3]})
    alike, varied = mean_scores(votes).frame.itertuples()
    assert (alike.mean, alike.sd, alike.n) == (3, 0, 3)
    assert np.isnan([alike.low, alike.high]).all()
    assert varied.low < varied.mean < varied.high


def test_one_score_an_item_has_a_mean_but_no_interval_and_no_alpha():
    result = pointwise(scored(workers=1), scale=SCALE)
    assert result.alpha is None
    assert "no item has at least two votes" in result.refusal
    assert result.means.frame.low.isna().all()
    assert (result.means.frame.n == 1).all()


def test_equal_scores_have_means_but_no_alpha():
    result = pointwise(scored().assign(score=3), scale=SCALE)
    assert "every pairable vote is 3" in result.refusal
    assert (result.means.frame["mean"] == 3).all()


def test_it_refuses_scores_that_make_no_sense():
    frame = scored()
    with pytest.raises(NoScores, match="no answer has a score"):
        pointwise(frame.assign(score=None), scale=SCALE)
    with pytest.raises(UnknownValue, match="is not an option"):
        pointwise(frame, scale=(1, 3))
    with pytest.raises(MissingColumns, match="lacks the columns: score"):
        pointwise(frame.drop(columns="score"), scale=SCALE)
    with pytest.raises(BadSetting, match="setting scale is"):
        pointwise(frame, scale=(3, 1))
    with pytest.raises(BadSetting, match="setting level is"):
        pointwise(frame, scale=SCALE, level="cardinal")
    with pytest.raises(BadSetting, match="setting confidence is"):
        mean_scores(frame, confidence=1.0)


# --- next to grades ---------------------------------------------------------------------------


def sides(rows):
    """Rows of topic, mean, grade as the two frames."""
    frame = pd.DataFrame(rows, columns=["topic", "mean", "grade"]).assign(
        item=lambda f: [f"r{k}" for k in f.index]
    )
    return frame[["item", "mean"]], frame[["item", "topic", "grade"]]


ROWS = [("t", 1.0, 1), ("t", 2.0, 2), ("t", 3.0, 3), ("u", 9.0, 1), ("u", 7.0, 2), ("u", 9.0, 3)]


def test_only_pairs_within_a_topic_count():
    result = rank_agreement(*sides(ROWS), draws=200)
    # t: three pairs agree; u: one agrees, one does not, one is tied in the mean
    assert result.tau == pytest.approx((3 + 0) / np.sqrt(5 * 6))
    assert (result.items, result.topics, result.pairs) == (6, 2, 6)
    # a topic alone: 1 for t, 0 for u
    assert (result.low, result.high) == pytest.approx((0.0, 1.0))


@given(
    rows=st.lists(st.tuples(st.integers(0, 4), st.integers(1, 4)), min_size=3, max_size=12),
)
@settings(deadline=None, max_examples=20)
def test_topics_that_are_alike_have_the_tau_of_one_of_them(rows):
    expected = stats.kendalltau(*np.array(rows).T).statistic
    if np.isnan(expected):
        return
    twice = [(topic, *row) for topic in "tu" for row in rows]
    result = rank_agreement(*sides(twice), draws=5)
    assert (result.tau, result.low, result.high) == pytest.approx((expected,) * 3)


def test_responses_without_the_other_number_are_counted():
    means, grades = sides(ROWS)
    result = rank_agreement(means[:5], grades[1:], draws=5)
    assert (result.items, result.only_scored, result.only_graded) == (4, 1, 1)


def test_the_rounding_of_means_does_not_part_ties():
    rows = [*ROWS, ("v", 0.1 + 0.2, 1), ("v", 0.3, 2)]
    one = rank_agreement(*sides(rows), draws=5)
    other = rank_agreement(*sides([*ROWS, ("v", 0.3, 1), ("v", 0.3, 2)]), draws=5)
    assert one.tau == other.tau


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        (ROWS[:3], "1 topics have two responses"),
        ([], "0 topics have two responses"),
        (ROWS[2:4], "0 topics have two responses"),
        ([(topic, 1.0, grade) for topic, _, grade in ROWS], "all scores, or all grades, are"),
        ([*ROWS, ("u", np.nan, 4)], "1 responses have a score that is not a finite number"),
    ],
)
def test_it_refuses_what_has_no_order(rows, sentence):
    with pytest.raises(NothingToRank, match=sentence):
        rank_agreement(*sides(rows))


def test_it_refuses_two_grades_of_a_response_and_bad_settings():
    means, grades = sides(ROWS)
    with pytest.raises(NothingToRank, match="'r0' has more than one grade"):
        rank_agreement(means, pd.concat([grades, grades[:1]]))
    for setting in ({"draws": 0}, {"confidence": 0.0}):
        with pytest.raises(BadSetting, match=f"setting {next(iter(setting))} is"):
            rank_agreement(means, grades, **setting)
