"""Alpha over workers and items: a plain loop of deletions, the corpus, and simulated coverage."""

import krippendorff
import numpy as np
import pytest

from analysis.stats.agreement.alpha import NothingPairable, krippendorff_alpha
from analysis.stats.agreement.crossed_alpha import crossed_alpha
from analysis.stats.crossed_errors import crossed_error
from analysis.stats.design_checks import LEAST_WORKERS, About
from analysis.stats.errors import BadSetting
from analysis.stats.votes import Votes
from benchmarks.coverage.votes import true_values
from benchmarks.simulated_studies import World, draw
from tests.analysis.stats.conftest import DIMENSIONS, crowd, votes_of
from tests.hooks import numbers


def package(votes, keep):
    return krippendorff.alpha(
        value_counts=[row for row in votes.only(keep).counts() if row.sum() >= 2],
        value_domain=list(range(len(votes.options))),
        level_of_measurement="ordinal",
    )


def test_its_error_is_that_of_leaving_out_by_the_package_krippendorff():
    votes, _, _ = crowd(items=24, workers=12, per_item=4, seed=3)
    together = [item // 2 for item in votes.items]
    unit, worker = np.array(together)[votes.item], votes.worker
    whole = package(votes, np.ones(len(votes), dtype=bool))
    without = [
        np.array([whole - package(votes, of != name) for name in np.unique(of)])
        for of in (unit, worker, unit * 1000 + worker)
    ]
    expected, found = crossed_error(*without), crossed_alpha(votes, together=together)
    assert found.value == pytest.approx(whole)
    assert found.error == pytest.approx(float(expected.error), rel=1e-9)
    assert found.degrees == pytest.approx(float(expected.degrees), rel=1e-9)
    assert (found.units, found.workers, found.votes) == (12, 12, 96)


def test_with_thirty_workers_it_covers_what_the_interval_over_items_does_not():
    # issue 10: over items .58-.79 with 30 workers
    world, rng = World(topics=30, workers=30), np.random.default_rng(5)
    truth = true_values(world, rng).alpha
    inside = np.zeros(2)
    for _ in range(80):
        votes = draw(world, rng).all_votes()
        for which, found in enumerate((krippendorff_alpha(votes, draws=200), crossed_alpha(votes))):
            inside[which] += found.low <= truth <= found.high
    assert inside[0] / 80 < 0.86
    assert 0.91 <= inside[1] / 80 <= 0.99


def test_items_without_a_vote_change_nothing():
    """Of whom only the trusted are kept, some items have no vote left."""
    votes, _, _ = crowd(items=24, workers=12, per_item=4, seed=3)
    kept = votes.only(votes.item >= 2)
    assert crossed_alpha(kept).error > 0
    assert crossed_alpha(kept).items == 22


def test_between_twins_there_is_nothing_but_the_error_over_workers():
    # each item is asked five times over: the items differ no more than the workers make them
    votes, _, _ = crowd(items=200, workers=12, per_item=6)
    result = crossed_alpha(votes)
    assert result.error >= max(result.over_units, result.over_workers)
    assert result.low < result.value < result.high


@pytest.mark.parametrize(("items", "workers"), [(2, 12), (9, 12), (60, 9)])
def test_for_too_few_items_or_workers_it_offers_no_interval_and_says_so(items, workers):
    votes, _, _ = crowd(items=items, workers=workers)
    result = crossed_alpha(votes, about=About.LIKE_THESE)
    assert np.isnan([result.low, result.high]).all()
    assert {LEAST_WORKERS, min(items, workers)} <= set(numbers(result.why))


def test_two_items_of_which_half_of_the_draws_are_undefined_have_no_interval():
    # issue 10: alpha 1 [1, 1], and 500 of 1,000 draws undefined without a word
    item, value = np.repeat([0, 1], 5), np.repeat([0, 1], 5)
    votes = Votes.from_indices(item, np.tile(np.arange(5), 2), value, options="AB")
    drawn, found = krippendorff_alpha(votes), crossed_alpha(votes)
    assert (drawn.low, drawn.high) == (1, 1)
    assert 400 < drawn.undefined_draws < 600
    assert found.value == 1
    assert np.isnan(found.low)
    assert found.why.endswith(".")


def test_votes_that_would_all_be_alike_without_one_item_have_no_interval():
    item = np.repeat(np.arange(12), 3)
    worker = (np.arange(12)[:, None] + np.arange(3)).ravel() % 12
    votes = Votes.from_indices(item, worker, (item == 0).astype(int), options="AB")
    found = crossed_alpha(votes)
    assert np.isnan(found.low)
    assert "without one unit" in found.why


def test_perfect_agreement_has_no_interval_of_no_width():
    item = np.repeat(np.arange(20), 12)
    votes = Votes.from_indices(item, np.tile(np.arange(12), 20), item % 2, options=("a", "b"))
    result = crossed_alpha(votes)
    assert result.value == 1
    assert np.isnan([result.low, result.high]).all()
    assert "agree" in result.why


def test_it_refuses_what_alpha_refuses_and_units_that_are_not_there():
    votes, _, _ = crowd()
    with pytest.raises(BadSetting):
        crossed_alpha(votes, together=[1, 2])
    with pytest.raises(NothingPairable):
        crossed_alpha(votes.only(np.zeros(len(votes), dtype=bool)))


@pytest.mark.corpus
def test_in_the_corpus_the_interval_is_wider_than_over_items_alone(five_votes):
    for dimension in DIMENSIONS:
        options = ("A", "B") if dimension == "quality_overall" else ("A", "N", "B")
        votes = votes_of(five_votes, dimension, options)
        topics = [item.split("/")[0] for item in votes.items]
        items, found = krippendorff_alpha(votes), crossed_alpha(votes, together=topics)
        assert found.value == items.value
        assert found.units == 65
        assert found.high - found.low > 1.1 * (items.high - items.low)
