"""Costs and wages, against the published amounts."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.stats.effects.cost import hourly_wage, saving, unit_cost
from analysis.stats.votes import Votes
from tests.analysis.coded_errors import bad_setting, cannot_compute
from tests.analysis.stats.conftest import DIMENSIONS, votes_of


def votes_from(rows):
    """Votes of as many items as rows, each a string of options A, N, B."""
    item = np.repeat(np.arange(len(rows)), [len(row) for row in rows])
    value = np.array(["ANB".index(vote) for row in rows for vote in row])
    worker = np.concatenate([np.arange(len(row)) for row in rows])
    return Votes.from_indices(item, worker, value, options="ANB", items=range(len(rows)))


# --- against the published numbers --------------------------------------------------------------


def test_it_meets_the_cost_of_a_response():
    # Gienapp et al. 2025: 2,610.32 dollars for 903 responses
    cost = unit_cost([2610.32], [903], unit="response")
    assert cost.value == pytest.approx(2.89, abs=0.005)
    assert (cost.total, cost.units, cost.n) == (2610.32, 903, 1)


def test_it_corrects_the_cost_of_a_judgment():
    # ibid.: 3,672.54 dollars, 1,352 pairs x 5 workers x 7 questions; printed are .06
    # for a judgment and .30 for a gold label, but the sums give .078 and .388
    judgments = 1352 * 5 * 7
    assert judgments == 47_320
    cost = unit_cost([3672.54], [judgments], unit="judgment")
    assert cost.value == pytest.approx(0.078, abs=0.0005)
    gold = unit_cost([3672.54], [judgments / 5], unit="gold label")
    assert gold.value == pytest.approx(0.388, abs=0.0005)


@pytest.mark.parametrize(
    ("paid", "minutes", "wage"),
    [(5.50, 25, 13.20), (2.50, 10 + 22 / 60, 14.47)],
    ids=["judging", "writing"],
)
def test_it_meets_the_wages(paid, minutes, wage):
    # ibid.: 5.50 for 25 minutes of judging, 2.50 for 10:22 of writing
    assert hourly_wage([paid], [minutes]).value == pytest.approx(wage, abs=0.005)


@pytest.mark.corpus
def test_three_votes_for_five_save_two_fifths(five_votes):
    kept = {}
    for fewer in (1, 3, 4):
        votes = votes_of(five_votes, DIMENSIONS[-1], ("A", "N", "B"))
        result = saving(votes, fewer=fewer, price=3672.54 / 47_320)
        kept[fewer] = result.kept
        assert result.share == pytest.approx(1 - fewer / 5)
        assert result.saved == pytest.approx(1352 * (5 - fewer) * 0.0776, rel=0.001)
        assert result.low < result.kept < result.high
    # Two options: a fourth vote can only make a tie of what three have decided.
    assert 0.5 < kept[1] < kept[3] < 1
    assert kept[4] == pytest.approx(kept[3], abs=1e-12)


# --- laws ---------------------------------------------------------------------------------------


@given(row=st.text("ANB", min_size=2, max_size=6), fewer=st.integers(1, 5))
@settings(max_examples=40, deadline=None)
def test_what_is_kept_is_the_share_of_all_subsets(row, fewer):
    votes = votes_from([row])
    if len(row) <= fewer:
        with cannot_compute("too_few_votes"):
            saving(votes, fewer=fewer, price=1)
        return

    def leaders(votes):
        most = max(map(votes.count, "ANB"))
        return [option for option in "ANB" if votes.count(option) == most]

    chances = []
    for drawn in combinations(row, fewer):
        one, other = leaders(row), leaders("".join(drawn))
        chances.append(len(set(one) & set(other)) / len(one) / len(other))
    assert saving(votes, fewer=fewer, price=1).kept == pytest.approx(np.mean(chances))


def test_unanimous_items_keep_their_label():
    result = saving(votes_from(["AAAAA", "BBB", "N"]), fewer=1, price=0.5)
    assert (result.kept, result.n, result.votes) == (1, 2, 9)
    assert (result.saved, result.share) == (3.0, 6 / 9)


def test_a_fee_is_part_of_the_cost():
    cost = unit_cost([3, 3], [15, 15], unit="judgment", fee=1 / 3)
    assert (cost.value, cost.total) == (pytest.approx(8 / 30), pytest.approx(8))


def test_intervals_vary_as_payments_drawn_one_by_one_do():
    rng = np.random.default_rng(1)
    paid, minutes = np.full(60, 2.5), rng.uniform(5, 30, 60)
    draws = rng.integers(0, 60, (4000, 60))
    plain = paid[draws].sum(axis=1) / minutes[draws].sum(axis=1) * 60
    result = hourly_wage(paid, minutes, draws=4000)
    assert (result.low, result.high) == pytest.approx(np.quantile(plain, [0.025, 0.975]), rel=0.02)


def test_an_interval_of_the_wage_is_offered_where_it_covers():
    rng = np.random.default_rng(2)
    true = 60 * 3 / (20 * np.exp(0.5**2 / 2))
    drawn = [hourly_wage([3] * 30, 20 * rng.lognormal(0, 0.5, 30), draws=300) for _ in range(400)]
    assert np.mean([each.low <= true <= each.high for each in drawn]) > 0.9
    assert np.isnan(hourly_wage([3] * 29, rng.uniform(5, 30, 29)).low)


def test_one_payment_has_no_interval():
    assert np.isnan(unit_cost([10], [4], unit="response").low)


def test_assignments_without_a_time_are_left_out_and_counted():
    result = hourly_wage([3, 3, 6, 9], [10, 20, float("nan"), 0], target=12)
    assert (result.value, result.median, result.below) == (12, 13.5, 0.5)
    assert (result.n, result.untimed) == (2, 2)


# --- refusals -----------------------------------------------------------------------------------


def test_it_says_that_there_is_nothing():
    with cannot_compute("no_units"):
        unit_cost([5], [0], unit="gold label")
    with cannot_compute("no_working_time"):
        hourly_wage([5], [float("nan")])


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: unit_cost([-1], [1], unit="response"), "paid"),
        (lambda: unit_cost([1], [1, 2], unit="response"), "units"),
        (lambda: unit_cost([1], [1], unit="response", fee=-0.1), "fee"),
        (lambda: hourly_wage([1], [1, 2]), "minutes"),
        (lambda: hourly_wage([1], [1], confidence=0), "confidence"),
        (lambda: saving(votes_from(["AB"]), fewer=0, price=1), "fewer"),
        (lambda: saving(votes_from(["AB"]), fewer=1, price=1, draws=-1), "draws"),
    ],
)
def test_it_refuses_a_bad_setting(call, name):
    with bad_setting(name):
        call()
