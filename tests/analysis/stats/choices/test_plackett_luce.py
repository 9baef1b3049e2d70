"""Plackett-Luce from best and worst: choix, the likelihood written out, and its own laws."""

import choix
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from analysis.stats.choices.choices import Choices
from analysis.stats.choices.plackett_luce import _fit_draws, _Pairs, plackett_luce
from tests.analysis.coded_errors import bad_setting, cannot_compute
from tests.analysis.stats.choices.conftest import BLOCKS, frame_of

MERITS = np.linspace(-1.5, 1.5, 8)


def centred(merits):
    return merits - np.mean(merits)


def most_likely(rankings):
    """Return the maximum likelihood of best and worst, both orders of the middle summed up."""
    best, one, other, worst = np.array(rankings).T

    def loss(m):
        a, x, y, w = (np.exp(m[k]) for k in (best, one, other, worst))
        middle = x * y / (y + w) + y * x / (x + w)
        return -np.log(a / (a + x + y + w) / (x + y + w) * middle).sum() + 1e-6 * (m**2).sum()

    return centred(minimize(loss, np.zeros(8)).x)


def test_of_two_it_is_the_bradley_terry_of_choix():
    rng = np.random.default_rng(3)
    pairs = [tuple(rng.permutation(5)[:2].tolist()) for _ in range(60)]
    rows = []
    for answer, (winner, loser) in enumerate(pairs):
        rows += [(answer, f"t{winner}", 1), (answer, f"t{loser}", -1)]
    frame = pd.DataFrame(rows, columns=["answer", "unit", "mark"])
    result = plackett_luce(Choices.from_frame(frame), ridge=1e-9)
    expected = choix.ilsr_pairwise(5, pairs, alpha=0.0, tol=1e-10)
    assert result.merits == pytest.approx(centred(expected), abs=1e-5)


def test_with_many_answers_it_finds_the_merits_behind_them(choices):
    """The pairs of best and worst alone would be too far apart: slope 1.13 here."""
    result = plackett_luce(choices(MERITS, 400), ridge=1e-6)
    slope = np.polyfit(MERITS, result.merits, 1)[0]
    assert slope == pytest.approx(1, abs=0.05)
    assert np.abs(result.merits - MERITS).max() < 0.1


def test_it_is_near_the_maximum_of_the_likelihood(ranked):
    rankings = ranked(MERITS, 100, seed=4)
    result = plackett_luce(Choices.from_frame(frame_of(rankings)), ridge=1e-6)
    assert result.merits == pytest.approx(most_likely(rankings), abs=0.05)


def test_draws_are_fitted_to_the_same_merits(choices):
    made = choices(MERITS, 5)
    pairs = _Pairs.of(made)
    (mine,) = _fit_draws(pairs, pairs.pattern_of.sum(axis=0)[None], 0.1, np.zeros(8))
    assert mine == pytest.approx(plackett_luce(made).merits, abs=1e-3)


def test_the_interval_holds_the_truth_as_often_as_it_says(choices):
    """40 studies of 5 answers a block, all eight texts: 320 intervals."""
    held = [
        (found.low <= MERITS) & (found.high >= MERITS)
        for seed in range(40)
        for found in [plackett_luce(choices(MERITS, 5, seed=seed))]
    ]
    assert 0.93 <= np.mean(held) <= 0.98


@given(
    rankings=st.lists(st.sampled_from(BLOCKS).flatmap(st.permutations), min_size=14, max_size=30)
)
@settings(max_examples=25, deadline=None)
def test_the_reverse_of_every_choice_keeps_the_middle(rankings):
    """Each ranking and its reverse together say nothing of anybody."""
    both = [*rankings, *([*reversed(ranking)] for ranking in rankings)]
    choices = Choices.from_frame(frame_of(both))
    shown = choices.shown.astype(int)
    if (np.linalg.matrix_power(shown.T @ shown, 8) == 0).any():
        return  # groups that never meet
    result = plackett_luce(choices)
    best, worst = result.merits.max(), result.merits.min()
    assert best - worst < 1.2  # Plackett-Luce is not the same from the other end, but near


def test_other_names_change_nothing(ranked):
    rankings = ranked(MERITS, 3, seed=9)
    turned = np.random.default_rng(0).permutation(8)
    renamed = [[int(turned[text]) for text in ranking] for ranking in rankings]
    plain = plackett_luce(Choices.from_frame(frame_of(rankings)))
    other = plackett_luce(Choices.from_frame(frame_of(renamed)))
    assert other.merits[turned] == pytest.approx(plain.merits, abs=1e-5)


def test_who_is_always_the_best_has_a_finite_merit(ranked):
    result = plackett_luce(Choices.from_frame(frame_of(ranked([0] * 7 + [50], 5))))
    assert np.isfinite(result.merits).all()
    assert result.merits.argmax() == 7


def test_groups_that_never_meet_are_said_so():
    frame = frame_of([[0, 1, 2, 3], [4, 5, 6, 7]])
    with cannot_compute("not_connected", match="2"):
        plackett_luce(Choices.from_frame(frame))


def test_more_than_can_be_gone_through_are_said_so():
    rows = [("a", f"t{k}", {0: 1, 7: -1}.get(k, 0)) for k in range(8)]
    frame = pd.DataFrame(rows, columns=["answer", "unit", "mark"])
    with cannot_compute("too_many_open_units", match="6"):
        plackett_luce(Choices.from_frame(frame))


@pytest.mark.parametrize("ridge", [0, -1, np.inf])
def test_it_refuses_a_ridge_that_means_nothing(choices, ridge):
    with bad_setting("ridge"):
        plackett_luce(choices(MERITS, 1), ridge=ridge)


def test_interval_takes_ten_answers(ranked):
    few = plackett_luce(Choices.from_frame(frame_of(ranked(MERITS, 1))))
    assert (few.shown == 7).all()
    assert np.isnan(few.low).all()
