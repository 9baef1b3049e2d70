"""Merits free of first-order bias: closed forms, exact expectations, Jeffreys' prior, laws."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize
from scipy.special import expit, log_expit
from scipy.stats import multinomial

from analysis.stats.bradley_terry.comparisons import Comparisons
from analysis.stats.bradley_terry.merit_errors import merit_errors
from analysis.stats.bradley_terry.merit_intervals import bootstrap_merits
from analysis.stats.bradley_terry.merits import fit_merits
from analysis.stats.bradley_terry.tie_models import TIE_MODELS
from tests.analysis.coded_errors import bad_setting


def frame_of(counts):
    """Return comparisons of x and y: (wins, ties, losses) of each problem."""
    rows = [
        (problem, "x", "y", outcome, weight)
        for problem, numbers in enumerate(counts)
        for outcome, weight in zip(("a", "tie", "b"), numbers, strict=True)
        if weight
    ]
    return pd.DataFrame(rows, columns=["problem", "a", "b", "outcome", "weight"])


def leads(frame, **settings):
    """Return by how much x is ahead of y in each problem."""
    result = fit_merits(Comparisons.from_frame(frame), ridge="firth", **settings)
    return result.merits[::2] - result.merits[1::2]


@pytest.mark.parametrize("ties", ["none", "davidson", "rao-kupper"])
def test_of_two_texts_half_a_win_is_added_to_either(ties):
    """Firth (1993): the logit of a share is that of counts with a half more on each side."""
    counts = [(3, 0, 1), (5, 0, 0), (1, 0, 0)]
    expected = [np.log((wins + 0.5) / (losses + 0.5)) for wins, _, losses in counts]
    assert leads(frame_of(counts), ties=ties, tie_parameter="estimated") == pytest.approx(
        expected, abs=2e-3
    )


@pytest.mark.parametrize(("ties", "tie"), [("rao-kupper", 0.6), ("davidson", 0.8)])
@pytest.mark.parametrize("true", [0.0, 0.5, 1.0, 1.5])
def test_expectation_over_all_outcomes_is_near_the_truth(ties, tie, true):
    """All 231 outcomes of twenty comparisons, each with its probability."""
    model, n = TIE_MODELS[ties], 20
    win, loss = (float(np.exp(model.log_win(np.array(d), np.array(tie)))) for d in (true, -true))
    counts = [(w, n - w - k, k) for w in range(n + 1) for k in range(n + 1 - w)]
    chance = multinomial.pmf(counts, n, [win, 1 - win - loss, loss])
    reduced = leads(frame_of(counts), ties=ties, tie_parameter=tie)
    assert chance @ reduced == pytest.approx(true, abs=0.02)
    former = fit_merits(
        Comparisons.from_frame(frame_of(counts)), ties=ties, tie_parameter=tie, ridge=1e-3
    )
    biased = chance @ (former.merits[::2] - former.merits[1::2])
    assert abs(chance @ reduced - true) <= abs(biased - true) + 1e-6


def test_without_ties_it_is_the_mode_with_jeffreys_prior():
    rng = np.random.default_rng(4)
    pairs = [pair for pair in combinations(range(5), 2) for _ in range(2)]
    won = rng.random(len(pairs)) < 0.7
    frame = pd.DataFrame(
        [(0, f"r{i}", f"r{j}", "a" if w else "b") for (i, j), w in zip(pairs, won, strict=True)],
        columns=["problem", "a", "b", "outcome"],
    )
    X = np.zeros((len(pairs), 5))
    for row, (i, j) in enumerate(pairs):
        X[row, i], X[row, j] = 1, -1

    def loss(free):
        d = X @ np.r_[0, free]
        p = expit(d)
        information = (X.T * (p * (1 - p))) @ X
        _, height = np.linalg.slogdet(information[1:, 1:])
        return -(log_expit(np.where(won, d, -d)).sum() + height / 2)

    expected = np.r_[0, minimize(loss, np.zeros(4), tol=1e-10).x]
    merits = fit_merits(Comparisons.from_frame(frame), ties="none", ridge="firth").merits
    assert merits - merits.mean() == pytest.approx(expected - expected.mean(), abs=2e-3)


def league(topics, texts, votes, *, tie, seed):
    """Return comparisons of all pairs in many topics, and the true merits (topics, texts)."""
    rng = np.random.default_rng(seed)
    merit = rng.normal(0, 0.8, (topics, texts))
    i, j = (np.tile(np.repeat(side, votes), topics) for side in np.triu_indices(texts, 1))
    topic = np.repeat(np.arange(topics), len(i) // topics)
    felt = merit[topic, i] - merit[topic, j]
    u = rng.random(len(i))
    outcome = np.where(u < expit(felt - tie), "a", np.where(u < 1 - expit(-felt - tie), "tie", "b"))
    frame = pd.DataFrame({"problem": topic, "a": i, "b": j, "outcome": outcome})
    return frame, merit - merit.mean(axis=1, keepdims=True)


@pytest.mark.parametrize("votes", [1, 3])
def test_scale_and_tie_parameter_do_not_depend_on_the_number_of_votes(votes):
    """Issue 26: a difference of 1 was estimated as 1.3 (one vote a pair), 1.1 (three)."""
    frame, true = league(500, 6, votes, tie=0.6, seed=votes)
    comparisons = Comparisons.from_frame(frame)
    reduced = fit_merits(comparisons, tie_parameter="estimated", ridge="firth")
    slope = (reduced.merits * true.ravel()).sum() / (true**2).sum()
    assert slope == pytest.approx(1, abs=0.05)
    assert reduced.tie_parameter[0] == pytest.approx(0.6, abs=0.03)
    assert reduced.converged.all()
    former = fit_merits(comparisons, tie_parameter="estimated")
    assert (former.merits * true.ravel()).sum() / (true**2).sum() > slope + 0.04


def test_draws_and_steps_without_a_worker_start_at_the_same_fit():
    """With equal workers each step is the same, so nothing varies over workers."""
    frame, _ = league(4, 4, 2, tie=0.6, seed=1)
    equal = pd.concat([frame.assign(worker=worker) for worker in range(6)], ignore_index=True)
    comparisons = Comparisons.from_frame(equal)
    result = fit_merits(comparisons, tie_parameter="estimated", ridge="firth")
    errors = merit_errors(result, workers=equal["worker"].tolist())
    assert errors.error == pytest.approx(0, abs=1e-6)
    drawn = bootstrap_merits(result, draws=200)
    assert ((drawn.merit_low < result.merits) & (result.merits < drawn.merit_high)).all()


def test_another_word_than_firth_is_refused():
    comparisons = Comparisons.from_frame(frame_of([(1, 0, 0)]))
    with bad_setting("ridge"):
        fit_merits(comparisons, ridge="jeffreys")


def test_the_only_worker_of_a_topic_leaves_its_texts_level():
    # without comparisons there is no bias to remove either, and one Newton step of the ridge alone
    # moves a merit x from the dummy by sinh x
    rows = [(topic, f"A{topic}", f"B{topic}", "a") for topic in range(12) for _ in range(3)]
    frame = pd.DataFrame(rows, columns=["problem", "a", "b", "outcome"])
    result = fit_merits(Comparisons.from_frame(frame), tie_parameter=0.5, ridge="firth")
    errors = merit_errors(result, workers=frame["problem"].tolist())
    gap = result.merits[0] - result.merits[1]
    assert np.abs(errors.change).max() == pytest.approx(np.sinh(gap / 2), rel=1e-3)
