"""Bland-Altman and one-tailed tau-b: published numbers, and a count of all orders."""

from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.stats.effects.two_measures import NotTwoMeasures, bland_altman, one_tailed_tau


def test_the_limits_that_ragelo_prints():
    """Bias .12 with limits -1.17 to 1.41 means s = .658."""
    rng = np.random.default_rng(1)
    noise = rng.normal(size=200)
    noise = (noise - noise.mean()) / noise.std(ddof=1) * 0.658 + 0.12
    found = bland_altman(noise, np.zeros(200))
    assert (found.bias, found.sd, found.n) == (pytest.approx(0.12), pytest.approx(0.658), 200)
    assert found.lower_limit == pytest.approx(-1.17, abs=0.005)
    assert found.upper_limit == pytest.approx(1.41, abs=0.005)
    assert found.bias_low < 0.12 < found.bias_high


def test_tau_b_with_ties():
    """P 9, Q 0, T 3, U 2 for these two lists of grades: .78335."""
    first, second = [2, 1, 2, 0, 1, 2], [2, 1, 1, 0, 0, 2]
    found = one_tailed_tau(first, second)
    assert found.tau == pytest.approx(0.78335, abs=5e-6)
    assert not found.exact


@pytest.mark.parametrize(
    ("order", "tau", "p"),
    [((0, 1, 2, 3, 4, 7, 6, 5), 0.786, 0.003), ((1, 0, 2, 5, 4, 3, 7, 6), 0.643, 0.016),
     ((1, 0, 3, 2, 5, 4, 7, 6), 0.714, 0.007), ((2, 1, 0, 5, 4, 3, 6, 7), 0.571, 0.031)],
)  # fmt: skip
def test_taus_over_eight_texts(order, tau, p):
    """Popp et al., table 37, without ties: .643 has p .016, .571 has .031, one-tailed."""
    found = one_tailed_tau(range(8), order)
    assert (round(found.tau, 3), round(found.p, 3), found.exact) == (tau, p, True)


def test_means_that_are_equal_but_for_rounding_are_ties():
    first = [0.1 + 0.2, 0.3, 0.5, 0.7]
    assert (
        one_tailed_tau(first, [1, 2, 3, 4]).tau
        == one_tailed_tau([0.3, 0.3, 0.5, 0.7], [1, 2, 3, 4]).tau
    )


@given(st.permutations(range(5)))
def test_without_ties_p_is_the_share_of_orders_that_agree_as_well(order):
    def concordant(ranks):
        return sum(ranks[i] < ranks[j] for i, j in combinations(range(5), 2))

    as_well = [concordant(each) >= concordant(order) for each in permutations(range(5))]
    found = one_tailed_tau(range(5), order)
    assert found.exact
    assert found.p == pytest.approx(np.mean(as_well))


@pytest.mark.parametrize(
    ("first", "second", "reason"),
    [
        ([1], [1], "fewer than two"),
        ([1, 2], [1], "equally many"),
        ([1, np.nan], [1, 2], "missing"),
    ],
)
def test_what_cannot_be_computed_is_said(first, second, reason):
    for measure in (bland_altman, one_tailed_tau):
        with pytest.raises(NotTwoMeasures, match=f"cannot be computed because .*{reason}"):
            measure(first, second)


def test_a_constant_has_no_rank_correlation():
    with pytest.raises(NotTwoMeasures, match="all values of one measure are equal"):
        one_tailed_tau([1, 1, 1], [1, 2, 3])
