"""Errors over workers of merits and of the effect of position: fits without each worker."""

import numpy as np
import pytest
import scipy

from analysis.stats.bradley_terry.comparisons import Comparisons
from analysis.stats.bradley_terry.merit_errors import merit_errors
from analysis.stats.bradley_terry.merits import fit_merits
from analysis.stats.bradley_terry.position_effect import position_effect
from analysis.stats.bradley_terry.position_errors import position_errors
from analysis.stats.design_checks import About
from analysis.stats.errors import BadSetting
from benchmarks.simulated_studies import World, draw
from tests.analysis.stats.conftest import DIMENSIONS
from tests.hooks import numbers

VOTES = {"A": 1, "N": 0, "B": -1}


def study(*, topics=12, workers=30, seed=1):
    frame = draw(World(topics=topics, workers=workers), np.random.default_rng(seed)).comparisons()
    return frame, Comparisons.from_frame(frame)


@pytest.mark.parametrize("ties", ["rao-kupper", "davidson"])
def test_a_merit_moves_as_a_fit_without_the_worker_says(ties):
    frame, comparisons = study(topics=2, workers=40)
    result = fit_merits(comparisons, ties=ties, tie_parameter=0.6)
    computed = merit_errors(result, workers=frame.worker)
    moved, stepped = [], []
    for worker in range(0, 40, 7):
        rest = Comparisons.from_frame(frame[frame.worker != worker])
        again = fit_merits(rest, ties=ties, tie_parameter=0.6)
        mean = np.bincount(rest.entry_problem, weights=again.merits) / rest.sizes
        new = dict(zip(rest.responses, again.merits - mean[rest.entry_problem], strict=True))
        mine = np.array(computed.changed_worker) == worker
        for entry, change in zip(computed.changed_entry[mine], computed.change[mine], strict=True):
            moved.append(computed.merit[entry] - new[comparisons.responses[entry]])
            stepped.append(change)
    assert len(moved) > 20
    assert np.corrcoef(moved, stepped)[0, 1] > 0.995
    assert np.abs(np.array(moved) - stepped).max() < 0.05


@pytest.mark.parametrize("ties", ["rao-kupper", "davidson"])
def test_the_effect_of_position_moves_as_a_fit_without_the_worker_says(ties):
    frame, comparisons = study(topics=6, workers=10)
    settings = {"ties": ties, "tie_parameter": 0.6}
    result = position_effect(comparisons, **settings)
    changes = np.array(
        [
            result.effect[0]
            - position_effect(Comparisons.from_frame(frame[frame.worker != w]), **settings).effect[
                0
            ]
            for w in range(10)
        ]
    )
    expected = np.sqrt(9 / 10 * ((changes - changes.mean()) ** 2).sum())
    computed = position_errors(comparisons, result, workers=frame.worker)
    assert computed.error[0] == pytest.approx(expected, rel=0.1)


def test_with_many_workers_the_errors_are_those_of_the_sandwich():
    frame, comparisons = study(topics=60, workers=300)
    result = position_effect(comparisons, tie_parameter=0.6, clusters=frame.worker)
    computed = position_errors(comparisons, result, workers=frame.worker)
    sandwich = (result.high - result.low) / 2 / 1.96
    assert computed.error == pytest.approx(sandwich, rel=0.1)
    assert (computed.workers, computed.why) == (300, ("",))


def test_groups_of_problems_have_errors_of_their_own():
    frame, comparisons = study(topics=24)
    groups = [topic % 2 for topic in comparisons.problems]
    result = position_effect(comparisons, groups=groups, tie_parameter=0.6)
    computed = position_errors(comparisons, result, workers=frame.worker, groups=groups)
    odd = frame[frame.problem % 2 == result.groups[1]]
    alone = Comparisons.from_frame(odd)
    expected = position_errors(alone, position_effect(alone, tie_parameter=0.6), workers=odd.worker)
    assert computed.error[1] == pytest.approx(expected.error[0], rel=1e-6)


def test_merits_and_effects_of_few_workers_have_no_interval_and_say_so():
    frame, comparisons = study(topics=1, workers=4)
    few = frame[frame.worker < 4]
    comparisons = Comparisons.from_frame(few)
    merits = merit_errors(fit_merits(comparisons), workers=few.worker)
    assert np.isnan(merits.low).all()
    assert 4 in numbers(merits.why[0])
    result = position_effect(comparisons, tie_parameter=0.6)
    effect = position_errors(comparisons, result, workers=few.worker)
    assert np.isnan([effect.low[0], effect.p[0]]).all()
    assert 4 in numbers(effect.why[0])


def test_the_effect_of_position_of_four_workers_is_about_them_on_other_topics():
    everybody, _ = study(topics=12, workers=5)
    frame = everybody[everybody.worker < 4]
    comparisons = Comparisons.from_frame(frame)
    settings = {"tie_parameter": 0.6, "clusters": None}
    result = position_effect(comparisons, **settings)
    found = position_errors(comparisons, result, workers=frame.worker)
    assert (found.about, found.workers.tolist(), found.why) == ((About.THESE,), [4], ("",))
    changes = [
        result.effect[0]
        - position_effect(Comparisons.from_frame(frame[frame.problem != t]), **settings).effect[0]
        for t in comparisons.problems
    ]
    expected = np.sqrt(11 / 12 * ((changes - np.mean(changes)) ** 2).sum())
    assert found.error[0] == pytest.approx(expected, rel=0.02)
    half = scipy.stats.t.ppf(0.975, 11) * found.error[0]
    assert (found.low[0], found.high[0]) == pytest.approx(
        (result.effect[0] - half, result.effect[0] + half)
    )


def test_it_refuses_comparisons_whose_worker_is_unknown():
    frame, comparisons = study(topics=2)
    result = fit_merits(comparisons)
    for workers in (frame.worker[1:], [None, *frame.worker[1:]]):
        with pytest.raises(BadSetting):
            merit_errors(result, workers=list(workers))


@pytest.mark.corpus
def test_the_right_hand_side_of_the_corpus_is_favoured_with_errors_over_workers_too(five_votes):
    overall = DIMENSIONS[-1]
    frame = five_votes.assign(problem=five_votes.query_id, outcome=five_votes[overall])
    frame = frame.rename(columns={"response_a": "a", "response_b": "b"})
    comparisons = Comparisons.from_frame(frame, outcomes=VOTES)
    result = position_effect(comparisons)
    computed = position_errors(comparisons, result, workers=frame.worker)
    assert computed.workers[0] == 420
    assert computed.low[0] < result.effect[0] < computed.high[0]
    assert computed.high[0] - computed.low[0] < 0.3
