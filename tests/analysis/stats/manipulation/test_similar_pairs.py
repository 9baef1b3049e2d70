"""Pairs that vote alike, on simulated studies with known copies, and tails by enumeration."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from analysis.stats.errors import CannotCompute
from analysis.stats.manipulation.independent_votes import PairVotes, independent_votes
from analysis.stats.manipulation.similar_pairs import (
    LEAST_ITEMS,
    like_judge,
    similar_pairs,
    sum_tails,
)
from benchmarks.coverage.audited_worlds import AuditedWorld, draw_audited
from benchmarks.coverage.copied_worlds import CopiedWorld, draw_copied, with_judge, with_names

WORLD = CopiedWorld()


def test_names_of_one_person_have_the_least_p():
    rng = np.random.default_rng(1)
    study, members = with_names(draw_copied(WORLD, rng)[0], rng, items=40)
    frame = similar_pairs(study.votes()).frame
    close = frame[frame["q"] < 0.05]
    assert {*close["worker"], *close["other_worker"]} == members
    assert (close["items"] == 40).all()
    assert (close["same"] > close["expected"]).all()
    assert frame["p"].is_monotonic_increasing


@pytest.mark.parametrize("crowd", ["alike", "skills", "experts", "lazy", "features"])
def test_most_honest_crowds_have_no_pair(crowd):
    rng = np.random.default_rng(2)
    world = CopiedWorld(crowd=crowd, text_sd=1.0)
    least = [similar_pairs(draw_copied(world, rng)[0].votes()).frame["q"].min() for _ in range(3)]
    assert sum(q < 0.05 for q in least) <= 1


def test_the_order_of_texts_within_pairs_does_not_matter():
    votes = draw_audited(AuditedWorld(workers=12), np.random.default_rng(3)).votes()
    turned = replace(
        votes, a=votes.b, b=votes.a, system_a=votes.system_b, system_b=votes.system_a,
        left=-votes.left, outcome=-votes.outcome,
    )  # fmt: skip
    first, second = (similar_pairs(each).frame for each in (votes, turned))
    assert first["same"].tolist() == second["same"].tolist()
    np.testing.assert_allclose(first["p"], second["p"], rtol=1e-6)


def test_passive_workers_say_nothing_to_others():
    votes = PairVotes.of(draw_audited(AuditedWorld(workers=12), np.random.default_rng(4)).votes())
    passive = np.arange(12) == 5
    other = replace(votes, vote=np.where(votes.worker == 5, 2 - votes.vote, votes.vote))
    first, second = (independent_votes(each, passive) for each in (votes, other))
    np.testing.assert_allclose(first.log_posterior, second.log_posterior)
    joint = first.joint(np.array([0]), np.array([1]))
    assert joint.sum() == pytest.approx(1)


def test_who_votes_like_a_judge_has_the_least_p():
    rng = np.random.default_rng(5)
    study, gap = draw_copied(WORLD, rng)
    study, (member,) = with_judge(study, gap, rng, share=1 / WORLD.workers)
    frame = like_judge(study.votes(), WORLD.workers).frame
    assert len(frame) <= WORLD.workers
    assert (frame["other_worker"] == WORLD.workers).all()
    assert frame.iloc[0]["worker"] == member
    assert frame.iloc[0]["q"] < 0.05


def test_few_common_items_are_refused():
    votes = draw_audited(AuditedWorld(topics=2, workers=30), np.random.default_rng(6)).votes()
    with pytest.raises(CannotCompute) as refused:
        similar_pairs(votes)
    assert refused.value.code == "too_few_items"
    assert str(LEAST_ITEMS) in str(refused.value)


@pytest.mark.parametrize("cells", [1, 1_000_000])
def test_tails_of_sums_are_those_of_an_enumeration_in_any_portions(cells, monkeypatch):
    monkeypatch.setattr("analysis.stats.manipulation.similar_pairs.CELLS_AT_ONCE", cells)
    steps = np.array([[1, 2, 3], [2, 2, 1], [4, 1, 1], [3, 3, 3]])
    chance = np.array([[0.1, 0.2, 0.3], [0.3, 0.1, 0.1], [0.2, 0.2, 0.2], [0.5, 0.1, 0.1]])
    tails = sum_tails(np.array([0, 0, 0, 1]), steps, chance, 20)
    values = np.concatenate([steps, np.zeros((4, 1), dtype=int)], axis=1)
    weights = np.concatenate([chance, 1 - chance.sum(axis=1, keepdims=True)], axis=1)
    density = np.zeros(20)
    for one, two, three in product(range(4), repeat=3):
        value = values[0, one] + values[1, two] + values[2, three]
        density[value] += weights[0, one] * weights[1, two] * weights[2, three]
    np.testing.assert_allclose(tails[0], density[::-1].cumsum()[::-1], atol=1e-12)
    assert tails[1, 3] == pytest.approx(0.7)
    assert tails[1, 4] == pytest.approx(0, abs=1e-12)
