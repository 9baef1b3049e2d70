"""Davidson's model of ties against a general optimiser and its own laws."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from scipy.optimize import minimize

from analysis.stats.bradley_terry.comparisons import Comparisons
from analysis.stats.bradley_terry.merit_intervals import bootstrap_merits
from analysis.stats.bradley_terry.merits import fit_merits
from tests.analysis.coded_errors import bad_setting, cannot_compute
from tests.analysis.stats.bradley_terry.test_merits import GOLD, frame_of, rows_of, tournaments
from tests.analysis.stats.conftest import DIMENSIONS


def penalised(merits, rows, nu, ridge):
    """Return the likelihood as Davidson (1970) writes it, with p = exp(merit).

    One array operation for all comparisons: BFGS calls it some thousand times.
    """
    i, j, outcome, weight = (np.array(column) for column in zip(*rows, strict=True))
    p = np.exp(np.asarray(merits))
    root = nu * np.sqrt(p[i] * p[j])
    share = np.select([outcome == 1, outcome == -1], [p[i], p[j]], root) / (p[i] + p[j] + root)
    dummy = p / (p + np.e)
    return weight @ np.log(share) + ridge * np.log(dummy * (1 - dummy)).sum()


def davidson(frame, **settings):
    return fit_merits(Comparisons.from_frame(frame), ties="davidson", **settings)


@given(frame=tournaments(most=2))
@settings(deadline=None, max_examples=8)
@pytest.mark.parametrize(("nu", "ridge"), [(0.05, 0.2), (2.0, 0.1)])
def test_it_is_nowhere_worse_than_a_general_optimiser(frame, nu, ridge):
    result = davidson(frame, tie_parameter=nu, ridge=ridge)
    assert result.converged.all()
    for problem in range(len(result.comparisons.problems)):
        rows = rows_of(result.comparisons, problem)
        merits = result.merits[result.comparisons.entry_problem == problem]
        best = minimize(
            lambda m, rows=rows: -penalised(m, rows, nu, ridge), np.ones(len(merits)), method="BFGS"
        )
        assert penalised(merits, rows, nu, ridge) >= -best.fun - 1e-9
        # a merit far out lies on a slope too flat for BFGS to climb to the end
        steep = np.abs(merits - 1) < 5
        assert merits[steep] == pytest.approx(best.x[steep], abs=0.02)
        likelihood = penalised(merits, rows, nu, 0.0)
        assert result.log_likelihood[problem] == pytest.approx(likelihood, abs=1e-9)


def test_the_tie_parameter_and_the_merits_are_estimated_together():
    # BFGS over merits and log nu at once, which the nested fit never does
    rng = np.random.default_rng(5)
    pairs = [map(int, rng.permutation(5)[:2]) for _ in range(60)]
    rows = [("t", *pair, rng.choice(["a", "tie", "b"])) for pair in pairs]
    result = davidson(frame_of(*rows), tie_parameter="estimated")
    written = rows_of(result.comparisons, 0)
    best = minimize(
        lambda x: -penalised(x[:-1], written, np.exp(x[-1]), 0.2), np.zeros(6), method="BFGS"
    )
    assert result.tie_parameter[0] == pytest.approx(np.exp(best.x[-1]), rel=1e-4)
    assert result.merits == pytest.approx(best.x[:-1], abs=1e-4)


def test_two_responses_have_the_estimate_of_the_textbook():
    # w wins, l losses, k ties, hardly a ridge: m_1 - m_2 = log(w / l), nu = k / sqrt(w l)
    rows = [("t", "x", "y", "a")] * 9 + [("t", "x", "y", "b")] * 4 + [("t", "x", "y", "tie")] * 3
    result = davidson(frame_of(*rows), tie_parameter="estimated", ridge=1e-9)
    assert result.merits[0] - result.merits[1] == pytest.approx(np.log(9 / 4), abs=1e-6)
    assert result.tie_parameter[0] == pytest.approx(3 / 6, abs=1e-6)
    # var(log nu) = 1/k + (1/w + 1/l) / 4, the counts being Poisson
    half = 1.959964 * np.sqrt(1 / 3 + (1 / 9 + 1 / 4) / 4)
    assert result.tie_low[0] == pytest.approx(np.exp(np.log(0.5) - half), rel=1e-4)
    assert result.tie_high[0] == pytest.approx(np.exp(np.log(0.5) + half), rel=1e-4)


@given(frame=tournaments())
@settings(deadline=None, max_examples=15)
def test_renamed_responses_carry_their_merits_along(frame):
    turn = {f"r{k}": f"r{8 - k}" for k in range(9)}
    renamed = frame.assign(a=frame.a.map(turn), b=frame.b.map(turn))
    one = davidson(frame).frame()
    other = davidson(renamed).frame()
    other["response"] = other.response.map(turn)
    other = other.sort_values(["problem", "response"], ignore_index=True)
    pd.testing.assert_frame_equal(one, other, atol=1e-9)


@given(frame=tournaments())
@settings(deadline=None, max_examples=15)
def test_reversed_outcomes_negate_the_merits(frame):
    reverse = {"a": -1, "tie": 0, "b": 1}
    one = davidson(frame)
    other = fit_merits(Comparisons.from_frame(frame, outcomes=reverse), ties="davidson")
    assert one.merits - 1 == pytest.approx(1 - other.merits, abs=1e-9)


def test_far_apart_merits_do_not_overflow():
    rows = [("t", "x", "y", "a")] * 900
    result = davidson(frame_of(*rows), ridge=1e-6)
    assert result.converged.all()
    assert np.isfinite(result.log_likelihood).all()


def test_without_ties_the_parameter_is_nought_and_the_model_plain():
    rows = [("t", "x", "y", "a")] * 3 + [("t", "x", "y", "b"), ("t", "y", "z", "a")]
    estimated = davidson(frame_of(*rows), tie_parameter="estimated")
    plain = fit_merits(Comparisons.from_frame(frame_of(*rows)), tie_parameter=1e-12)
    assert estimated.tie_parameter.tolist() == [0.0]
    assert np.isnan(estimated.tie_low).all()
    assert estimated.merits == pytest.approx(plain.merits, abs=1e-9)


def test_nothing_but_ties_leaves_equals_and_no_tie_parameter():
    frame = frame_of(("t", "x", "y", "tie"), ("t", "y", "z", "tie"))
    assert davidson(frame).merits == pytest.approx([1.0, 1.0, 1.0])
    with cannot_compute("only_ties", match="'all'"):
        davidson(frame, tie_parameter="estimated")


@pytest.mark.parametrize("ties", ["rao-kupper", "davidson"])
def test_the_interval_of_the_tie_parameter_ends_where_the_likelihood_has_fallen(ties):
    # by 1.92, half of the 95 % point of chi-squared with one degree of freedom; on average of both
    # ends, for the likelihood is a little steeper below than above
    rng = np.random.default_rng(6)
    rows = [
        ("t", *map(int, rng.permutation(4)[:2]), rng.choice(["a", "tie", "b"])) for _ in range(400)
    ]
    comparisons = Comparisons.from_frame(frame_of(*rows))

    def likelihood(tie):
        result = fit_merits(comparisons, ties=ties, tie_parameter=tie, ridge=1e-6)
        return result.log_likelihood[0]

    best = fit_merits(comparisons, ties=ties, tie_parameter="estimated", ridge=1e-6)
    top = likelihood(float(best.tie_parameter[0]))
    fall = [top - likelihood(float(end)) for end in (best.tie_low[0], best.tie_high[0])]
    assert np.mean(fall) == pytest.approx(1.92, abs=0.05)


def test_it_refuses_an_unknown_model_of_ties():
    with bad_setting("ties"):
        fit_merits(Comparisons.from_frame(frame_of(("t", "x", "y", "a"))), ties="elo")


@pytest.mark.corpus
def test_both_models_tell_the_same_story_of_the_corpus(gold_comparisons):
    comparisons = Comparisons.from_frame(gold_comparisons, outcomes=GOLD)
    questions = [dimension for _, dimension in comparisons.problems]
    one, other = (
        fit_merits(comparisons, ties=ties, tie_parameter="estimated", tie_groups=questions)
        for ties in ("rao-kupper", "davidson")
    )
    assert np.corrcoef(one.merits, other.merits)[0, 1] > 0.99
    nu = dict(zip(questions, other.tie_parameter, strict=True))
    assert nu["quality_overall"] == 0
    assert all(0.5 < nu[dimension] < 3 for dimension in DIMENSIONS[:-1])
    intervals = bootstrap_merits(other, draws=20)
    assert (intervals.merit_low <= intervals.merit_high).all()
