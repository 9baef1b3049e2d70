"""Plain Bradley-Terry and Plackett-Luce: a general optimiser, the textbook, and refusals."""

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize

from analysis.stats.bradley_terry.comparisons import Comparisons
from analysis.stats.bradley_terry.merits import fit_merits
from analysis.stats.bradley_terry.plain_merits import (
    NoMaximum,
    TiesPresent,
    plackett_luce,
    plain_bradley_terry,
    without_maximum,
)
from analysis.stats.errors import BadSetting, CannotCompute
from tests.analysis.stats.bradley_terry.test_merits import GOLD, frame_of


def rankings_of(*rankings, problem="t"):
    return pd.DataFrame(
        [
            (problem, k, response, rank)
            for k, ranking in enumerate(rankings)
            for rank, response in enumerate(ranking, start=1)
        ],
        columns=["problem", "ranking", "response", "rank"],
    )


CIRCLE = [("t", "x", "y", "a"), ("t", "y", "z", "a"), ("t", "z", "x", "a"), ("t", "x", "z", "a")]


def test_two_responses_have_the_estimate_and_the_error_of_the_textbook():
    rows = [("t", "x", "y", "a")] * 9 + [("t", "y", "x", "a")] * 4
    result = plain_bradley_terry(Comparisons.from_frame(frame_of(*rows)))
    assert result.merits == pytest.approx(np.log([9 / 4, 4 / 9]) / 2, abs=1e-6)
    # var(log odds) = 1/9 + 1/4, and a merit is half the difference
    half = 1.959964 * np.sqrt(1 / 9 + 1 / 4) / 2
    assert result.high - result.merits == pytest.approx([half, half], abs=1e-5)
    assert result.compared.tolist() == [13, 13]
    assert result.log_likelihood[0] == pytest.approx(9 * np.log(9 / 13) + 4 * np.log(4 / 13))


def test_plain_bradley_terry_is_the_model_with_ties_without_any():
    rng = np.random.default_rng(2)
    rows = [
        (topic, *map(int, rng.permutation(5)[:2]), rng.choice(["a", "b"]))
        for topic in "tu"
        for _ in range(80)
    ]
    comparisons = Comparisons.from_frame(frame_of(*rows))
    plain = plain_bradley_terry(comparisons)
    ridged = fit_merits(comparisons, tie_parameter=1e-12, ridge=1e-9)
    for problem in (0, 1):
        mine = plain.entry_problem == problem
        assert plain.merits[mine] == pytest.approx(
            ridged.merits[mine] - ridged.merits[mine].mean(), abs=1e-5
        )
    assert np.array_equal(plain.grades, ridged.grades)


def test_rankings_have_the_merits_of_a_general_optimiser():
    rng = np.random.default_rng(3)
    # Gumbel noise on merits makes rankings of the Plackett-Luce model
    draws = np.arange(5) * 0.5 + rng.gumbel(size=(60, 5))
    rankings = [np.argsort(-draw)[: 3 + k % 3].tolist() for k, draw in enumerate(draws)]
    result = plackett_luce(rankings_of(*rankings))

    def loss(m):
        return -sum(
            m[ranking[k]] - np.log(np.exp(m[ranking[k:]]).sum())
            for ranking in rankings
            for k in range(len(ranking) - 1)
        )

    best = minimize(loss, np.zeros(5), method="BFGS")
    assert result.merits == pytest.approx(best.x - best.x.mean(), abs=1e-4)
    assert result.log_likelihood[0] == pytest.approx(-best.fun)
    # the curvature by differences of the likelihood as it is written above
    e = 1e-3 * np.eye(5)
    H = [
        [
            sum(s * u * loss(result.merits + s * i + u * j) for s in (1, -1) for u in (1, -1))
            / 4e-6
            for i in e
        ]
        for j in e
    ]
    error = np.sqrt(np.diag(np.linalg.pinv(H, rcond=1e-6)))
    assert (result.high - result.merits) / 1.959964 == pytest.approx(error, rel=1e-3)
    assert result.method == "plackett-luce"


def test_rankings_of_two_are_comparisons():
    pairs = [(row[1], row[2]) for row in CIRCLE]
    one = plain_bradley_terry(Comparisons.from_frame(frame_of(*CIRCLE)))
    other = plackett_luce(rankings_of(*pairs))
    assert one.merits == pytest.approx(other.merits, abs=1e-6)
    assert one.low == pytest.approx(other.low, abs=1e-6)


@pytest.mark.parametrize(
    ("rows", "error", "sentence"),
    [
        ([*CIRCLE, ("t", "x", "y", "tie")], TiesPresent, "the problem 't' has 1 ties"),
        (CIRCLE[:2], NoMaximum, "3 groups of which one always beats another"),
        ([*CIRCLE, ("t", "v", "w", "a")], NoMaximum, "2 groups that are never compared"),
    ],
)
def test_it_refuses_comparisons_without_a_maximum(rows, error, sentence):
    with pytest.raises(error, match=sentence):
        plain_bradley_terry(Comparisons.from_frame(frame_of(*rows)))


def test_it_refuses_weights():
    weighted = Comparisons.from_frame(frame_of(*CIRCLE).assign(weight=2.0))
    with pytest.raises(CannotCompute, match="takes no weights"):
        plain_bradley_terry(weighted)


@pytest.mark.parametrize(
    ("frame", "sentence"),
    [
        (rankings_of(), "not a single comparison"),
        (rankings_of("xy", "yx").assign(rank=1), "has 2 ties"),
        (rankings_of("xx", "yx"), "once in each ranking"),
        (rankings_of("xyz", "xzy"), "2 groups of which one always beats another"),
        (rankings_of("xy").assign(rank=np.nan), "2 comparisons have no value in rank"),
    ],
)
def test_it_refuses_rankings_that_make_no_sense(frame, sentence):
    with pytest.raises(CannotCompute, match=sentence):
        plackett_luce(frame)


def test_it_refuses_a_bad_confidence():
    with pytest.raises(BadSetting, match="setting confidence is"):
        plackett_luce(rankings_of("xy", "yx"), confidence=1.0)


@pytest.mark.corpus
def test_it_counts_the_problems_of_the_corpus_that_need_a_ridge(gold_comparisons):
    # In 142 of the 455 problems of the Crowd RAG Corpus 2025 a response won or lost everything;
    # in nine more it is a group of responses. Every way to split each problem in two was tried.
    comparisons = Comparisons.from_frame(gold_comparisons, outcomes=GOLD)
    R = len(comparisons.responses)
    wins, losses = (
        np.bincount(comparisons.a[comparisons.outcome != -sign], minlength=R)
        + np.bincount(comparisons.b[comparisons.outcome != sign], minlength=R)
        for sign in (1, -1)
    )
    single = np.zeros(455, dtype=bool)
    single[comparisons.entry_problem[(wins == 0) | (losses == 0)]] = True
    flags = without_maximum(comparisons)
    assert flags[single].all()
    assert (single.sum(), flags.sum(), len(flags)) == (142, 151, 455)
