"""The effect of position: simulated effects, a general optimiser, mirrored pairs, the corpus."""

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize

from analysis.stats.bradley_terry.comparisons import Comparisons
from analysis.stats.bradley_terry.position_effect import position_effect
from tests.analysis.coded_errors import bad_setting, cannot_compute
from tests.analysis.stats.bradley_terry.test_merits import frame_of, rows_of
from tests.analysis.stats.conftest import DIMENSIONS

VOTES = {"A": 1, "N": 0, "B": -1}


def shown(side, *, topics=60, n=6, votes=5, seed=1, t=0.5):
    """Votes of Rao and Kupper's model on pairs in random order; the first stands side higher."""
    rng = np.random.default_rng(seed)
    i, j = np.triu_indices(n, 1)
    swap = rng.random((topics, len(i))) < 0.5
    first, second = np.where(swap, j, i), np.where(swap, i, j)
    topic = np.repeat(np.arange(topics), len(i) * votes)
    first, second = (np.repeat(s.ravel(), votes) for s in (first, second))
    merit = rng.normal(size=(topics, n))
    d = merit[topic, first] - merit[topic, second] + side
    u = rng.random(len(d))
    a, b = 1 / (1 + np.exp(t - d)), 1 / (1 + np.exp(t + d))
    outcome = np.select([u < a, u > 1 - b], ["a", "b"], "tie")
    return pd.DataFrame({"problem": topic, "a": first, "b": second, "outcome": outcome})


@pytest.mark.parametrize("ties", ["rao-kupper", "davidson"])
@pytest.mark.parametrize("side", [0.0, 0.4, -0.4])
def test_it_recovers_the_effect_of_simulated_votes(side, ties):
    result = position_effect(Comparisons.from_frame(shown(side)), ties=ties)
    # Davidson's unit is that of the odds between decided votes, so it comes out a little larger
    assert result.effect[0] == pytest.approx(side, abs=0.12 if ties == "rao-kupper" else 0.2)
    assert (result.p[0] < 0.001) == (side != 0)
    assert result.first + result.ties + result.second == 60 * 15 * 5


def test_without_an_effect_the_interval_has_nought_as_often_as_it_says():
    found = [
        position_effect(Comparisons.from_frame(shown(0.0, topics=8, seed=seed)), tie_parameter=0.5)
        for seed in range(60)
    ]
    inside = np.mean([r.low[0] < 0 < r.high[0] for r in found])
    assert 0.86 <= inside <= 1.0
    assert abs(np.mean([r.effect[0] for r in found])) < 0.03
    # a fair test: p is below .5 half of the time
    assert np.mean([r.p[0] < 0.5 for r in found]) == pytest.approx(0.5, abs=0.2)


@pytest.mark.parametrize("ties", ["rao-kupper", "davidson"])
def test_it_equals_a_general_optimiser(ties):
    comparisons = Comparisons.from_frame(shown(0.3, topics=1, n=4))
    rows, tie = rows_of(comparisons, 0), 0.6

    def loss(x):
        total = 0.0
        for i, j, outcome, _ in rows:
            d = x[i] - x[j] + x[-1]
            if ties == "rao-kupper":
                a, b = 1 / (1 + np.exp(tie - d)), 1 / (1 + np.exp(tie + d))
            else:
                D = np.exp(d / 2) + np.exp(-d / 2) + tie
                a, b = np.exp(d / 2) / D, np.exp(-d / 2) / D
            total -= np.log({1: a, -1: b, 0: 1 - a - b}[outcome])
        for m in x[:-1]:
            p = 1 / (1 + np.exp(1 - m))
            total -= 0.2 * np.log(p * (1 - p))
        return total

    best = minimize(loss, np.r_[np.ones(4), 0.0])
    none = minimize(lambda m: loss(np.r_[m, 0.0]), np.ones(4))
    result = position_effect(comparisons, ties=ties, tie_parameter=tie)
    assert result.effect[0] == pytest.approx(best.x[-1], abs=1e-3)
    assert result.merits == pytest.approx(best.x[:-1], abs=1e-3)
    assert result.likelihood_ratio[0] == pytest.approx(2 * (none.fun - best.fun), abs=1e-5)
    error = (result.high - result.low)[0] / 2 / 1.959964
    assert error == pytest.approx(np.sqrt(best.hess_inv[-1, -1]), rel=0.1)


def test_mirrored_pairs_turn_the_effect_around():
    frame = shown(0.4, topics=10)
    other_way = frame.outcome.map({"a": "b", "tie": "tie", "b": "a"})
    mirrored = frame.assign(a=frame.b, b=frame.a, outcome=other_way)
    one, other = (position_effect(Comparisons.from_frame(f)) for f in (frame, mirrored))
    assert one.effect == pytest.approx(-other.effect, abs=1e-7)
    assert one.merits == pytest.approx(other.merits, abs=1e-7)
    assert one.p == pytest.approx(other.p)


def test_groups_have_effects_of_their_own():
    both = pd.concat([shown(0.5), shown(-0.5, seed=2).assign(problem=lambda f: f.problem + 60)])
    result = position_effect(Comparisons.from_frame(both), groups=["left"] * 60 + ["right"] * 60)
    assert result.groups == ("left", "right")
    assert result.effect == pytest.approx([0.5, -0.5], abs=0.12)


def test_workers_who_repeat_themselves_widen_the_interval():
    frame = shown(0.2, topics=10, votes=1)
    copies = pd.concat([frame] * 9)
    singly = position_effect(Comparisons.from_frame(copies))
    voters = list(np.tile(np.arange(len(frame)), 9))
    together = position_effect(Comparisons.from_frame(copies), clusters=voters)
    alone = position_effect(Comparisons.from_frame(copies), clusters=range(len(copies)))
    width = together.high - together.low
    # nine copies of a vote are one vote: the width is the threefold
    assert width == pytest.approx(3 * (alone.high - alone.low), rel=1e-6)
    assert alone.high - alone.low == pytest.approx(singly.high - singly.low, rel=0.2)
    assert (together.clusters, singly.clusters) == (150, None)


@pytest.mark.parametrize("outcome", ["tie", "a", "b"])
def test_one_worker_or_nothing_but_ties_has_no_interval_over_workers(outcome):
    frame = frame_of(("t", "x", "y", outcome), ("t", "y", "x", "tie"), ("t", "x", "y", "tie"))
    workers = ["Bob"] * 3 if outcome != "tie" else ["Bob", "Alice", "Bob"]
    comparisons = Comparisons.from_frame(frame)
    with cannot_compute("no_worker_variation", match="'all'"):
        position_effect(comparisons, clusters=workers, tie_parameter=0.5)


def test_it_says_that_one_side_has_nothing():
    frame = frame_of(("t", "x", "y", "a"), ("t", "y", "z", "a"))
    with cannot_compute("one_side_only", match="'all'"):
        position_effect(Comparisons.from_frame(frame))


@pytest.mark.parametrize(
    "setting",
    [{"confidence": 1.0}, {"groups": ["x"] * 3}, {"clusters": ["Bob"]}],
    ids=lambda setting: next(iter(setting)),
)
def test_it_refuses_a_bad_setting(setting):
    with bad_setting(next(iter(setting))):
        position_effect(Comparisons.from_frame(shown(0.0, topics=1)), **setting)


@pytest.mark.corpus
def test_the_right_hand_side_of_the_corpus_is_favoured_a_little(five_votes):
    # 51.4 % of the votes that are not neutral are for the right-hand side
    votes = pd.concat(
        pd.DataFrame(
            {
                "problem": [(query, dimension) for query in five_votes.query_id],
                "a": five_votes.response_a,
                "b": five_votes.response_b,
                "outcome": five_votes[dimension],
            }
        )
        for dimension in DIMENSIONS
    )
    comparisons = Comparisons.from_frame(votes, outcomes=VOTES)
    workers = list(five_votes.worker) * len(DIMENSIONS)
    result = position_effect(comparisons, clusters=workers)
    share = result.second[0] / (result.first[0] + result.second[0])
    assert share == pytest.approx(0.514, abs=0.0005)
    assert result.low[0] < result.effect[0] < 0


@pytest.mark.corpus
def test_it_sees_through_which_responses_stood_on_the_left(five_votes):
    # In logical coherence the left-hand side wins more votes, since better responses stood there:
    # on the pairs judged in both orders it loses, and so it does with merits taken into account.
    votes = pd.DataFrame(
        {
            "problem": five_votes.query_id,
            "a": five_votes.response_a,
            "b": five_votes.response_b,
            "outcome": five_votes.coherence_logical,
        }
    )
    sides = pd.Series(list(map(frozenset, zip(votes.a, votes.b, strict=True))), votes.index)
    balanced = votes[votes.a.groupby(sides).transform("nunique") == 2]
    everything, both = (
        position_effect(Comparisons.from_frame(frame, outcomes=VOTES))
        for frame in (votes, balanced)
    )
    assert everything.first[0] > everything.second[0]
    assert both.first[0] < both.second[0]
    assert everything.effect[0] == pytest.approx(both.effect[0], abs=0.02)
    assert everything.high[0] < 0
