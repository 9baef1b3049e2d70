import numpy as np
import pytest

from analysis.stats.labels.majority import majority_vote
from analysis.stats.votes import Votes
from tests.analysis.coded_errors import cannot_compute
from tests.analysis.stats.conftest import DIMENSIONS, votes_of

NONE = np.array([], dtype=int)


def test_the_majority_is_the_option_chosen_most():
    item, value = np.array([0, 0, 0, 1, 1]), np.array([2, 0, 2, 1, 0])
    votes = Votes.from_indices(
        item, np.arange(5), value, options=("A", "N", "B"), items=["x", "y", "z"]
    )
    result = majority_vote(votes)
    assert result.gold.tolist() == [2, 0, -1]
    assert result.tied.tolist() == [False, True, False]
    assert result.share[:2].tolist() == [2 / 3, 1 / 2]
    assert np.isnan(result.share[2])


def test_it_says_that_there_is_nothing_to_count():
    with cannot_compute("no_votes"):
        majority_vote(Votes.from_indices(NONE, NONE, NONE, options=("A", "B")))


@pytest.mark.corpus
def test_it_splits_the_corpus_into_differentiable_and_other_pairs(five_votes):
    # Gienapp et al. 2025, Table 4: 290 pairs have a majority of 3 of 5 on 5 of 7 dimensions.
    majorities = np.zeros(1352, dtype=int)
    for dimension in DIMENSIONS:
        votes = votes_of(five_votes, dimension, ("A", "N", "B"))
        majorities += majority_vote(votes).share >= 0.6
    assert sorted([(majorities >= 5).sum(), (majorities < 5).sum()]) == [290, 1062]
