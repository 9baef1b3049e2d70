"""Competence over all questions: simulated workers of known competence."""

import numpy as np
import pandas as pd
import pytest

from analysis.stats.design_checks import About
from analysis.stats.errors import BadSetting
from analysis.stats.labels.pooled_competence import pooled_competence
from analysis.stats.votes import Votes
from benchmarks.coverage.votes import naive_interval
from benchmarks.simulated_studies import knowing_workers
from tests.analysis.coded_errors import cannot_compute
from tests.analysis.stats.conftest import DIMENSIONS, votes_of
from tests.hooks import numbers


def test_its_intervals_cover_what_those_of_mace_do_not():
    # issue 10: a naive interval covers .39-.71
    rng = np.random.default_rng(1)
    ours, naive, bias = [], [], []
    for _ in range(6):
        knows, questions = knowing_workers(rng, workers=60)
        frame = pooled_competence(questions).frame
        ours.append((frame.low <= knows) & (knows <= frame.high))
        naive.append(naive_covers(questions[0], knows))
        bias.append(frame.competence - knows)
    assert np.mean(naive) < 0.75
    assert 0.9 <= np.mean(ours) <= 0.99
    assert abs(np.mean(bias)) < 0.04


def naive_covers(votes, knows):
    low, high = naive_interval(votes)
    return (low <= knows) & (knows <= high)


def test_shrinking_brings_it_nearer_to_the_truth():
    knows, questions = knowing_workers(np.random.default_rng(2), workers=100)
    result = pooled_competence(questions)
    off = [((result.frame[c] - knows) ** 2).mean() for c in ("competence", "unshrunk")]
    assert off[0] < off[1]
    assert result.mean == pytest.approx(0.5, abs=0.07)
    assert 0.2 < result.reliability < 0.9


def test_one_question_is_enough_and_says_less():
    _, questions = knowing_workers(np.random.default_rng(4), workers=60)
    seven, one = pooled_competence(questions), pooled_competence(questions[:1])
    assert (one.questions, seven.questions) == (1, 7)
    assert one.reliability < seven.reliability


def test_habits_alone_are_no_competence():
    item = np.repeat(np.arange(40), 5)
    always = np.tile(np.arange(5) % 3, 40)
    votes = Votes.from_indices(item, np.tile(np.arange(5), 40), always, options="ANB")
    with cannot_compute("no_agreement"):
        pooled_competence([votes])


def test_the_mean_of_a_crowd_that_knows_all_is_no_more_than_one():
    """Twelve items of which each answer is right on four: they vary more than 1 - 1/3."""
    item, worker = (axis.ravel() for axis in np.indices((12, 10)))
    result = pooled_competence([Votes.from_indices(item, worker, item % 3, options="ANB")])
    assert result.frame["unshrunk"].mean() == pytest.approx((12 / 11) ** 0.5)
    assert result.mean == 1


def test_five_workers_have_no_interval():
    _, questions = knowing_workers(np.random.default_rng(5), workers=5)
    result = pooled_competence(questions)
    assert 5 in numbers(result.why)
    assert result.frame[["low", "high"]].isna().all(axis=None)


def test_fewer_than_ten_have_intervals_for_these_raters_over_topics():
    rng = np.random.default_rng(5)
    knows, covered = np.linspace(0.3, 0.9, 5), []
    item, worker = (axis.ravel() for axis in np.indices((48, 5)))
    topics = {k: k // 4 for k in range(48)}
    for _ in range(40):
        truth = rng.integers(0, 3, 48)
        known = rng.random(len(item)) < knows[worker]
        value = np.where(known, truth[item], rng.integers(0, 3, len(item)))
        votes = Votes.from_indices(item, worker, value, options="ANB")
        result = pooled_competence([votes], topics=topics)
        frame = result.frame
        assert set(frame["about"]) == {About.THESE}
        assert (frame["competence"] == frame["unshrunk"].clip(0, 1)).all()
        covered.append((frame.low <= knows) & (knows <= frame.high))
    # what these raters reach on very many topics, by this measure, is near what they know
    assert 0.88 <= np.mean(covered) <= 0.99
    few = pooled_competence([votes], topics={k: k // 8 for k in range(48)})
    assert 6 in numbers(few.why)
    assert few.frame[["low", "high"]].isna().all(axis=None)


def test_workers_who_always_agree_have_no_reliability_of_competence():
    rows = [(item, name, item % 3) for item in range(3) for name in ("bob", "dora")]
    frame = pd.DataFrame(rows, columns=["item", "worker", "value"])
    result = pooled_competence([Votes.from_frame(frame, options=[0, 1, 2])])
    assert set(result.frame["competence"]) == {1}
    assert np.isnan(result.reliability)


def test_it_refuses_what_means_nothing():
    votes = knowing_workers(np.random.default_rng(6), workers=10)[1][0]
    with pytest.raises(BadSetting):
        pooled_competence([votes], confidence=2)
    with cannot_compute("no_votes"):
        pooled_competence([votes.only(np.zeros(len(votes), dtype=bool))])
    with cannot_compute("no_votes"):
        pooled_competence([])


@pytest.mark.corpus
def test_in_the_corpus_competence_is_hardly_reliable(raw_votes):
    questions = [
        votes_of(raw_votes, name, ("A", "B") if name == "quality_overall" else ("A", "N", "B"))
        for name in DIMENSIONS
    ]
    result = pooled_competence(questions)
    assert len(result.frame) == 420
    assert (result.frame.unshrunk < 0.5).sum() > 250
    assert result.reliability < 0.5
