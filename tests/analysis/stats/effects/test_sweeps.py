"""Pairs in which every vote prefers one: the winner, the sign test and its one-sided bound."""

from dataclasses import replace
from itertools import permutations

import numpy as np
import pandas as pd
import pytest
import scipy

from analysis.stats.effects.crossed_means import crossed_means
from analysis.stats.effects.sweeps import LEAST_SWEPT, Sweep, sweeps_of, with_sweeps
from tests.hooks import numbers

SWEEP = Sweep(winner="A", loser="B", votes=60, topics=12, workers=10)


def votes(topics=12, workers=10, outcome=1):
    worker, topic = (axis.ravel() for axis in np.indices((workers, topics)))
    return pd.DataFrame(
        {"first": "A", "second": "B", "outcome": outcome, "topic": topic, "worker": worker}
    )


def flat_means(*, groups="AB", topics=12):
    rows = [(t, g, -float(k)) for t in range(topics) for k, g in enumerate(groups)]
    return crossed_means(pd.DataFrame(rows, columns=["topic", "group", "value"]), None)


@pytest.mark.parametrize(("topics", "workers"), [(12, 10), (10, 12), (30, 30)])
def test_the_bound_is_that_of_clopper_and_pearson_over_the_fewer_units(topics, workers):
    sweep = replace(SWEEP, topics=topics, workers=workers)
    n = min(topics, workers)
    exact = scipy.stats.binomtest(n, n, alternative="greater").proportion_ci(0.95, "exact")
    assert sweep.least() == pytest.approx(exact.low)
    assert sweep.p == pytest.approx(scipy.stats.binomtest(n, n).pvalue)


def test_votes_that_all_go_one_way_are_a_sweep_whatever_their_order():
    swapped = votes().rename(columns={"first": "second", "second": "first"}).assign(outcome=-1)
    both = pd.concat([votes(), swapped])
    (sweep,) = sweeps_of(both).values()
    assert (sweep.winner, sweep.loser) == ("A", "B")
    assert (sweep.votes, sweep.topics, sweep.workers) == (240, 12, 10)


@pytest.mark.parametrize("outcome", [0, -1])
def test_one_vote_that_goes_another_way_ends_a_sweep(outcome):
    frame = votes()
    frame.loc[7, "outcome"] = outcome
    assert not sweeps_of(frame)


@pytest.mark.parametrize("seed", range(5))
def test_sweeps_among_many_groups_are_those_found_pair_by_pair(seed):
    rng = np.random.default_rng(seed)
    n, names = 120, np.array([*"ABCDEFGH"])
    first, second = names[rng.integers(0, len(names), (2, n))]
    strength = dict(zip(names, rng.permutation(8), strict=True))
    ahead = np.array([strength[a] - strength[b] for a, b in zip(first, second, strict=True)])
    outcome = np.sign(ahead) * rng.choice([1, 1, 1, 1, 0, -1], n)
    columns = {"first": first, "second": second, "outcome": outcome}
    frame = pd.DataFrame({**columns, "topic": rng.integers(0, 9, n), "worker": np.arange(n) % 7})
    expected = {}
    for a, b in permutations(names, 2):
        own = frame[((first == a) & (second == b)) | ((first == b) & (second == a))]
        if len(own) and (np.where(own["first"] == a, 1, -1) * own["outcome"] == 1).all():
            expected[frozenset((a, b))] = (a, len(own), own.topic.nunique(), own.worker.nunique())
    found = sweeps_of(frame)
    assert expected
    assert expected == {
        pair: (each.winner, each.votes, each.topics, each.workers) for pair, each in found.items()
    }


def test_a_swept_pair_without_variation_differs_and_has_no_interval():
    plain = flat_means()
    assert plain.differences["p"].isna().all()
    result = with_sweeps(plain, sweeps_of(votes()))
    (pair,) = result.differences.to_dict("records")
    assert pair["p_adjusted"] == pytest.approx(2 * 0.5**10)
    assert np.isnan([pair["low"], pair["high"]]).all()
    assert pair["ahead"] > 0.99
    assert SWEEP.least() == pytest.approx(0.741, abs=0.001)
    assert "74%" in pair["why"]
    letters = result.means.set_index("group")["letters"]
    assert not set(letters["A"]) & set(letters["B"])


def test_five_workers_of_one_mind_are_no_evidence():
    (few,), (enough,) = (sweeps_of(votes(workers=n)).values() for n in (5, LEAST_SWEPT))
    assert not few.shows_winner
    assert enough.shows_winner
    assert replace(SWEEP, workers=5).p > 0.05 > replace(SWEEP, workers=LEAST_SWEPT).p


@pytest.mark.parametrize(("topics", "workers"), [(12, 5), (10, 1)])
def test_a_sweep_too_small_for_a_claim_has_the_number_that_it_takes(topics, workers):
    plain = flat_means(topics=topics)
    result = with_sweeps(plain, sweeps_of(votes(topics=topics, workers=workers)))
    (why,) = {*result.means["why"], *result.differences["why"]}
    assert numbers(why)[1:] == [LEAST_SWEPT, workers]
    assert result.differences["p"].isna().all()
    assert result.means["low"].isna().all()


def test_in_a_family_the_sign_tests_are_adjusted_by_holm():
    sweeps = {
        frozenset(pair): replace(SWEEP, winner=pair[0], loser=pair[1], workers=workers)
        for pair, workers in (("AB", 10), ("AC", 8), ("BC", 7))
    }
    result = with_sweeps(flat_means(groups="ABC"), sweeps)
    pairs = result.differences.set_index(["first", "second"])
    assert pairs["p_adjusted"].to_dict() == pytest.approx(
        {("A", "B"): 3 * 2 * 0.5**10, ("A", "C"): 2 * 2 * 0.5**8, ("B", "C"): 2 * 0.5**7}
    )
    alone = with_sweeps(flat_means(groups="ABC"), sweeps_of(votes()))
    assert alone.differences["p"].notna().sum() == 1
    assert with_sweeps(flat_means(), {}).differences["p"].isna().all()
