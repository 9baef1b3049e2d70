"""Bradley-Terry with ties against a general optimiser, choix, its own laws, and the corpus."""

from functools import partial

import choix
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from analysis.stats.bradley_terry.comparisons import Comparisons
from analysis.stats.bradley_terry.merits import fit_merits, grade
from analysis.stats.bradley_terry.merits_newton import maximise
from analysis.stats.bradley_terry.tie_models import TIE_MODELS
from analysis.stats.errors import CannotCompute
from tests.analysis.coded_errors import assert_different_reasons, bad_setting, cannot_compute
from tests.analysis.stats.conftest import DIMENSIONS

GOLD = {"a": 1, "n": 0, "b": -1}


def penalised(merits, rows, t, ridge):
    """Return the objective as the paper writes it, comparison by comparison: higher is better."""
    total = 0.0
    for i, j, outcome, weight in rows:
        i_wins = np.exp(merits[i]) / (np.exp(merits[i]) + np.exp(merits[j] + t))
        j_wins = np.exp(merits[j]) / (np.exp(merits[j]) + np.exp(merits[i] + t))
        p = {1: i_wins, -1: j_wins, 0: 1 - i_wins - j_wins}[outcome]
        total += weight * np.log(p)
    for m in merits:
        wins = np.exp(m) / (np.exp(m) + np.e)
        total += ridge * (np.log(wins) + np.log(1 - wins))
    return total


@st.composite
def tournaments(draw, least=1, most=4):
    """Return a frame of comparisons in problems of two to nine responses."""
    rows = []
    for problem in range(draw(st.integers(least, most))):
        n = draw(st.integers(2, 9))
        pair = st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)).filter(
            lambda p: p[0] != p[1]
        )
        result = st.sampled_from(["a", "tie", "b"])
        for (i, j), outcome in draw(st.lists(st.tuples(pair, result), min_size=1, max_size=20)):
            rows.append((f"p{problem}", f"r{i}", f"r{j}", outcome))
    return pd.DataFrame(rows, columns=["problem", "a", "b", "outcome"])


def rows_of(comparisons, problem):
    mine = np.flatnonzero(comparisons.problem == problem)
    place = comparisons.entry_place
    return [
        (
            place[comparisons.a[k]],
            place[comparisons.b[k]],
            comparisons.outcome[k],
            comparisons.weight[k],
        )
        for k in mine
    ]


def frame_of(*rows):
    return pd.DataFrame(rows, columns=["problem", "a", "b", "outcome"])


# --- against others ---------------------------------------------------------------------------


@given(frame=tournaments(), t=st.sampled_from([0.05, 0.7, 2.0]), ridge=st.sampled_from([0.01, 0.2]))
@settings(deadline=None, max_examples=12)
def test_it_is_nowhere_worse_than_a_general_optimiser(frame, t, ridge):
    result = fit_merits(Comparisons.from_frame(frame), tie_parameter=t, ridge=ridge)
    assert result.converged.all()
    for problem in range(len(result.comparisons.problems)):
        rows = rows_of(result.comparisons, problem)
        merits = result.merits[result.comparisons.entry_problem == problem]
        best = minimize(lambda m, rows=rows: -penalised(m, rows, t, ridge), np.ones(len(merits)))
        assert penalised(merits, rows, t, ridge) >= -best.fun - 1e-9
        assert merits == pytest.approx(best.x, abs=0.02)


@given(frame=tournaments())
@settings(deadline=None, max_examples=30)
def test_the_likelihood_is_that_of_the_comparisons(frame):
    result = fit_merits(Comparisons.from_frame(frame))
    for problem, reported in enumerate(result.log_likelihood):
        merits = result.merits[result.comparisons.entry_problem == problem]
        expected = penalised(merits, rows_of(result.comparisons, problem), 0.05, 0.0)
        assert reported == pytest.approx(expected, abs=1e-9)


def test_without_ties_it_equals_choix():
    rng = np.random.default_rng(3)
    true = rng.normal(size=8)
    i, j = rng.integers(0, 8, (2, 600))
    i, j = i[i != j], j[i != j]
    wins = rng.random(len(i)) < 1 / (1 + np.exp(true[j] - true[i]))
    frame = pd.DataFrame({"problem": 0, "a": i, "b": j, "outcome": np.where(wins, "a", "b")})
    result = fit_merits(Comparisons.from_frame(frame), tie_parameter=1e-12, ridge=1e-9)
    pairs = np.where(wins[:, None], np.column_stack([i, j]), np.column_stack([j, i]))
    expected = choix.ilsr_pairwise(8, pairs.tolist(), alpha=0, tol=1e-10)
    assert result.merits - result.merits.mean() == pytest.approx(expected, abs=1e-5)


@given(frame=tournaments(), ridge=st.sampled_from([0.01, 0.2]))
@settings(deadline=None, max_examples=25)
def test_without_ties_merits_are_those_of_choix_and_the_maximum_of_newton(frame, ridge):
    result = fit_merits(Comparisons.from_frame(frame), ties="none", ridge=ridge)
    assert result.converged.all()
    assert not result.estimated
    assert np.isnan([result.tie_low, result.tie_high]).all()
    for problem in range(len(result.comparisons.problems)):
        mine = result.comparisons.entry_problem == problem
        wins = np.zeros((mine.sum(),) * 2)
        for i, j, outcome, _ in rows_of(result.comparisons, problem):
            wins[(i, j) if outcome == 1 else (j, i)] += outcome != 0  # ties are left out
        (newton,) = maximise(TIE_MODELS["none"], wins[:, :, None], np.zeros(1), ridge).merits.T
        assert result.merits[mine] == pytest.approx(newton, abs=1e-6)


def test_plain_merits_of_two_are_the_log_of_the_odds_of_winning():
    # 6 wins to 2, and the two ties say nothing: log(6 / 2)
    rows = [(0, "a", "b", outcome) for outcome in "aaaaaabb"] + [(0, "a", "b", "tie")] * 2
    result = fit_merits(Comparisons.from_frame(frame_of(*rows)), ties="none", ridge=1e-9)
    assert result.merits[0] - result.merits[1] == pytest.approx(np.log(3), abs=1e-6)
    assert result.compared.tolist() == [10, 10]


@pytest.mark.corpus
def test_it_meets_the_published_grades(gold_comparisons, grades):
    # grades.jsonl.gz of the Crowd RAG Corpus 2025, from its own gold labels. The published ranks of
    # equal merits depend on a hash seed; all others are met.
    result = fit_merits(Comparisons.from_frame(gold_comparisons, outcomes=GOLD))
    found = result.frame()
    for shared in ("lowest", "highest"):
        found[shared] = grade(result.merits, result.comparisons.entry_problem, shared=shared)
    found["dimension"] = [problem[1] for problem in found.problem]
    published = grades.melt("response", var_name="dimension", value_name="published")
    both = found.merge(published, on=["response", "dimension"])
    assert len(both) == 2730
    untied = both[both.lowest == both.highest]
    assert (untied.grade == untied.published).all()
    assert len(untied) == 2700
    assert both.published.between(both.lowest, both.highest).all()


@pytest.mark.corpus
def test_it_estimates_the_tie_parameters_of_the_corpus(gold_comparisons):
    # .7 to 1.3, where the paper fixes .05; overall quality has no tie
    comparisons = Comparisons.from_frame(gold_comparisons, outcomes=GOLD)
    questions = [dimension for _, dimension in comparisons.problems]
    result = fit_merits(comparisons, tie_parameter="estimated", tie_groups=questions)
    t = dict(zip(questions, result.tie_parameter, strict=True))
    assert t["quality_overall"] == 0
    assert all(0.7 < t[dimension] < 1.3 for dimension in DIMENSIONS[:-1])


# --- laws -------------------------------------------------------------------------------------


@given(frame=tournaments())
@settings(deadline=None, max_examples=20)
def test_mirrored_pairs_give_the_same_merits(frame):
    other_way = frame["outcome"].map({"a": "b", "tie": "tie", "b": "a"})
    mirrored = frame.assign(a=frame.b, b=frame.a, outcome=other_way)
    one, other = (fit_merits(Comparisons.from_frame(f)) for f in (frame, mirrored))
    assert one.merits == pytest.approx(other.merits, abs=1e-9)
    assert np.array_equal(one.grades, other.grades)


@given(frame=tournaments())
@settings(deadline=None, max_examples=20)
def test_mirrored_outcomes_give_mirrored_merits(frame):
    reverse = {"a": -1, "tie": 0, "b": 1}
    one = fit_merits(Comparisons.from_frame(frame))
    other = fit_merits(Comparisons.from_frame(frame, outcomes=reverse))
    assert one.merits - 1 == pytest.approx(1 - other.merits, abs=1e-9)
    n = one.comparisons.sizes[one.comparisons.entry_problem]
    assert np.array_equal(one.grades, n + 1 - other.grades)


@given(frame=tournaments(least=2, most=6))
@settings(deadline=None, max_examples=20)
def test_problems_do_not_touch_each_other(frame):
    together = fit_merits(Comparisons.from_frame(frame)).frame()
    alone = [
        fit_merits(Comparisons.from_frame(part)).frame() for _, part in frame.groupby("problem")
    ]
    pd.testing.assert_frame_equal(together, pd.concat(alone, ignore_index=True), atol=1e-9)


@given(frame=tournaments(), seed=st.integers(0, 99))
@settings(deadline=None, max_examples=20)
def test_the_order_of_the_comparisons_does_not_matter(frame, seed):
    shuffled = frame.sample(frac=1, random_state=seed)
    one, other = (fit_merits(Comparisons.from_frame(f)).frame() for f in (frame, shuffled))
    pd.testing.assert_frame_equal(one, other, atol=1e-9)


@given(frame=tournaments())
@settings(deadline=None, max_examples=20)
def test_a_weight_of_two_is_the_same_comparison_twice(frame):
    twice = fit_merits(Comparisons.from_frame(pd.concat([frame, frame])))
    weighted = fit_merits(Comparisons.from_frame(frame.assign(weight=2.0)))
    assert twice.merits == pytest.approx(weighted.merits, abs=1e-9)


@given(frame=tournaments())
@settings(deadline=None, max_examples=20)
def test_the_grades_of_a_problem_always_have_the_same_sum(frame):
    result = fit_merits(Comparisons.from_frame(frame))
    sums = np.bincount(result.comparisons.entry_problem, weights=result.grades)
    n = result.comparisons.sizes
    assert sums.tolist() == (n * (n + 1) / 2).tolist()


def test_who_wins_more_is_graded_higher():
    rows = [("t", "x", "y", "a"), ("t", "y", "z", "a"), ("t", "x", "z", "a")]
    frame = fit_merits(Comparisons.from_frame(frame_of(*rows))).frame()
    assert frame.set_index("response").grade.to_dict() == {"x": 3.0, "y": 2.0, "z": 1.0}
    assert frame.compared.tolist() == [2, 2, 2]


def test_a_winner_of_everything_keeps_a_finite_merit():
    rows = [("t", "x", "y", "a")] * 50
    result = fit_merits(Comparisons.from_frame(frame_of(*rows)), ridge=1e-4)
    assert result.converged.all()
    assert 10 < result.merits[0] - result.merits[1] < 50


@pytest.mark.parametrize(
    ("shared", "expected"),
    [("mean", [1.5, 3.0, 1.5]), ("lowest", [1, 3, 1]), ("highest", [2, 3, 2])],
)
def test_equal_merits_share_a_grade(shared, expected):
    rows = [("t", "w", "u", "a"), ("t", "w", "z", "a")]
    # u and z both lost once against w
    result = fit_merits(Comparisons.from_frame(frame_of(*rows)), shared=shared)
    assert result.comparisons.responses == ("u", "w", "z")
    assert result.grades.tolist() == expected


def test_rounding_errors_do_not_part_equal_merits():
    merits = np.array([1.0, 1.0 + 1e-14, 0.9999999999, 2.0])
    assert grade(merits, np.zeros(4, dtype=int)).tolist() == [2.0, 2.0, 2.0, 4.0]


def test_very_different_sizes_are_fitted_side_by_side():
    rng = np.random.default_rng(1)
    rows = []
    for problem, n in enumerate([2, 3, 40, 5, 150, 6, 2]):
        for _ in range(6 * n):
            i, j = rng.permutation(n)[:2]
            rows.append((problem, int(i), int(j), ["a", "tie", "b"][rng.integers(3)]))
    result = fit_merits(Comparisons.from_frame(frame_of(*rows)))
    assert result.converged.all()
    assert result.comparisons.sizes.tolist() == [2, 3, 40, 5, 150, 6, 2]


# --- the tie parameter ------------------------------------------------------------------------


def profile(frame, t):
    """Return the penalised likelihood of all problems at the best merits for t."""
    result = fit_merits(Comparisons.from_frame(frame), tie_parameter=t)
    dummy = 1 / (1 + np.exp(1 - result.merits))
    return result.log_likelihood.sum() + 0.2 * np.log(dummy * (1 - dummy)).sum()


@given(frame=tournaments())
@settings(deadline=None, max_examples=20)
def test_no_other_tie_parameter_is_more_likely(frame):
    undecided = (frame.outcome == "tie").all()
    if undecided or not (frame.outcome == "tie").any():
        return
    result = fit_merits(Comparisons.from_frame(frame), tie_parameter="estimated")
    t = result.tie_parameter[0]
    assert (result.tie_parameter == t).all()
    for other in (0.5 * t, 0.99 * t, 1.01 * t, 2 * t):
        assert profile(frame, t) >= profile(frame, other)


def test_groups_have_tie_parameters_of_their_own():
    often = [("a", "x", "y", "tie")] * 8 + [("a", "x", "y", "a"), ("a", "x", "y", "b")]
    seldom = [("b", "x", "y", "a")] * 5 + [("b", "x", "y", "b")] * 4 + [("b", "x", "y", "tie")]
    never = [("c", "x", "y", "a")] * 5
    comparisons = Comparisons.from_frame(frame_of(*often, *seldom, *never))
    result = fit_merits(comparisons, tie_parameter="estimated", tie_groups=["a", "b", "c"])
    t = result.tie_parameter
    assert t[0] > 1 > t[1] > t[2] == 0
    assert result.estimated


def test_it_says_that_nothing_was_decided():
    comparisons = Comparisons.from_frame(frame_of(("t", "x", "y", "tie")))
    with cannot_compute("only_ties", match="'all'"):
        fit_merits(comparisons, tie_parameter="estimated")


# --- refusals ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("frame", "code", "shown"),
    [
        (frame_of(), "no_comparisons", ""),
        (
            frame_of(("t", "x", None, "a")),
            "incomplete_comparison",
            "1 .* b",
        ),
        (frame_of(("t", "x", "y", "n")), "unknown_outcome", "'n'"),
        (frame_of(("t", "x", "x", "a")), "compared_with_itself", "'x'"),
        (frame_of(("t", "x", "y", "a")).assign(weight=-1.0), "unusable_weight", ""),
        (frame_of(("t", "x", "y", "a")).assign(weight=np.nan), "unusable_weight", ""),
        (frame_of(("t", "x", "y", "a")).assign(weight=0.0), "unusable_weight", ""),
        (
            frame_of(("t", "x", "y", "a")).drop(columns="a"),
            "incomplete_comparison",
            " a",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) and " " not in value else "",
)
def test_it_refuses_comparisons_that_make_no_sense(frame, code, shown):
    with cannot_compute(code, match=shown):
        Comparisons.from_frame(frame)


def test_each_fault_of_weights_is_told_by_itself():
    frames = (frame_of(("t", "x", "y", "a")).assign(weight=w) for w in (-1.0, np.nan, 0.0))
    assert_different_reasons(
        CannotCompute, *(partial(Comparisons.from_frame, frame) for frame in frames)
    )


@pytest.mark.parametrize(
    "setting",
    [
        {"ridge": 0.0},
        {"tie_parameter": 0.0},
        {"tie_parameter": float("nan")},
        {"tie_parameter": "guessed"},
        {"shared": "none"},
        {"tie_groups": ["a", "b"], "tie_parameter": "estimated"},
    ],
    ids=lambda setting: next(iter(setting)),
)
def test_it_refuses_a_bad_setting(setting):
    comparisons = Comparisons.from_frame(frame_of(("t", "x", "y", "a")))
    with bad_setting(next(iter(setting))):
        fit_merits(comparisons, **setting)


@pytest.mark.corpus
def test_it_counts_the_problems_of_the_corpus_that_need_a_ridge(gold_comparisons):
    # In 142 of the 455 problems of the Crowd RAG Corpus 2025 a response won or lost everything.
    comparisons = Comparisons.from_frame(gold_comparisons, outcomes=GOLD)
    R = len(comparisons.responses)
    wins, losses = (
        np.bincount(comparisons.a[comparisons.outcome != -sign], minlength=R)
        + np.bincount(comparisons.b[comparisons.outcome != sign], minlength=R)
        for sign in (1, -1)
    )
    unbounded = np.unique(comparisons.entry_problem[(wins == 0) | (losses == 0)])
    assert (len(unbounded), len(comparisons.problems)) == (142, 455)
