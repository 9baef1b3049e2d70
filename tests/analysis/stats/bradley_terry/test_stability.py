"""Ranking stability against a plain loop, its ends, and the corpus."""

from collections import Counter

import numpy as np
import pandas as pd
import pytest
from scipy.stats import kendalltau

from analysis.stats.bradley_terry.comparisons import Comparisons
from analysis.stats.bradley_terry.merits import fit_merits
from analysis.stats.bradley_terry.stability import ranking_stability
from tests.analysis.coded_errors import bad_setting, cannot_compute
from tests.analysis.stats.bradley_terry.test_merits import frame_of
from tests.analysis.stats.bradley_terry.test_position_effect import VOTES, shown


def label(outcomes):
    ranked = [*Counter(outcomes).most_common(), (None, 0)]
    return ranked[0][0] if ranked[0][1] > ranked[1][1] else "tie"


def merits_of(votes):
    rows = [(*pair, label(part.outcome)) for pair, part in votes.groupby(["problem", "a", "b"])]
    return fit_merits(Comparisons.from_frame(frame_of(*rows))).frame()


def test_it_equals_drawing_labelling_and_fitting_one_by_one():
    votes = shown(0.0, topics=2, n=4, votes=3)
    full, taus = merits_of(votes), []
    for seed in range(40):
        one = votes.sample(frac=1, random_state=seed).drop_duplicates(["problem", "a", "b"])
        both = full.assign(drawn=merits_of(one).merit).round(8)
        taus.append(
            [kendalltau(part.merit, part.drawn).statistic for _, part in both.groupby("problem")]
        )
    result = ranking_stability(Comparisons.from_frame(votes), draws=400)
    # the error of a mean of 40, three times
    error = 3 * np.mean(taus, axis=1).std() / np.sqrt(40)
    assert result.tau[0] == pytest.approx(np.mean(taus), abs=error)
    assert (result.problems, result.items, result.votes) == (2, 12, 36)


def test_all_votes_give_the_full_ranking_and_fewer_come_near_to_it():
    result = ranking_stability(Comparisons.from_frame(shown(0.0, topics=10)), draws=40)
    assert result.votes_per_item.tolist() == [1, 2, 3, 4, 5]
    assert (result.tau[-1], result.low[-1], result.high[-1]) == (1.0, 1.0, 1.0)
    assert (np.diff(result.tau) > 0).all()
    assert ((result.low <= result.tau) & (result.tau <= result.high)).all()


@pytest.mark.parametrize("ties", ["rao-kupper", "davidson"])
def test_items_with_fewer_votes_give_all_they_have(ties):
    votes = shown(0.0, topics=3)
    fewer = pd.concat([votes, votes[votes.problem == 0]])
    result = ranking_stability(Comparisons.from_frame(fewer), draws=10, ties=ties)
    assert result.votes_per_item[-1] == 10
    assert result.tau[-1] == 1.0


def test_the_same_seed_gives_the_same_draws():
    comparisons = Comparisons.from_frame(shown(0.0, topics=3))
    one, again, other = (ranking_stability(comparisons, draws=5, seed=s).tau for s in (1, 1, 2))
    assert np.array_equal(one, again)
    assert not np.array_equal(one, other)


def test_it_says_that_there_is_no_ranking_to_come_near_to():
    comparisons = Comparisons.from_frame(frame_of(("t", "x", "y", "tie")))
    with cannot_compute("all_merits_equal"):
        ranking_stability(comparisons)


def test_flat_problems_are_left_out_and_counted():
    votes = pd.concat([shown(0.0, topics=2), frame_of((9, 0, 1, "tie"))])
    result = ranking_stability(Comparisons.from_frame(votes), draws=2)
    assert (result.problems, result.flat_problems) == (2, 1)
    assert result.tau[-1] == 1.0


def test_it_refuses_weights_and_bad_settings():
    comparisons = Comparisons.from_frame(shown(0.0, topics=1).assign(weight=2.0))
    with cannot_compute("unusable_weight"):
        ranking_stability(comparisons)
    comparisons = Comparisons.from_frame(shown(0.0, topics=1))
    for setting in ({"draws": 0}, {"confidence": 1.0}, {"ridge": 0.0}):
        with bad_setting(next(iter(setting))):
            ranking_stability(comparisons, **setting)


@pytest.mark.corpus
def test_three_votes_rank_most_responses_of_the_corpus_like_five(five_votes):
    votes = pd.DataFrame(
        {
            "problem": five_votes.query_id,
            "a": five_votes.response_a,
            "b": five_votes.response_b,
            "outcome": five_votes.quality_overall,
        }
    )
    result = ranking_stability(Comparisons.from_frame(votes, outcomes=VOTES), draws=20)
    assert (result.items, result.problems, result.votes) == (1352, 65, 6760)
    assert (np.diff(result.tau) > 0).all()
    assert 0.4 < result.tau[0] < 0.7 < result.tau[3] < result.tau[4] == 1.0
    assert (result.high - result.low)[0] < 0.15
