"""Plan's promise of a winner beside what Results say of studies of that design."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
import scipy

from analysis.analyses.groups import _both_ways
from analysis.pages.results.best_groups import best_of
from analysis.stats.bradley_terry.comparisons import Comparisons
from analysis.stats.bradley_terry.merit_errors import merit_errors
from analysis.stats.bradley_terry.merits import fit_merits
from analysis.stats.bradley_terry.simulated_power import SimulatedPower, simulate_power
from analysis.stats.bradley_terry.simulated_votes import (
    AssumedTruth,
    PairDesign,
    SimulatedVotes,
    draw_votes,
)
from analysis.stats.bradley_terry.winner_power import Differences, WinnerPower, study_differences
from analysis.stats.design_checks import LEAST_UNITS, LEAST_WORKERS, About
from analysis.stats.effects.crossed_means import CrossedMeans, crossed_means
from analysis.stats.effects.families import critical_p
from analysis.stats.effects.worker_changes import from_merits
from analysis.stats.verdicts import LeadVerdict, LimitVerdict, lead_of, limit_of
from tests.analysis.stats.bradley_terry.test_simulated_power import COMPONENTS, TIE, all_pairs

STUDIES, DRAWS = 60, 200


def promise(design: PairDesign, *, difference: float, votes: int) -> SimulatedPower:
    assumed = AssumedTruth(components=COMPONENTS, tie_parameter=TIE, difference=difference)
    return simulate_power(design, assumed, votes=[votes], draws=DRAWS, seed=1)[0]


def studies(
    design: PairDesign, *, difference: float, votes: int, number: int
) -> list[SimulatedVotes]:
    """Return studies of other draws than the promise's, one by one."""
    assumed = AssumedTruth(components=COMPONENTS, tie_parameter=TIE, difference=difference)
    rng = np.random.default_rng(77)
    return [
        next(draw_votes(design, assumed, rounds=votes, draws=1, rng=rng)) for _ in range(number)
    ]


def in_results(votes: SimulatedVotes, tie: float | str = "estimated") -> CrossedMeans:
    """Return the means that results compute from the votes of one study, from a long frame."""
    design = votes.design
    frame = pd.DataFrame({
        "problem": design.topic[design.a[votes.pair]],
        "a": design.a[votes.pair], "b": design.b[votes.pair], "outcome": votes.outcome,
    })  # fmt: skip
    comparisons = Comparisons.from_frame(frame, outcomes={1: 1, 0: 0, -1: -1})
    fit = fit_merits(comparisons, tie_parameter=tie, ridge="firth")
    errors = merit_errors(fit, workers=votes.worker.tolist())
    return crossed_means(*from_merits(fit, errors, dict(enumerate(design.system.tolist()))))


def verdict(votes: SimulatedVotes) -> tuple[LeadVerdict, int]:
    """Return what the page of results says, and of which system."""
    found = in_results(votes)
    pairs = _both_ways(found.differences).to_dict("records")
    groups = found.means.to_dict("records")
    best = best_of(groups, pairs)
    these = any(row["about"] == About.THESE for row in pairs)
    about = About.THESE if these else About.LIKE_THESE
    return lead_of(compared=len(groups), best=len(best), about=about), best[0]["group"]


def share_named(design: PairDesign, *, difference: float, votes: int) -> float:
    """Return the share of studies in which Results name the best system the winner."""
    drawn = studies(design, difference=difference, votes=votes, number=STUDIES)
    return float(np.mean([verdict(one) == (LeadVerdict.WINS, one.best[0]) for one in drawn]))


def assert_agrees(promised: float, share: float) -> None:
    """Check that they differ by no more than three standard errors of both simulations."""
    middle = (promised + share) / 2
    error = np.sqrt(max(middle * (1 - middle), 0.02) * (1 / STUDIES + 1 / DRAWS))
    assert share == pytest.approx(promised, abs=3 * error)


def test_plan_promises_no_winner_that_results_would_not_name() -> None:
    """Issue 26: 98 % with 5 workers on Plan, and no winner with 8 on Results."""
    design = all_pairs(topics=12, systems=2, on_each=12)  # one worker a vote
    few = promise(design, difference=3.0, votes=8)
    assert (few.workers, few.limit, few.named) == (8, LimitVerdict.RATERS, 0)
    drawn = studies(design, difference=3.0, votes=8, number=15)
    leads = [verdict(one)[0] for one in drawn]
    assert LeadVerdict.WINS not in leads
    assert LeadVerdict.LEADS in leads
    many = promise(design, difference=1.0, votes=LEAST_WORKERS)
    assert many.limit == limit_of(topics=12, raters=many.workers) == LimitVerdict.NONE
    assert 0.3 < many.named < 0.97
    assert_agrees(many.named, share_named(design, difference=1.0, votes=LEAST_WORKERS))


def test_where_workers_are_the_limit_more_topics_name_no_winner_and_fewer_tasks_do() -> None:
    """Issue 26: six tasks a person gave under 1 %, and the page asked for topics."""
    for topics in (24, 48):
        design = all_pairs(topics=topics, systems=3, on_each=3 * topics)
        few = promise(design, difference=1.5, votes=5)
        assert (few.workers, few.limit, few.named) == (5, LimitVerdict.RATERS, 0)
        drawn = studies(design, difference=1.5, votes=5, number=4)
        assert LeadVerdict.WINS not in [verdict(one)[0] for one in drawn]
    spread = all_pairs(topics=24, systems=3, on_each=12)
    one = promise(spread, difference=0.8, votes=5)
    assert (one.workers, one.limit) == (30, LimitVerdict.NONE)
    assert 0.3 < one.named < one.apart
    assert_agrees(one.named, share_named(spread, difference=0.8, votes=5))


def analysed(votes: SimulatedVotes) -> Differences:
    comparisons, topics = votes.comparisons, votes.design.topics
    return study_differences(
        comparisons,
        study=np.arange(len(comparisons.problems)) // topics,
        system=votes.design.system[np.array(comparisons.responses)],
        worker=votes.worker,
        tie_parameter=0.7,
    )


def drawn_at_once(draws: int) -> SimulatedVotes:
    design = all_pairs(topics=12, systems=3, each=2, on_each=20)
    assumed = AssumedTruth(components=COMPONENTS, tie_parameter=TIE, difference=0.5)
    return next(draw_votes(design, assumed, rounds=2, draws=draws, rng=np.random.default_rng(5)))


def test_many_studies_at_once_have_the_numbers_of_results_for_each() -> None:
    drawn = drawn_at_once(2)
    found = analysed(drawn)
    for study in range(2):
        mine = drawn.study == study
        one = SimulatedVotes(
            design=drawn.design, best=drawn.best[[study]],
            **{n: getattr(drawn, n)[mine] for n in ("study", "round", "pair", "worker", "outcome")},
        )  # fmt: skip
        for row in in_results(one, tie=0.7).differences.itertuples():
            at = study, row.first, row.second
            assert found.value[at] == pytest.approx(row.difference, abs=1e-8)
            assert found.error[at] == pytest.approx(row.error, abs=1e-8)
            t = abs(found.value[at]) / found.error[at]
            assert 2 * scipy.stats.t.sf(t, found.degrees[at]) == pytest.approx(row.p, abs=1e-8)


def test_a_winner_is_rarer_than_a_clear_difference_and_comes_with_size() -> None:
    drawn = drawn_at_once(40)
    power = WinnerPower(analysed(drawn), drawn.best)
    assert power.named() < power.apart() <= power.ahead()
    assert power.named(1.0) <= power.named(3.0) <= power.named(9.0)
    times = power.times_wanted(0.8)
    assert times is not None
    assert power.named(times) >= 0.8
    assert times == 1.0 or power.named(times / 1.06) < 0.8
    assert power.times_wanted(1.1) is None


def test_pairs_share_the_error_of_the_family() -> None:
    """All pairs of three: Tukey's range, of which 3.314 is the quantile (infinite degrees)."""
    errors = np.random.default_rng(0).normal(size=(3, 20_000))
    loadings = np.array([errors[i] - errors[j] for i, j in combinations(range(3), 2)])
    z = scipy.stats.norm.isf(critical_p(loadings, 0.05) / 2)
    assert z == pytest.approx(3.314 / np.sqrt(2), abs=0.03)


def test_too_few_topics_are_named_as_the_limit() -> None:
    few = promise(all_pairs(topics=LEAST_UNITS - 1, systems=2), difference=4.0, votes=3)
    assert (few.limit, few.named) == (LimitVerdict.TOPICS, 0)


def test_the_lever_is_what_adds_more_to_the_error() -> None:
    few_workers = promise(all_pairs(topics=60, systems=2, on_each=60), difference=0.5, votes=10)
    assert (few_workers.workers, few_workers.lever) == (10, LimitVerdict.RATERS)
    few_topics = promise(all_pairs(topics=10, systems=2, on_each=1), difference=0.5, votes=10)
    assert few_topics.lever == LimitVerdict.TOPICS
