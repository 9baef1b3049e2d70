"""The bootstrap of merits and grades."""

import numpy as np
import pandas as pd
import pytest

from analysis.stats.bradley_terry.comparisons import Comparisons
from analysis.stats.bradley_terry.merit_intervals import bootstrap_merits
from analysis.stats.bradley_terry.merits import fit_merits
from tests.analysis.coded_errors import bad_setting


def league(*, rounds=10, problems=3, n=5, seed=0):
    """Problems in which response k beats response l the more often, the larger k - l."""
    rng = np.random.default_rng(seed)
    i, j = (np.tile(side, problems * rounds) for side in np.triu_indices(n, 1))
    p = np.repeat(np.arange(problems), len(i) // problems)
    noise = rng.logistic(size=len(p)) + (i - j)
    outcome = np.select([noise > 0.5, noise < -0.5], ["a", "b"], "tie")
    return pd.DataFrame({"problem": p, "a": i, "b": j, "outcome": outcome})


def fitted(frame):
    return fit_merits(Comparisons.from_frame(frame), tie_parameter=0.5)


def test_intervals_contain_the_merits_and_narrow_with_more_votes():
    few, many = (fitted(league(rounds=rounds)) for rounds in (5, 80))
    widths = []
    for result in (few, many):
        intervals = bootstrap_merits(result, draws=400)
        assert (intervals.merit_low < result.merits).all()
        assert (result.merits < intervals.merit_high).all()
        assert (intervals.grade_low <= result.grades).all()
        assert (result.grades <= intervals.grade_high).all()
        widths.append((intervals.merit_high - intervals.merit_low).mean())
    # four times as many in each direction: a quarter of the width
    assert widths[1] == pytest.approx(widths[0] / 4, rel=0.25)


def test_it_equals_drawing_and_fitting_one_by_one():
    frame = league(problems=1, n=3, rounds=6)
    rng = np.random.default_rng(1)
    plain = [fitted(frame.iloc[rng.integers(0, len(frame), len(frame))]).merits for _ in range(600)]
    intervals = bootstrap_merits(fitted(frame), draws=4000)
    low, high = np.quantile(plain, [0.025, 0.975], axis=0)
    assert intervals.merit_low == pytest.approx(low, abs=0.3)
    assert intervals.merit_high == pytest.approx(high, abs=0.3)
    merits = np.array(plain)
    ahead = [(merits[:, i] > merits[:, j]).mean() for i, j in ((0, 1), (0, 2), (1, 2))]
    assert intervals.ahead == pytest.approx(ahead, abs=0.06)


def test_it_says_how_often_one_is_ahead_of_another():
    result = fitted(league(rounds=40))
    intervals = bootstrap_merits(result, draws=200)
    assert len(intervals.ahead) == 3 * 10
    assert (intervals.first < intervals.second).all()
    problem = result.comparisons.entry_problem
    assert (problem[intervals.first] == problem[intervals.second]).all()
    top = (result.comparisons.entry_place[intervals.first] == 0) & (
        result.comparisons.entry_place[intervals.second] == 4
    )
    assert (intervals.ahead[top] == 0).all()


def test_twins_are_level():
    # x and y have the same record and never meet; only equal draws make them equal
    frame = pd.DataFrame({"problem": 0, "a": ["x", "y"], "b": "z", "outcome": "a"})
    intervals = bootstrap_merits(fitted(frame), draws=2000)
    pair = list(zip(intervals.first, intervals.second, strict=True)).index((0, 1))
    assert intervals.ahead[pair] == pytest.approx(0.5, abs=0.03)


def test_votes_that_hang_together_give_wider_intervals():
    frame = league(rounds=4)
    copies = pd.concat([frame] * 5)
    result = fitted(copies)
    singly = bootstrap_merits(result, draws=300)
    voters = np.tile(np.arange(len(frame)), 5)
    together = bootstrap_merits(result, draws=300, clusters=list(voters))
    assert together.clusters == len(frame)
    width = (together.merit_high - together.merit_low).mean()
    assert width > 1.5 * (singly.merit_high - singly.merit_low).mean()


def test_the_same_seed_gives_the_same_draws():
    result = fitted(league())
    one, again, other = (bootstrap_merits(result, draws=50, seed=s) for s in (1, 1, 2))
    assert np.array_equal(one.merit_low, again.merit_low)
    assert not np.array_equal(one.merit_low, other.merit_low)


@pytest.mark.parametrize(
    "setting",
    [{"draws": 0}, {"confidence": 0.0}, {"clusters": ["Bob"]}],
    ids=lambda setting: next(iter(setting)),
)
def test_it_refuses_a_bad_setting(setting):
    with bad_setting(next(iter(setting))):
        bootstrap_merits(fitted(league()), **setting)
