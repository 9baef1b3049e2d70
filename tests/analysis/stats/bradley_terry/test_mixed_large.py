"""The mixed model above the size of which all votes give the components."""

import numpy as np
import pytest

from analysis.stats.bradley_terry import mixed
from analysis.stats.bradley_terry.mixed import fit_effects, fit_mixed, topic_sample
from analysis.stats.bradley_terry.mixed_curvature import SparseCurvature
from analysis.stats.bradley_terry.mixed_determinant import determinant_step
from analysis.stats.bradley_terry.mixed_newton import ModelDesign, curved, mode, moved, times_random
from benchmarks.mixed import COMPONENTS, simulated
from tests.analysis.coded_errors import cannot_compute

NO_LIMIT = float("inf")


def dense_and_sparse(votes):
    designs = [ModelDesign.of(votes, sparse=sparse) for sparse in (False, True)]
    precision = designs[0].precision(COMPONENTS)
    return [(design, precision, *mode(design, design.start(), precision)) for design in designs]


@pytest.mark.parametrize("responses", [60, 600])
def test_iteration_gives_the_mode_and_covariance_of_the_factor(responses):
    (_, _, dense, height, factor), (_, _, sparse, same_height, iterated) = dense_and_sparse(
        simulated(responses)
    )
    assert same_height == pytest.approx(height, rel=1e-12)
    for name in ("fixed", "response", "worker"):
        assert getattr(sparse, name) == pytest.approx(getattr(dense, name), abs=1e-8), name
    F = len(dense.fixed)
    covariance = np.linalg.inv(factor.rest @ factor.rest.T)[:F, :F]
    assert np.linalg.inv(iterated.rest @ iterated.rest.T) == pytest.approx(covariance, rel=1e-7)


def test_random_effects_are_solved_as_they_are_multiplied():
    _, (design, precision, effects, _, curvature) = dense_and_sparse(simulated(60))
    assert isinstance(curvature, SparseCurvature)
    rng = np.random.default_rng(0)
    x = rng.normal(size=(60, 3)), rng.normal(size=(*effects.worker.shape, 3))
    product = times_random(design, effects, precision, *x)
    for found, given in zip(curvature.solve_random(*product), x, strict=True):
        assert found == pytest.approx(given, abs=1e-7)


def test_the_step_of_the_determinant_is_its_slope():
    dense, (sparse, _, same, _, iterated) = dense_and_sparse(simulated(600))
    design, precision, effects, _, factor = dense
    F, step = len(effects.fixed), []
    for f in range(F):
        alone = np.zeros(F + 600)
        alone[f] = 1
        along, by = factor.solve(alone, np.zeros_like(effects.worker)), 1e-2
        logs = [
            curved(design, moved(effects, along, sign * by), precision)[2]
            .log_determinant_without(np.arange(F))
            for sign in (1, -1)
        ]  # fmt: skip
        step.append((logs[1] - logs[0]) / (4 * by))
    found = determinant_step(sparse, same, precision, iterated, until=NO_LIMIT)
    assert found == pytest.approx(np.array(step), abs=0.01)  # standard error .07 of the first
    assert step[0] > 0.03  # away from 0


def test_a_large_study_finds_the_difference_it_was_drawn_with(monkeypatch):
    monkeypatch.setattr(mixed, "MOST_EXACT", 500)
    monkeypatch.setattr(mixed, "SAMPLED", 400)
    votes = simulated(2400)
    result = fit_mixed(votes)
    assert result.converged
    assert result.component_topics == 66
    assert result.merit_sd is None
    value, low, high = result.difference(1, 0)
    assert value == pytest.approx(0.5, abs=0.08)
    assert low < 0.5 < high
    assert len(result.merits) == len(votes.responses)


@pytest.mark.parametrize("most", [2000, 200])
def test_known_components_give_the_same_effects(monkeypatch, most):
    monkeypatch.setattr(mixed, "MOST_EXACT", most)
    monkeypatch.setattr(mixed, "SAMPLED", most)
    votes = simulated(600)
    fit = fit_mixed(votes)
    known = fit_effects(votes, fit.components)
    assert known.systems_merit == pytest.approx(fit.systems_merit, abs=1e-9)
    assert known.systems_covariance == pytest.approx(fit.systems_covariance, abs=1e-9)
    assert known.merits == pytest.approx(fit.merits, abs=1e-9)


def test_a_sample_compares_all_systems_or_there_is_none(monkeypatch):
    votes = simulated(600)
    monkeypatch.setattr(mixed, "SAMPLED", 60)
    sample = topic_sample(votes)
    assert len(sample.responses) == 60
    assert sample.systems == votes.systems
    assert set(sample.topics) < set(votes.topics)
    chosen = [votes.topics.index(topic) for topic in sample.topics]
    kept = np.isin(votes.topic[votes.a], chosen)
    assert list(sample.outcome) == list(votes.outcome[kept])
    for side in ("a", "b"):
        of_all, of_sample = getattr(votes, side)[kept], getattr(sample, side)
        assert list(votes.system[of_all]) == list(sample.system[of_sample])
        topics = [votes.topics[t] for t in votes.topic[of_all]]
        assert topics == [sample.topics[t] for t in sample.topic[of_sample]]
    monkeypatch.setattr(mixed, "SAMPLED", 3)
    monkeypatch.setattr(mixed, "MOST_EXACT", 2)
    with cannot_compute("too_many_responses"):
        fit_mixed(votes)


def test_a_fit_ends_with_its_time():
    with cannot_compute("too_slow"):
        fit_mixed(simulated(600), seconds=0.0)
