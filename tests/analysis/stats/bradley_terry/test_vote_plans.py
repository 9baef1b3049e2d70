"""What the next votes would show: plans beside a study, and where votes help, topic by topic."""

import numpy as np
import pytest

from analysis.stats.bradley_terry import next_by_topic as by_topic
from analysis.stats.bradley_terry.mixed import fit_mixed
from analysis.stats.bradley_terry.mixed_newton import Components
from analysis.stats.bradley_terry.mixed_votes import MixedVotes
from analysis.stats.bradley_terry.next_votes import pair_posterior, seen_by_votes
from analysis.stats.bradley_terry.study_plan import StudyPlan, expected
from analysis.stats.bradley_terry.vote_plans import PlannedFrom, plan_votes
from benchmarks.drawn_truth import draw_truth
from tests.analysis.stats.bradley_terry.all_pairs import vote_on_all_pairs

COMPONENTS = Components(response=0.6, system_topic=0.3, lean=0.4, habit=0.3, discrimination=0.4)
START = PlannedFrom(
    components=COMPONENTS,
    tie_parameter=0.8,
    merits=[0.3, -0.3],
    topics=65,
    workers=100,
    responses=390,
    items=15,
    votes_per_item=5,
)


def drawn(seed, *, topics=12, systems=2, workers=20, of_each=2, components=COMPONENTS):
    rng = np.random.default_rng(seed)
    truth = draw_truth(
        components,
        systems_merit=[0.5 * k for k in range(systems)],
        responses_per_system=of_each,
        topics=topics,
        workers=workers,
        tie_parameter=0.8,
        side=-0.1,
        rng=rng,
    )
    return vote_on_all_pairs(truth, votes_per_pair=5, rng=rng)


def test_the_study_as_it_was_is_one_of_its_plans():
    assert START.plan == StudyPlan(
        systems=2, topics=65, responses_per_system=3, votes_per_pair=5, workers=100
    )
    here = expected(START.plan, COMPONENTS, tie_parameter=0.8)
    plans = plan_votes(START)
    for varied, number in (("votes per item", 5), ("topics", 65), ("workers", 100)):
        row = plans[(plans["varied"] == varied) & (plans["number"] == number)].iloc[0]
        assert row["votes"] == here.votes == 65 * 15 * 5
        assert (row["width"], row["difference"]) == (here.width, here.detectable)
        assert row["best"] == here.chance_of_best([0.3, -0.3])
        assert row["from_votes"] == pytest.approx(here.from_votes / here.error**2)


def test_more_of_anything_narrows_the_interval_and_names_the_best():
    for _, rows in plan_votes(START).groupby("varied"):
        assert rows["width"].is_monotonic_decreasing
        assert rows["best"].is_monotonic_increasing
        assert rows["number"].is_monotonic_increasing


def test_only_items_of_a_study_get_votes():
    few = PlannedFrom(**{**START.__dict__, "items": 3})
    assert few.plan.votes == 65 * 3 * 5


@pytest.fixture(scope="module")
def result():
    """Topics of four texts, and two of them of three."""
    frame = drawn(1)
    gone = frame["topic"].isin([2, 7]) & (frame[["a", "b"]] == 3).any(axis=1)
    return fit_mixed(MixedVotes.from_frame(frame[~gone]))


def test_where_the_next_votes_help_is_what_the_topic_alone_says(result):
    frame = by_topic.next_by_topic(result)
    assert sorted(frame["topic"]) == list(range(12))
    assert sorted(frame["responses"]) == [3, 3] + [4] * 10
    assert frame["votes"].sum() == len(result.votes)
    votes, row = result.votes, frame.set_index("topic").loc[7]
    sd, tie = seen_by_votes(
        result.components, result.tie_parameter, systems_variance=result.systems_merit.var()
    )
    wins = np.zeros((3, 3, 1), dtype=int)
    for a, b, outcome in zip(votes.a, votes.b, votes.outcome, strict=True):
        if votes.topic[a] == 7:
            one, other = votes.responses[a], votes.responses[b]
            wins[one, other] += outcome >= 0
            wins[other, one] += outcome <= 0
    alone = pair_posterior(wins, sd=sd, tie_parameter=tie)
    best = int(alone.gain[:, 0].argmax())
    assert (row["a"], row["b"]) == (alone.first[best], alone.second[best])
    assert row["gain"] == pytest.approx(alone.gain[best, 0])
    assert row["wrong"] == pytest.approx(alone.expected_error[0])


def test_many_topics_are_done_a_few_at_a_time(result, monkeypatch):
    together = by_topic.next_by_topic(result)
    monkeypatch.setattr(by_topic, "MOST_CELLS", 1)
    apart = by_topic.next_by_topic(result)
    assert together.drop(columns=["wrong", "gain"]).equals(apart.drop(columns=["wrong", "gain"]))
    assert apart["gain"].to_numpy() == pytest.approx(together["gain"].to_numpy())


def test_a_step_that_goes_too_far_does_not_end_the_fit():
    """Where exp(2 t) overflowed, a height of infinity was taken for a better one."""
    few = Components(response=0.55, system_topic=0.3, lean=0.42, habit=0.35, discrimination=0.45)
    frame = drawn(11, topics=20, systems=3, of_each=1, components=few)
    _, low, high = fit_mixed(MixedVotes.from_frame(frame)).difference(2, 0)
    assert -1 < low < high < 4
