"""Alpha of numbers from sums: what the coincidence matrices give, and in a moment."""

import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.stats.agreement.alpha import alpha_of, krippendorff_alpha
from analysis.stats.agreement.interval_draws import interval_item_draws, interval_worker_draws
from analysis.stats.resampling import (
    Bootstrap,
    item_draws,
    kept_worker_coincidences,
    worker_draws,
)
from analysis.stats.votes import Votes


def crowd(items, workers, values, seed):
    """Each worker answers a part of the items; numbers 0 to values - 1."""
    rng = np.random.default_rng(seed)
    item, worker = np.nonzero(rng.random((items, workers)) < 0.6)
    value = rng.integers(0, values, len(item))
    return Votes.from_indices(
        item, worker, value, options=tuple(range(values)), items=range(items),
        workers=range(workers),
    )  # fmt: skip


@given(st.integers(3, 8), st.integers(3, 6), st.integers(2, 5), st.integers(0, 10_000))
def test_the_draws_are_those_of_the_matrices(items, workers, values, seed):
    votes = crowd(items, workers, values, seed)
    numbers = np.array([-3.0, -1, 1, 3, 10])[:values]
    counts = votes.counts()
    counts = counts[counts.sum(axis=1) >= 2]
    if not len(counts):
        return

    def alpha(o):
        return alpha_of(o, "interval", numbers)

    for plain, quick, what in (
        (item_draws, interval_item_draws, counts),
        (worker_draws, interval_worker_draws, votes),
    ):
        expected = plain(what, alpha, 20, np.random.default_rng(seed))
        result = quick(what, numbers, 20, np.random.default_rng(seed))
        assert result == pytest.approx(expected, abs=1e-9, nan_ok=True)


def test_draws_of_workers_are_kept_by_votes_and_seed():
    votes = crowd(30, 8, 3, seed=1)
    for seed in (1, 2):
        kept = kept_worker_coincidences(votes, Bootstrap(draws=50, seed=seed, resample="workers"))
        rng = np.random.default_rng(seed)
        assert (kept == worker_draws(votes, lambda o: o, 50, rng)).all()
    few = votes.only(votes.item < 20)
    kept = kept_worker_coincidences(few, Bootstrap(draws=50, seed=2, resample="workers"))
    assert (kept == worker_draws(few, lambda o: o, 50, np.random.default_rng(2))).all()


@pytest.mark.parametrize("resample", ["items", "workers"])
def test_a_slider_of_a_hundred_places_takes_no_minutes(resample):
    votes = crowd(500, 40, 101, seed=1)
    began = time.process_time()
    result = krippendorff_alpha(votes, level="interval", draws=200, resample=resample)
    assert time.process_time() - began < 20
    assert result.low < result.high
