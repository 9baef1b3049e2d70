"""The change of a share from a sample: exact coverage over all populations, and no width at all."""

from itertools import product

import pytest
from scipy.stats import hypergeom, multivariate_hypergeom

from analysis.stats.retrieval.sampled_change import hypergeometric_bounds, sampled_change


def change(gains, losses, n, total):
    before = [False] * gains + [True] * losses + [True] * (n - gains - losses)
    after = [True] * gains + [False] * losses + [True] * (n - gains - losses)
    return sampled_change(before, after, total, confidence=0.95)


@pytest.mark.parametrize(("n", "total"), [(1, 1), (3, 4), (5, 12), (10, 20)])
def test_the_interval_of_every_population_covers(n, total):
    found = {
        (up, down): change(up, down, n, total)
        for up, down in product(range(n + 1), repeat=2)
        if up + down <= n
    }
    for gains, losses in product(range(total + 1), repeat=2):
        if gains + losses > total:
            continue
        rest = total - gains - losses
        covered = sum(
            multivariate_hypergeom.pmf([up, down, n - up - down], [gains, losses, rest], n)
            for (up, down), one in found.items()
            if up <= gains and down <= losses and n - up - down <= rest
            if one.low - 1e-9 <= (gains - losses) / total <= one.high + 1e-9
        )
        assert covered >= 0.95 - 1e-9, (gains, losses)


def test_a_whole_sample_leaves_nothing_open():
    one = change(3, 1, 8, 8)
    assert (one.low, one.high) == (0.25, 0.25)
    assert one.change == pytest.approx(0.25)
    assert (one.before, one.after) == (5 / 8, 7 / 8)


def test_bounds_are_those_that_no_tail_excludes():
    low, high = hypergeometric_bounds(2, 5, 20, 0.05)
    assert hypergeom.sf(1, 20, low, 5) > 0.025 >= hypergeom.sf(1, 20, low - 1, 5)
    assert hypergeom.cdf(2, 20, high, 5) > 0.025 >= hypergeom.cdf(2, 20, high + 1, 5)


def test_an_empty_sample_has_no_change():
    assert sampled_change([], [], 9, confidence=0.95) is None
