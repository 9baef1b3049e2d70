"""Paired tests against scipy, the textbook, their own laws, and the published grades."""

from functools import partial

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from analysis.pages.results.missing_results import needed
from analysis.stats.effects.paired import NotPaired, paired_family, paired_test
from tests.analysis.coded_errors import assert_different_reasons, bad_setting, cannot_compute
from tests.analysis.stats.conftest import DIMENSIONS, read
from tests.hooks import numbers

# Student (1908), hours of sleep gained by ten patients with either drug
ONE = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
OTHER = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]

SCORES = st.lists(st.tuples(st.integers(1, 6), st.integers(1, 6)), min_size=4, max_size=8).filter(
    lambda rows: len({b - a for a, b in rows}) > 1
)
ENOUGH = st.lists(st.integers(-6, 6).filter(bool), min_size=10, max_size=30).filter(
    lambda d: min(d.count(each) for each in set(d)) + 1 < len(d) and len(set(d)) > 2
)


def test_it_meets_students_sleep_data():
    result = paired_test(ONE, OTHER)
    # t = 4.0621, df = 9, p = .002833, mean 1.58, 95 % .70 to 2.46: the example of R's t.test
    assert result.t == pytest.approx(4.0621, abs=1e-4)
    assert result.t_p == pytest.approx(0.002833, abs=1e-6)
    assert (result.difference, result.low, result.high) == pytest.approx(
        (1.58, 0.7001, 2.4599), abs=1e-4
    )
    assert result.d_z == pytest.approx(4.0621 / np.sqrt(10), abs=1e-4)
    # one zero; all others gain
    assert numbers(result.why) == [10, 9]
    assert np.isnan(result.rank_biserial_low)
    assert (result.n, result.zeros, result.rank_biserial, result.w) == (10, 1, 1.0, 0.0)
    assert result.w_p == pytest.approx(
        stats.wilcoxon(ONE, OTHER, zero_method="wilcox").pvalue, rel=1e-9
    )


@given(rows=SCORES)
@settings(deadline=None, max_examples=10)
def test_the_signed_ranks_are_those_of_scipy(rows):
    first, second = np.array(rows).T
    d = (second - first)[second != first]
    ranks = stats.rankdata(abs(d))
    result = paired_test(first, second)
    plus, minus = ranks[d > 0].sum(), ranks[d < 0].sum()
    assert result.rank_biserial == pytest.approx((plus - minus) / (plus + minus))
    assert result.w == min(plus, minus)
    assert result.w_p == pytest.approx(stats.wilcoxon(d).pvalue, rel=1e-9)  # enumerates ties


@given(d=ENOUGH)
@settings(deadline=None, max_examples=10)
def test_swapped_groups_turn_the_effects_around(d):
    nothing = np.zeros(len(d))
    one, other = paired_test(nothing, d), paired_test(d, nothing)
    assert one.difference == pytest.approx(-other.difference)
    assert one.low < one.difference < one.high
    assert one.low == pytest.approx(-other.high)
    assert one.d_z_low == pytest.approx(-other.d_z_high)
    assert -1 <= one.rank_biserial_low <= one.rank_biserial <= one.rank_biserial_high <= 1
    assert one.rank_biserial_low == pytest.approx(-other.rank_biserial_high)
    assert (one.w_p, one.t_p) == pytest.approx((other.w_p, other.t_p))
    assert one.why == ""


@given(d=ENOUGH, times=st.sampled_from([0.01, 3, 1000]))
@settings(deadline=None, max_examples=10)
def test_effects_do_not_hang_on_the_unit_of_the_scale(d, times):
    nothing = np.zeros(len(d))
    one, other = paired_test(nothing, d), paired_test(nothing, times * np.array(d))
    for name in ("d_z", "d_z_low", "d_z_high", "rank_biserial_low", "rank_biserial_high"):
        assert getattr(one, name) == pytest.approx(getattr(other, name))


def test_the_interval_of_d_z_is_the_jackknife_on_the_scale_of_constant_variance():
    """Oracle: scipy leaves out one topic at a time, in a plain loop."""
    d = np.random.default_rng(4).gamma(2, size=30) - 1

    def stable(values):
        return np.sqrt(2) * np.arcsinh(values.mean() / values.std(ddof=1) / np.sqrt(2))

    pseudo = np.array([30 * stable(d) - 29 * stable(np.delete(d, i)) for i in range(30)])
    ends = stats.ttest_1samp(pseudo, 0).confidence_interval(0.9)
    result = paired_test(np.zeros(30), d, confidence=0.9)
    assert (result.d_z_low, result.d_z_high) == pytest.approx(
        tuple(np.sqrt(2) * np.sinh(np.array([ends.low, ends.high]) / np.sqrt(2)))
    )


def test_intervals_are_near_to_those_of_normal_differences():
    """Oracle: the noncentral t (Cumming and Finch 2001), exact for normal differences."""
    d = stats.norm.ppf(np.linspace(0.005, 0.995, 100)) + 0.5
    result = paired_test(np.zeros(100), d)
    for d_z, tail in ((result.d_z_low, 0.975), (result.d_z_high, 0.025)):
        assert stats.nct.cdf(result.t, 99, d_z * 10) == pytest.approx(tail, abs=0.01)


def test_below_ten_topics_there_is_no_interval_and_it_is_said():
    result = paired_test([0.0] * 9, range(9))
    ends = ("low", "high", "d_z_low", "d_z_high", "rank_biserial_low", "rank_biserial_high")
    assert all(np.isnan(getattr(result, name)) for name in ends)
    assert numbers(result.why)[:2] == [10, 9]
    assert result.t_p == pytest.approx(stats.ttest_1samp(range(9), 0).pvalue)


def test_a_small_test_among_enough_topics_does_not_ask_for_more_of_them():
    few = paired_family(frame_of(small=(ONE[:5], OTHER[:5])), family="x").frame.why[0]
    family = paired_family(frame_of(all=(ONE, OTHER), small=(ONE[:5], OTHER[:5])), family="x")
    assert needed([few])
    assert not needed([family.frame.why[1]])
    assert numbers(family.frame.why[1]) == [5, 10]


def test_one_topic_that_differs_from_all_others_gives_no_interval_of_d_z():
    result = paired_test([0.0] * 12, [1.0] * 11 + [2.0])
    assert np.isnan(result.d_z_low)
    assert "d_z" in result.why
    assert result.rank_biserial_low < result.rank_biserial == 1


def test_the_rounding_of_means_does_not_part_ties():
    first = np.array([1 / 3 + 1 / 3, 0.1 + 0.2, 1.0, 2.0])
    second = np.array([2 / 3, 0.3, 1.5, 1.5])
    result = paired_test(first, second)
    assert (result.zeros, result.rank_biserial) == (2, 0.0)


def frame_of(**tests):
    return pd.concat(
        pd.DataFrame({"test": name, "topic": range(len(x)), "first": x, "second": y})
        for name, (x, y) in tests.items()
    )


def test_a_family_is_corrected_together_and_says_how_large_it_is():
    noise = np.random.default_rng(3).normal(size=(2, 30))
    frame = frame_of(sleep=(ONE, OTHER), noise=noise, same=([1, 2], [1, 2]))
    result = paired_family(frame, family="two tests")
    assert (result.family, result.size) == ("two tests", 2)
    assert result.frame.test.tolist() == ["sleep", "noise"]
    p = result.frame.w_p
    assert result.frame.w_q[0] == pytest.approx(min(2 * p.min(), p.max()))
    assert list(result.refused) == ["same"]
    assert "" in result.refused["same"]


def test_the_styles_of_a_topic_count_once():
    twice = pd.concat([frame_of(sleep=(ONE, OTHER))] * 2)
    assert paired_family(twice, family="x").frame.n.tolist() == [10]


@pytest.mark.parametrize(
    ("first", "second", "shown"),
    [
        ([1.0], [2.0], r"\b1\b"),
        ([], [], r"\b0\b"),
        ([1.0, 2.0], [1.0], r"\b2\b.*\b1\b"),
        ([1.0, np.nan], [1.0, 2.0], r"\b1\b"),
        ([1.0, 2.0], [1.0, 2.0], None),
        ([0.3, 0.3, 0.6], [0.1 + 0.2, 0.3, 0.6], "the same value on every topic"),
        ([1.0, 2.0], [1.5, 2.5], None),
    ],
)
def test_it_refuses_values_without_a_test(first, second, shown):
    with pytest.raises(NotPaired, match=shown):
        paired_test(first, second)


def test_each_reason_without_a_test_is_told_by_itself():
    assert_different_reasons(
        NotPaired,
        partial(paired_test, [1.0], [2.0]),
        partial(paired_test, [1.0, 2.0], [1.0]),
        partial(paired_test, [1.0, np.nan], [1.0, 2.0]),
        partial(paired_test, [1.0, 2.0], [1.0, 2.0]),
        partial(paired_test, [1.0, 2.0], [1.5, 2.5]),
    )


def test_it_refuses_a_family_without_a_test_and_bad_settings():
    with cannot_compute("no_test"):
        paired_family(frame_of(same=([1, 2], [1, 2])), family="x")
    with pytest.raises(NotPaired, match="test"):
        paired_family(frame_of(a=(ONE, OTHER)).drop(columns="test"), family="x")
    with bad_setting("confidence"):
        paired_test(ONE, OTHER, confidence=0.0)


@pytest.fixture(scope="module")
def matched(corpus, grades):
    """Mean grades of human and LLM responses by topic, style and dimension."""
    origin = pd.concat(
        read(corpus, name)[["response", "topic", "style"]].assign(origin=origin)
        for name, origin in (("study1_tasks", "first"), ("study1_responses_llm", "second"))
    )
    long = grades.merge(origin, on="response").melt(
        ["response", "topic", "style", "origin"], var_name="dimension", value_name="grade"
    )
    sides = long.pivot_table(
        index=["dimension", "style", "topic"], columns="origin", values="grade"
    )
    return sides.reset_index()


@pytest.mark.corpus
def test_it_meets_the_tests_of_the_published_grades(matched):
    # Gienapp et al. (SIGIR 2025), Table 7: human against LLM
    styles = matched.assign(test=list(zip(matched.dimension, matched["style"], strict=True)))
    result = paired_family(styles, family="7 dimensions x 3 styles")
    assert result.size == 21
    assert (result.frame.n == 65).all()
    assert set(result.frame.test[result.frame.w_q > 0.05]) == {
        ("coherence_logical", "essay"),
        ("coverage_broad", "news"),
        ("coverage_deep", "news"),
        ("coverage_deep", "bullet"),
    }
    means = styles.groupby("test")[["first", "second"]].mean()
    # the table's own cells, to the .01 of its grades
    assert means.loc[[("quality_overall", "bullet")]].to_numpy() == pytest.approx(
        np.array([[3.28, 4.89]]), abs=0.006
    )


@pytest.mark.corpus
def test_over_all_styles_all_seven_dimensions_differ(matched):
    result = paired_family(
        matched.assign(test=matched.dimension), family="7 dimensions over all styles"
    )
    assert result.size == len(DIMENSIONS)
    assert (result.frame.w_q < 0.05).all()
    assert (result.frame.rank_biserial_low > 0).all()
