"""How far one rater agrees with the others on the same items."""

import numpy as np
import pytest

from analysis.stats.agreement.rater_agreement import TooFewShared, agreement_with_others


def test_it_is_the_share_of_the_votes_of_others_that_say_the_same():
    found = agreement_with_others({1: (4, 4), 2: (2, 4), 3: (0, 4), 4: (3, 4), 5: (1, 4)})
    assert found.value == 10 / 20
    assert (found.items, found.votes) == (5, 20)
    # Modified Wilson by hand: variance = 5/4 * (4+0+4+1+1) / 20² = 1/32, effective 8 votes, times
    # (1.95996/2.77645)² = 3.98666; Wilson's half width there is .3500.
    assert (found.low, found.high) == (
        pytest.approx(0.1500, abs=1e-3),
        pytest.approx(0.8500, abs=1e-3),
    )


def test_an_item_that_nobody_else_judged_says_nothing():
    with pytest.raises(TooFewShared, match=r"^1\b"):
        agreement_with_others({1: (1, 4), **{item: (0, 0) for item in range(2, 9)}})


def test_who_always_agrees_has_an_interval_too():
    found = agreement_with_others(dict.fromkeys(range(15), (4, 4)))
    assert (found.value, found.high) == (1, 1)
    assert 0.7 < found.low < 0.9


def test_the_interval_covers_what_it_says():
    """Fifteen items of 28 votes (7 questions, 4 others) with different agreement."""
    rng = np.random.default_rng(13)
    hits, trials = 0, 1500
    for _ in range(trials):
        p = rng.beta(6, 4, size=15)  # mean .6
        same = rng.binomial(28, p)
        found = agreement_with_others({item: (int(n), 28) for item, n in enumerate(same)})
        hits += found.low <= 0.6 <= found.high
    assert 0.935 <= hits / trials <= 0.975
