"""Groups that share a lean, on simulated studies with known colluders."""

import numpy as np
import pandas as pd
import pytest

from analysis.stats.errors import CannotCompute
from analysis.stats.manipulation.compared_votes import ComparedVotes
from analysis.stats.manipulation.honest_types import HonestWorkers, honest_workers
from analysis.stats.manipulation.one_side import one_side
from analysis.stats.manipulation.robustness import system_means, winner_robustness
from analysis.stats.manipulation.shared_leans import shared_leans
from benchmarks.coverage.audited_worlds import AuditedWorld, draw_audited, with_colluders

WORLD = AuditedWorld()


@pytest.mark.parametrize(("sign", "direction"), [(1, "for"), (-1, "against")])
def test_colluders_are_found_with_their_system_and_direction(sign, direction):
    rng = np.random.default_rng(2)
    honest = draw_audited(WORLD, rng)
    study, members, system = with_colluders(honest, rng, obeys=1.0, sign=sign)
    result = shared_leans(study.votes(), draws=99)
    best = result.groups.iloc[0]
    assert (best["system"], best["direction"]) == (system, direction)
    assert best["p"] <= 0.05
    listed = set(result.members)
    assert len(members & listed) >= 5  # of six
    assert len(listed - members) <= 2
    assert sign * (best["points"] - best["others_points"]) > 0.5


def test_most_honest_studies_have_no_group():
    rng = np.random.default_rng(3)
    p = [shared_leans(draw_audited(WORLD, rng).votes(), draws=99).groups["p"].min()
         for _ in range(8)]  # fmt: skip
    assert sum(value <= 0.05 for value in p) <= 2


def test_the_model_of_honest_workers_is_estimated_from_their_votes():
    world = AuditedWorld(topics=40, systems=5, workers=120, votes=20, missing=0)
    votes = draw_audited(world, np.random.default_rng(6)).votes()
    worth = np.random.default_rng(7).normal(0, 1, votes.texts)
    truth = HonestWorkers(gap=worth[votes.a] - worth[votes.b], tie=0.5, side=-0.4, taste=0.8)
    outcome = truth.votes(votes, np.random.default_rng(8), 1)[:, 0]
    fitted = honest_workers(votes, outcome)
    assert np.corrcoef(fitted.gap, truth.gap)[0, 1] > 0.9
    assert fitted.tie == pytest.approx(0.5, abs=0.15)
    assert fitted.side == pytest.approx(-0.4, abs=0.2)
    assert fitted.taste == pytest.approx(0.8, abs=0.3)


def test_a_seed_makes_the_test_repeatable():
    votes = draw_audited(WORLD, np.random.default_rng(4)).votes()
    first, again, other = (shared_leans(votes, draws=39, seed=s).groups["p"] for s in (1, 1, 2))
    assert first.equals(again)
    assert not first.equals(other)


def test_few_workers_are_refused():
    votes = draw_audited(AuditedWorld(workers=6), np.random.default_rng(5)).votes()
    with pytest.raises(CannotCompute) as refused:
        shared_leans(votes)
    assert refused.value.code == "too_few_workers"


def frame(rows):
    """Votes of (worker, topic, outcome for the first of two systems)."""
    made = pd.DataFrame(rows, columns=["worker", "topic", "outcome"])
    return made.assign(
        item=made["topic"], a=made["topic"] + "-x", b=made["topic"] + "-y",
        system_a="x", system_b="y", left="a",
    )  # fmt: skip


def test_questions_of_an_item_are_one_vote():
    votes = ComparedVotes.from_frame(frame([("bob", "t", 1), ("bob", "t", 0), ("eve", "t", -1)]))
    assert votes.outcome.tolist() == [0.5, -1]


def test_one_worker_decides_a_narrow_lead():
    """Eve's topic turns a lead of y into one of x: without Eve, or without it, y leads."""
    rows = [("bob", "t1", 1), ("bob", "t2", -1), ("ann", "t2", -1), ("eve", "t1", 1),
            ("eve", "t3", 1), ("ann", "t3", -1), ("bob", "t3", -1), ("eve", "t4", 1)]  # fmt: skip
    votes = ComparedVotes.from_frame(frame(rows))
    x, y = system_means(votes)
    assert x > y
    workers, topics, of_votes = winner_robustness(votes)
    assert (workers.removed, workers.names, workers.exact) == (1, ["eve"], True)
    assert topics.removed is not None
    assert of_votes.removed is not None
    kept = votes.only(votes.worker != votes.workers.index("eve"))
    x, y = system_means(kept)
    assert y > x


def test_unanimous_votes_have_no_removal_that_changes_the_winner():
    rows = [(worker, f"t{k}", 1) for worker in ("ann", "bob", "eve") for k in range(4)]
    assert {row.removed for row in winner_robustness(ComparedVotes.from_frame(frame(rows)))} == {
        None
    }


def test_a_worker_of_one_side_has_the_least_q():
    rows = [(f"w{w}", f"t{k}", 1 if w == 0 or (k + w) % 2 else -1)
            for w in range(12) for k in range(24)]  # fmt: skip
    sides = one_side(ComparedVotes.from_frame(frame(rows)))
    assert sides.iloc[0]["worker"] == "w0"
    assert sides.iloc[0]["q"] < 0.05 < sides.iloc[1]["q"]
    assert sides.iloc[0]["left"] == 1
