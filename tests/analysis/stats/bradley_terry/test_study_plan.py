"""What a study would see, by formula, beside studies that are simulated."""

from dataclasses import replace

import numpy as np
import pytest
import scipy

from analysis.stats.bradley_terry.mixed import fit_mixed
from analysis.stats.bradley_terry.mixed_newton import Components
from analysis.stats.bradley_terry.mixed_votes import MixedVotes
from analysis.stats.bradley_terry.study_plan import StudyPlan, expected
from analysis.stats.errors import BadSetting
from benchmarks.drawn_truth import draw_truth
from benchmarks.mixed import votes_on
from tests.analysis.coded_errors import bad_setting
from tests.analysis.stats.bradley_terry.all_pairs import vote_on_all_pairs

COMPONENTS = Components(response=0.6, system_topic=0.3, lean=0.45, habit=0.35, discrimination=0.4)
PLAN = StudyPlan(systems=2, topics=30, responses_per_system=2, votes_per_pair=5, workers=40)


def test_simulated_studies_err_as_the_formula_says():
    formula = expected(PLAN, COMPONENTS, tie_parameter=0.6)
    found = []
    for seed in range(6):
        rng = np.random.default_rng(seed)
        truth = draw_truth(
            COMPONENTS,
            systems_merit=[0.0, 0.5],
            responses_per_system=2,
            topics=30,
            workers=40,
            tie_parameter=0.6,
            side=0.0,
            rng=rng,
        )
        frame = vote_on_all_pairs(truth, votes_per_pair=5, rng=rng)
        assert len(frame) == formula.votes
        result = fit_mixed(MixedVotes.from_frame(frame))
        value, low, high = result.difference(1, 0)
        found.append((value - 0.5, (high - low) / formula.width))
    errors, widths = np.array(found).T
    assert widths.mean() == pytest.approx(1, abs=0.15)
    assert np.sqrt((errors**2).mean()) == pytest.approx(formula.error, rel=0.5)


def test_the_corpus_errs_as_the_formula_says(corpus):
    """975 pairs of 65 topics in 6,760 votes of 420 workers, three styles of either origin."""
    result = fit_mixed(MixedVotes.from_frame(votes_on(corpus, "quality_overall")))
    plan = StudyPlan(topics=65, responses_per_system=3, votes_per_pair=6760 / 975, workers=420)
    assert plan.votes == pytest.approx(6760)
    formula = expected(plan, result.components, tie_parameter=1e-9)
    _, low, high = result.difference("llm", "human")
    assert high - low == pytest.approx(formula.width, rel=0.05)


def power_for(plan, difference):
    """Return the probability that the interval of a difference excludes 0."""
    critical = scipy.stats.t.ppf((1 + plan.confidence) / 2, plan.freedom)
    far = scipy.stats.nct(plan.freedom, abs(difference) / plan.error)
    return far.sf(critical) + far.cdf(-critical)


def test_a_detectable_difference_is_detected_as_often_as_asked():
    for power in (0.5, 0.8, 0.95):
        expectation = expected(PLAN, COMPONENTS, power=power)
        assert power_for(expectation, expectation.detectable) == pytest.approx(power, abs=0.002)
    assert power_for(expected(PLAN, COMPONENTS), 0.0) == pytest.approx(0.05, abs=1e-6)


@pytest.mark.parametrize("name", ["topics", "responses_per_system", "votes_per_pair", "workers"])
def test_more_of_anything_errs_less(name):
    more = replace(PLAN, **{name: 2 * getattr(PLAN, name)})
    assert expected(more, COMPONENTS).error < expected(PLAN, COMPONENTS).error


def test_the_best_is_named_as_often_as_in_draws():
    plan = replace(PLAN, systems=4)
    expectation = expected(plan, COMPONENTS)
    merits = [0.0, 0.1, 0.2, 0.4]
    draws = np.random.default_rng(1).normal(merits, expectation.error / np.sqrt(2), (200_000, 4))
    share = (draws.argmax(axis=1) == 3).mean()
    assert expectation.chance_of_best(merits) == pytest.approx(share, abs=0.004)
    assert expectation.chance_of_best([1.0, 1.0, 1.0, 1.0]) == pytest.approx(0.25, abs=1e-4)
    assert expectation.chance_of_best([9.0, 0.0, 0.0, 0.0]) == pytest.approx(1)


def test_it_refuses_what_is_no_study():
    for wrong in ({"systems": 1}, {"topics": 1}, {"votes_per_pair": 0}, {"workers": 1}):
        with pytest.raises(BadSetting):
            StudyPlan(**wrong)
    with pytest.raises(BadSetting):
        expected(PLAN, COMPONENTS, power=1)
    with bad_setting("merits"):
        expected(PLAN, COMPONENTS).chance_of_best([1.0])
