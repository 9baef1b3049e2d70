"""How sure a planned study would be: drawn studies beside the formula and beside fits of each."""

from dataclasses import replace
from functools import partial
from itertools import combinations

import numpy as np
import pytest

from analysis.stats.bradley_terry.mixed_effects import vote_share
from analysis.stats.bradley_terry.mixed_newton import Components
from analysis.stats.bradley_terry.simulated_power import difference_for, simulate_power
from analysis.stats.bradley_terry.simulated_votes import AssumedTruth, PairDesign
from analysis.stats.bradley_terry.study_plan import StudyPlan, expected
from analysis.stats.errors import BadSetting, CannotCompute
from tests.analysis.coded_errors import assert_different_reasons, cannot_compute
from tests.analysis.stats.bradley_terry.test_study_plan import power_for

COMPONENTS = Components(response=0.6, system_topic=0.3, lean=0.45, habit=0.35, discrimination=0.4)
TIE = 0.6


def all_pairs(*, topics, systems, each=1, on_each=15):
    """Return the balanced design of planning.StudyPlan."""
    n = systems * each
    pairs = np.array(list(combinations(range(n), 2)))
    first = n * np.arange(topics)[:, None]
    return PairDesign(
        system=np.tile(np.repeat(np.arange(systems), each), topics),
        topic=np.repeat(np.arange(topics), n),
        a=(first + pairs[:, 0]).ravel(),
        b=(first + pairs[:, 1]).ravel(),
        pairs_per_worker=on_each,
    )


def found(design, *, difference=0.5, votes=(5,), draws=200, seed=1, components=COMPONENTS, **more):
    said = {"tie_parameter": TIE} | more
    assumed = AssumedTruth(components=components, difference=difference, **said)
    return simulate_power(design, assumed, votes=votes, draws=draws, seed=seed)


@pytest.mark.parametrize(("topics", "systems", "each"), [(30, 2, 2), (40, 4, 1)])
def test_balanced_designs_are_as_sure_as_the_formula_says(topics, systems, each):
    """Votes are not weighted by how sharply a worker judges, so they say a little less."""
    design = all_pairs(topics=topics, systems=systems, each=each)
    for one in found(design, votes=(2, 8), difference=0.4):
        plan = StudyPlan(
            topics=topics,
            systems=systems,
            responses_per_system=each,
            votes_per_pair=one.votes,
            workers=one.workers,
        )
        formula = expected(plan, COMPONENTS, tie_parameter=TIE)
        assert one.apart == pytest.approx(power_for(formula, 0.4) - 0.03, abs=0.1)


def test_it_agrees_with_more_draws():
    design = all_pairs(topics=20, systems=3)
    few, many = (found(design, draws=n, seed=n)[0] for n in (150, 1500))
    assert few.apart == pytest.approx(many.apart, abs=0.12)
    assert few.half_width == pytest.approx(many.half_width, rel=0.2)


def test_more_votes_and_more_topics_are_surer():
    design = all_pairs(topics=20, systems=2)
    chances = [one.apart for one in found(design, votes=(1, 3, 12))]
    assert chances == sorted(chances)
    assert chances[-1] > chances[0] + 0.15
    assert found(all_pairs(topics=60, systems=2))[0].apart > found(design)[0].apart + 0.1


def test_equal_systems_are_told_apart_by_mistake_alone():
    one = found(all_pairs(topics=30, systems=2), difference=0.0, draws=600)[0]
    assert one.apart == pytest.approx(0.05, abs=0.03)
    assert one.ahead == pytest.approx(0.5, abs=0.12)
    assert one.share == pytest.approx(0.5, abs=0.02)


def test_answers_without_care_tell_less():
    design = all_pairs(topics=25, systems=2)
    careful, careless, blind = (found(design, competence=each)[0] for each in (1.0, 0.5, 0.0))
    assert careful.apart > careless.apart + 0.1
    assert careless.share == pytest.approx(0.5 + (careful.share - 0.5) / 2, abs=0.02)
    assert blind.apart < 0.12


def test_the_share_of_votes_is_the_one_that_was_assumed():
    difference = difference_for(0.6, COMPONENTS, TIE)
    assert vote_share(COMPONENTS, TIE, difference) == pytest.approx(0.6)
    one = found(all_pairs(topics=80, systems=2), difference=difference)[0]
    assert one.share == pytest.approx(0.6, abs=0.01)
    assert difference_for(0.5, COMPONENTS, TIE) == 0


def test_equal_seeds_give_equal_numbers():
    design = all_pairs(topics=5, systems=2)
    assert found(design, draws=20) == found(design, draws=20)
    assert found(design, draws=20) != found(design, draws=20, seed=2)


def test_workers_come_with_votes():
    design = all_pairs(topics=10, systems=3, on_each=7)  # 30 pairs
    assert [one.workers for one in found(design, votes=(1, 4), draws=10)] == [5, 20]


def test_it_says_what_it_cannot_tell():
    design = all_pairs(topics=5, systems=2)
    changed = (
        {"system": np.zeros(10, dtype=int)},
        {"b": design.a},
        {"topic": np.zeros(10, dtype=int)},
    )
    for changes in changed:
        with cannot_compute("unfit_design"):
            replace(design, **changes)
    calls = (partial(replace, design, **changes) for changes in changed)
    assert_different_reasons(CannotCompute, *calls)
    for share in (0.4, 1.0):
        with pytest.raises(BadSetting):
            difference_for(share, COMPONENTS, TIE)
    with pytest.raises(BadSetting):
        found(design, competence=1.2)
