"""Fresh votes for a label: enumeration, noise, the corpus."""

import numpy as np
import pytest

from analysis.stats.errors import BadSetting
from analysis.stats.labels.label_certainty import concentration_of, fresh_votes
from analysis.stats.labels.mace import mace
from analysis.stats.labels.majority import majority_vote
from analysis.stats.votes import Votes
from tests.analysis.coded_errors import cannot_compute
from tests.analysis.stats.conftest import DIMENSIONS, crowd, votes_of


def votes_like(concentration, *, items=2000, votes=5, seed=1):
    """Items whose shares are drawn from a Dirichlet, and fresh labels by as many votes."""
    rng = np.random.default_rng(seed)
    shares = rng.dirichlet(concentration, items)
    counts, again = (rng.multinomial(votes, shares) for _ in range(2))
    value = np.concatenate([np.repeat(range(len(concentration)), row) for row in counts])
    item = np.repeat(np.arange(items), votes)
    worker = np.tile(np.arange(votes), items)
    return Votes.from_indices(item, worker, value, options="ANB"), again


def test_it_finds_the_concentration_and_foretells_fresh_labels():
    votes, again = votes_like([2.0, 1.0, 2.0])
    labels = majority_vote(votes).gold
    result = fresh_votes(votes, labels)
    assert result.concentration == pytest.approx([2, 1, 2], rel=0.15)
    assert (again[np.arange(2000), labels] / 5).mean() == pytest.approx(
        result.next_vote.mean(), abs=0.02
    )
    first = again == again.max(axis=1, keepdims=True)
    same = (first / first.sum(axis=1, keepdims=True))[np.arange(2000), labels]
    assert same.mean() == pytest.approx(result.same_label.mean(), abs=0.02)
    sure = result.same_label > 0.7
    assert same[sure].mean() == pytest.approx(result.same_label[sure].mean(), abs=0.05)


def test_on_noise_no_label_is_certain_though_mace_is():
    # issue 10: on pure noise the certainty of MACE is .92
    rng = np.random.default_rng(1)
    votes, _, _ = crowd(items=600, workers=180, seed=2)
    noise = Votes.from_indices(
        votes.item, votes.worker, rng.integers(0, 3, len(votes)), options="ANB"
    )
    result = mace(noise, tolerance=1e-6)
    assert result.posterior.max(axis=1).mean() > 0.75
    computed = fresh_votes(noise, result.gold)
    assert computed.next_vote.mean() == pytest.approx(1 / 3, abs=0.05)
    assert computed.same_label.max() < 0.6


def test_one_fresh_vote_says_the_same_as_the_next_vote():
    votes, _ = votes_like([1.0, 0.5, 1.0], items=100)
    result = fresh_votes(votes, majority_vote(votes).gold, fresh=1)
    assert result.same_label == pytest.approx(result.next_vote)


def test_without_a_label_there_is_no_certainty_and_a_thousand_options_are_not_counted_out():
    votes = Votes.from_indices(
        np.array([0, 0, 2]), np.array([0, 1, 0]), np.array([0, 1, 1]), options=range(1000)
    )
    result = fresh_votes(votes, majority_vote(votes).gold)
    assert np.isnan(result.next_vote).tolist() == [False, True, False]
    assert np.isnan(result.same_label).all()


def test_it_refuses_what_means_nothing():
    votes, _, _ = crowd()
    with pytest.raises(BadSetting):
        fresh_votes(votes, np.zeros(2, dtype=int))
    with pytest.raises(BadSetting):
        fresh_votes(votes, majority_vote(votes).gold, fresh=0)
    none = votes.only(np.zeros(len(votes), dtype=bool))
    with cannot_compute("no_votes"):
        fresh_votes(none, np.zeros(60, dtype=int))


def test_an_option_that_nobody_chose_keeps_a_chance():
    assert concentration_of(np.array([[5, 0, 0], [0, 0, 5]]))[1] > 0


@pytest.mark.corpus
def test_in_the_corpus_it_foretells_the_label_of_the_other_direction(raw_votes):
    # issue 10: MACE's certainty is .92-.97, the two directions agree in 41-67 %
    for dimension in DIMENSIONS:
        options = ("A", "B") if dimension == "quality_overall" else ("A", "N", "B")
        votes = votes_of(raw_votes, dimension, options)
        place = {item: k for k, item in enumerate(votes.items)}
        there, back = [], []
        for item in votes.items:
            query, a, b = item.split("/")
            if (other := f"{query}/{b}/{a}") in place and item < other:
                there.append(place[item])
                back.append(place[other])
        result = mace(votes, tolerance=1e-6)
        computed = fresh_votes(votes, result.gold)
        same = result.gold[there] == len(options) - 1 - result.gold[back]
        assert len(same) == 377
        assert result.posterior.max(axis=1).mean() > 0.89
        assert 0.38 < same.mean() < 0.7
        foretold = np.r_[computed.same_label[there], computed.same_label[back]].mean()
        assert foretold == pytest.approx(same.mean(), abs=0.07)
