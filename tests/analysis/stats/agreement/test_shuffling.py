"""Which null: votes shuffled over all, which forgives habits, or within workers, which does not."""

import re

import numpy as np
import pytest

from analysis.stats.agreement.corrected_agreement import (
    PermutationNull,
    corrected_agreement,
    shuffled_votes,
)
from analysis.stats.errors import BadSetting
from analysis.stats.votes import Votes
from tests.analysis.stats.conftest import DIMENSIONS, crowd, votes_of


def habits_only(seed, *, items=300, workers=60, votes=5):
    """Questionnaires of five workers who know nothing and have habits."""
    rng = np.random.default_rng(seed)
    habit = rng.dirichlet([0.6] * 3, workers)
    part = rng.permutation(items) % (workers // votes)
    worker = (part[:, None] * votes + np.arange(votes)).ravel()
    value = (rng.random(len(worker))[:, None] > habit[worker].cumsum(axis=1)).sum(axis=1).clip(0, 2)
    return Votes.from_indices(np.repeat(np.arange(items), votes), worker, value, options="ANB")


def found(votes, shuffle, null_draws=20):
    result = corrected_agreement(
        votes, null_draws=null_draws, draws=0, iterations=20, shuffle=shuffle
    ).cross_fitted
    return result.alpha.value, result.null


def test_workers_with_habits_and_no_knowledge_do_not_exceed_the_null_of_their_habits():
    # issue 10: they get a cross-fitted alpha of .13-.45 against a shown null of 0
    votes = habits_only(1)
    alpha, forgiving = found(votes, "all votes")
    assert alpha > 0.13
    assert abs(forgiving.mean) < 0.05
    assert forgiving.p(alpha) < 0.05
    alpha, strict = found(votes, "within workers")
    assert strict.mean > 0.3
    assert strict.p(alpha) > 0.05
    assert strict.shuffle == "within workers"


def test_knowledge_exceeds_it():
    votes, _, _ = crowd(items=600, workers=60)
    alpha, null = found(votes, "within workers")
    assert alpha > null.highest
    assert null.p(alpha) == pytest.approx(1 / 21)


@pytest.mark.parametrize("shuffle", ["all votes", "within workers"])
def test_shuffling_keeps_who_voted_on_what_and_within_workers_how_often_they_chose_what(shuffle):
    votes = habits_only(2)
    shuffled = shuffled_votes(votes, shuffle, np.random.default_rng(1))
    assert (shuffled.item == votes.item).all()
    assert (shuffled.worker == votes.worker).all()
    assert (shuffled.value != votes.value).any()

    def chosen(some):
        return np.bincount(some.worker * 3 + some.value, minlength=180)

    assert (chosen(shuffled) == chosen(votes)).all() == (shuffle == "within workers")


def test_p_is_never_smaller_than_the_draws_can_say():
    votes, _, _ = crowd(items=80)
    alpha, null = found(votes, "within workers", null_draws=3)
    assert null.p(alpha) >= 1 / 4
    assert null.p(-1) == 1
    assert np.isnan(found(votes, "within workers", null_draws=0)[1].p(alpha))


@pytest.mark.parametrize(("values", "is_offered"), [(0, False), (1, False), (9, False), (10, True)])
def test_a_null_of_few_draws_has_a_reason_instead_of_p(values, is_offered):
    null = PermutationNull(
        values=(0.1,) * values, mean=0.1, lowest=0.1, highest=0.1, draws=19,
        undefined_draws=19 - values, shuffle="within workers",
    )  # fmt: skip
    assert (null.why == "") == is_offered
    assert is_offered or [int(n) for n in re.findall(r"\d+", null.why)][:2] == [values, 19]


def test_it_refuses_another_shuffle():
    votes, _, _ = crowd()
    with pytest.raises(BadSetting):
        corrected_agreement(votes, shuffle="items")


@pytest.mark.corpus
def test_in_the_corpus_habits_alone_give_three_hundredths(raw_votes):
    # issue 10: .03 on average, .07 in logical coherence
    means = {}
    for dimension in DIMENSIONS:
        options = ("A", "B") if dimension == "quality_overall" else ("A", "N", "B")
        votes = votes_of(raw_votes, dimension, options)
        settings = {"draws": 0, "null_draws": 4, "shuffle": "within workers"}
        means[dimension] = corrected_agreement(votes, **settings).cross_fitted.null.mean
    assert np.mean(list(means.values())) == pytest.approx(0.03, abs=0.015)
    assert means["coherence_logical"] == pytest.approx(0.07, abs=0.03)
