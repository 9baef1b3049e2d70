"""Designs that mislead: what was found in issue 10, and what is said now."""

import numpy as np
import pandas as pd

from analysis.stats.agreement.alpha import krippendorff_alpha
from analysis.stats.bradley_terry.comparisons import Comparisons
from analysis.stats.bradley_terry.merit_errors import merit_errors
from analysis.stats.bradley_terry.merit_intervals import bootstrap_merits
from analysis.stats.bradley_terry.merits import fit_merits
from analysis.stats.design_checks import check_comparisons, few_clusters, undefined
from analysis.stats.effects.worker_changes import from_merits
from analysis.stats.votes import Votes
from tests.hooks import numbers


def comparisons_of(*pairs, times=1, outcome="a", problem="t"):
    rows = [{"problem": problem, "a": a, "b": b, "outcome": outcome} for a, b in pairs] * times
    return pd.DataFrame(rows)


def checked(frame):
    return check_comparisons(Comparisons.from_frame(frame))


def test_a_graph_in_two_parts_is_joined_by_the_ridge_alone():
    # issue 10: it got letters (p = .002)
    frame = comparisons_of(("a", "b"), ("c", "d"), times=30)
    found = checked(frame).iloc[0]
    assert (found.responses, found.comparisons, found.parts) == (4, 60, 2)
    assert numbers(found.why)[0] == 2
    intervals = bootstrap_merits(fit_merits(Comparisons.from_frame(frame)))
    across = (np.array(intervals.first) == 0) & (np.array(intervals.second) == 3)
    assert intervals.ahead[across][0] == 1  # a and d were never compared


def test_grades_of_a_single_comparison_have_no_width():
    # issue 10: it got letters that differ
    frame = comparisons_of(("a", "b"))
    intervals = bootstrap_merits(fit_merits(Comparisons.from_frame(frame)))
    assert (intervals.grade_low == intervals.grade_high).all()


def test_a_chain_is_one_part_and_ties_alone_are_counted_as_such():
    chain = comparisons_of(("a", "b"), ("b", "c"), ("c", "d"), times=2)
    assert checked(chain).iloc[0][["parts", "why"]].tolist() == [1, ""]
    assert checked(chain.assign(outcome="tie")).iloc[0].decided == 0


def test_each_problem_is_checked_by_itself_and_weightless_comparisons_join_nothing():
    frame = pd.concat(
        [
            comparisons_of(("a", "b"), times=6),
            comparisons_of(("a", "b"), ("c", "d"), times=6, problem="u"),
            comparisons_of(("b", "c"), problem="u").assign(weight=0.0),
        ]
    )
    upload = checked(frame.assign(weight=frame["weight"].fillna(1.0)))
    assert upload["parts"].tolist() == [1, 2]
    assert (upload["why"] == "").tolist() == [True, False]


def test_merits_in_parts_have_no_interval_and_give_no_value_to_a_group():
    frame = pd.concat(
        [
            comparisons_of(("a", "b"), ("c", "d"), times=30),
            comparisons_of(("a", "b"), ("b", "c"), ("c", "d"), times=30, problem="u"),
        ],
        ignore_index=True,
    )
    comparisons = Comparisons.from_frame(frame)
    result = fit_merits(comparisons)
    errors = merit_errors(result, workers=np.arange(len(frame)) % 12)
    of_t = comparisons.entry_problem == 0
    assert np.isnan(errors.low[of_t]).all()
    assert not np.isnan(errors.low[~of_t]).any()
    values, changes = from_merits(result, errors, {name: name for name in "abcd"})
    assert set(values["topic"]) == set(changes["topic"]) == {"u"}


def test_undefined_draws_are_said():
    # issue 10: two items give alpha 1 [1, 1] with half of the draws undefined and not said
    item, value = np.repeat([0, 1], 5), np.repeat([0, 1], 5)
    votes = Votes.from_indices(item, np.tile(np.arange(5), 2), value, options="AB")
    result = krippendorff_alpha(votes)
    said = undefined("alpha", undefined_draws=result.undefined_draws, draws=result.draws)
    assert numbers(said) == [result.undefined_draws, 1000]
    assert numbers(undefined("alpha", undefined_draws=3, draws=1000)) == [3, 1000]
    assert undefined("alpha", undefined_draws=0, draws=1000) == ""


def test_every_lack_is_said_in_one_sentence():
    assert few_clusters("alpha", units=10, workers=10) == ""
    result = few_clusters("alpha", units=2, workers=3)
    assert numbers(result) == [10, 3, 10, 2]
