"""Comparison with honest workers: nobody is accused for close texts, careless workers are found."""

from dataclasses import replace

import numpy as np
import pytest

from analysis.stats.errors import BadSetting
from analysis.stats.labels.honest_comparison import compare_with_honest
from analysis.stats.votes import Votes
from benchmarks.coverage.flags import UNEQUAL, WORLDS, draw, formerly, of_agreement
from tests.analysis.coded_errors import cannot_compute
from tests.analysis.stats.conftest import DIMENSIONS, votes_of
from tests.hooks import numbers

FAR, CORPUS, CLOSE = (
    next(world for world in WORLDS if world.closeness == name)
    for name in ("far apart", "as in the corpus", "close")
)


def flags(world, studies, seed=1):
    """Return the marks, who is comparable and who is careless, a row a study."""
    rng = np.random.default_rng(seed)
    drawn = [draw(world, rng) for _ in range(studies)]
    frames = [compare_with_honest(questions).frame.set_index("worker") for questions, _ in drawn]
    frames = [frame.loc[range(world.workers)] for frame in frames]
    return (
        np.array([frame["mark"] for frame in frames], dtype=bool),
        np.array([frame["comparable"] for frame in frames], dtype=bool),
        np.array([careless for _, careless in drawn]),
    )


@pytest.mark.parametrize("world", [FAR, CORPUS, CLOSE], ids=lambda world: world.closeness)
def test_at_most_five_percent_of_honest_workers_are_flagged(world):
    mark, _, careless = flags(world, 12)
    assert mark[~careless].mean() <= 0.05


@pytest.mark.parametrize("world", [FAR, CORPUS], ids=lambda world: world.closeness)
def test_careless_workers_are_found_where_they_can_be_compared(world):
    mark, comparable, careless = flags(world, 12)
    assert mark[careless & comparable].mean() >= 0.8


def test_nobody_is_comparable_where_texts_are_close():
    _, comparable, _ = flags(CLOSE, 6)
    assert comparable.mean() < 0.05


def test_the_former_cut_flagged_honest_workers_as_issue_26_says():
    rng = np.random.default_rng(1)
    drawn = [draw(CORPUS, rng) for _ in range(6)]
    former = np.array([formerly(questions, CORPUS.workers) for questions, _ in drawn])
    careless = np.array([each for _, each in drawn])
    assert former[~careless].mean() > 0.05


@pytest.mark.parametrize("world", UNEQUAL[:2], ids=lambda world: world.size)
def test_low_agreement_flags_at_most_five_percent_of_honest_questionnaires(world):
    assert of_agreement(world, 12, np.random.default_rng(1)).ours <= 5


def test_a_worker_who_copies_the_crowd_is_above_a_guesser():
    rng = np.random.default_rng(3)
    questions, careless = draw(replace(FAR, careless=6), rng)
    frame = compare_with_honest(questions).frame.set_index("worker").loc[range(FAR.workers)]
    ratio = frame["ratio"].to_numpy()
    assert ratio[~careless].mean() == pytest.approx(1, abs=0.15)
    assert ratio[careless].mean() == pytest.approx(0, abs=0.15)
    assert frame["low"].lt(frame["ratio"]).all()
    assert frame["ratio"].lt(frame["high"]).all()


def test_the_variance_of_a_guesser_is_that_of_shuffled_votes():
    # independent oracle: 4,000 shuffles of the answers of one worker over the worker's items
    rng = np.random.default_rng(4)
    questions, _ = draw(replace(CORPUS, questions=2), rng)
    frame = compare_with_honest(questions).frame.set_index("worker")
    shuffled = [compare_with_honest(_shuffled(questions, 0, rng)).frame for _ in range(150)]
    p = np.array([one.set_index("worker").loc[0, "p_guess"] for one in shuffled])
    assert np.mean(p < 0.2) == pytest.approx(0.2, abs=0.1)
    assert np.mean(p) == pytest.approx(0.5, abs=0.1)
    assert frame["p_guess"].between(0, 1).all()


def _shuffled(questions, worker, rng):
    """Return the questions with the answers of one worker moved between items, all together."""
    order, result = None, []
    for votes in questions:
        own = np.flatnonzero(votes.worker == worker)
        order = rng.permutation(len(own)) if order is None else order
        value = votes.value.copy()
        value[own] = value[own][order]
        result.append(
            Votes.from_indices(
                votes.item, votes.worker, value, options=votes.options,
                items=votes.items, workers=votes.workers,
            )
        )  # fmt: skip
    return result


def test_the_names_of_workers_do_not_change_the_result():
    questions, _ = draw(CORPUS, np.random.default_rng(5))
    names = [f"w{k}" for k in np.random.default_rng(6).permutation(CORPUS.workers)]
    renamed = [replace(votes, workers=names) for votes in questions]
    before = compare_with_honest(questions).frame.set_index("worker").loc[range(CORPUS.workers)]
    after = compare_with_honest(renamed).frame.set_index("worker").loc[names]
    assert np.allclose(before["p"], after["p"])
    assert (before["mark"].to_numpy() == after["mark"].to_numpy()).all()


def test_five_workers_are_not_compared():
    questions, _ = draw(replace(FAR, workers=5, careless=1), np.random.default_rng(7))
    comparison = compare_with_honest(questions)
    assert 5 in numbers(comparison.why)
    assert not comparison.frame["comparable"].any()
    assert not comparison.frame["mark"].any()
    assert comparison.frame["ratio"].isna().all()


def test_items_of_one_worker_each_compare_nobody():
    votes = Votes.from_indices(np.arange(20), np.arange(20) % 10, np.arange(20) % 3, options="ANB")
    assert not compare_with_honest([votes]).frame["comparable"].any()


def test_votes_for_one_option_alone_compare_nobody():
    item, worker = np.divmod(np.arange(60), 5)
    votes = Votes.from_indices(item, worker, np.zeros(60, dtype=int), options="AB")
    comparison = compare_with_honest([votes])
    assert comparison.tau == 0
    assert not comparison.frame["comparable"].any()
    assert comparison.frame["q"].between(0, 1).all()


def test_it_refuses_what_means_nothing():
    votes = draw(CORPUS, np.random.default_rng(8))[0][0]
    with pytest.raises(BadSetting):
        compare_with_honest([votes], level=0)
    with cannot_compute("no_votes"):
        compare_with_honest([votes.only(np.zeros(len(votes), dtype=bool))])


@pytest.mark.corpus
def test_in_the_corpus_few_workers_are_flagged(raw_votes):
    questions = [
        votes_of(raw_votes, name, ("A", "B") if name == "quality_overall" else ("A", "N", "B"))
        for name in DIMENSIONS
    ]
    frame = compare_with_honest(questions).frame
    assert len(frame) == 420
    assert frame["mark"].sum() <= 67  # the former cut flagged 67
    assert (frame.loc[~frame["comparable"], "mark"] == 0).all()
