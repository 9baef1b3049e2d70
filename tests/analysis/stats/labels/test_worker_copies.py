"""One person under three names: what it does to noise, how it is found, and honest crowds."""

import tracemalloc

import numpy as np
import pandas as pd
import pytest

from analysis.stats.agreement.corrected_agreement import corrected_agreement
from analysis.stats.errors import BadSetting
from analysis.stats.labels.mace import mace
from analysis.stats.labels.worker_copies import counted_once, find_copies, without_copies
from analysis.stats.votes import Votes
from benchmarks.simulated_studies import World, draw, knowing_workers
from tests.analysis.stats.conftest import DIMENSIONS, votes_of

QUESTIONS = 3


def noise(*, names=3, workers=30, items=16, seed=1, changed=0.0):
    """Answers at random, five workers a questionnaire; the first names are one person."""
    rng = np.random.default_rng(seed)
    rows = []
    for worker in range(workers):
        part, copy = divmod(worker, 5)
        for item in range(part * items, (part + 1) * items):
            for question in range(QUESTIONS):
                rows.append((item, worker, question, rng.integers(3), copy))
    frame = pd.DataFrame(rows, columns=["item", "worker", "question", "value", "copy"])
    key = ["item", "question"]
    first = frame[frame.worker == 0].set_index(key)["value"]
    same = (frame.worker < names) & (rng.random(len(frame)) >= changed)
    frame.loc[same, "value"] = first.loc[list(map(tuple, frame.loc[same, key].values))].to_numpy()
    return frame


def votes_on(frame, question=0):
    of = frame[frame.question == question].assign(value=lambda rows: rows.value.map(str))
    return Votes.from_frame(of, options=("0", "1", "2"))


def all_questions(frame):
    return [votes_on(frame, question) for question in range(QUESTIONS)]


def test_three_names_turn_noise_into_competence_and_are_found_and_taken_out():
    # issue 10: competence 1.0 and cross-fitted alpha 1.0
    frame = noise()
    assert mace(votes_on(frame)).competence[:3].min() > 0.95
    copies = find_copies(all_questions(frame))
    assert copies.groups == ((0, 1, 2),)
    top = copies.frame.iloc[0]
    assert (top["items"], top.same, top.answers, top.agreeing) == (16, 16, 48, 48)
    assert top.expected < 40
    assert top.q < 0.01
    kept = without_copies(frame, copies)
    assert set(frame.worker) - set(kept.worker) == {1, 2}
    assert mace(votes_on(kept)).competence[0] < 0.95


def test_a_crowd_of_persons_with_three_names_has_a_corrected_agreement_of_one_until_then():
    frame = noise(workers=60)
    for start in range(0, 60, 5):
        block = frame[frame.worker == start].set_index(["item", "question"])["value"]
        for name in (start + 1, start + 2):
            mine = frame.worker == name
            keys = list(map(tuple, frame.loc[mine, ["item", "question"]].values))
            frame.loc[mine, "value"] = block.loc[keys].to_numpy()
    settings = {"null_draws": 0, "draws": 0, "iterations": 20}
    before = corrected_agreement(votes_on(frame), **settings).cross_fitted.alpha.value
    assert before > 0.8
    copies = find_copies(all_questions(frame))
    assert len(copies.groups) == 12
    kept = without_copies(frame, copies)
    assert (kept.groupby(["item", "question"]).size() == 3).all()


def test_nearly_identical_answers_are_found_as_well():
    copies = find_copies(all_questions(noise(names=2, changed=0.04)))
    assert copies.groups == ((0, 1),)
    assert copies.frame.iloc[0].agreeing < 48


@pytest.mark.parametrize("kind", ["leaning", "knowing"])
def test_honest_workers_are_not_taken_for_one(kind):
    rng = np.random.default_rng(4)
    for _ in range(6):
        if kind == "leaning":
            questions = [draw(World(topics=40, workers=60), rng).all_votes()]
        else:
            questions = knowing_workers(rng, workers=60)[1]
        assert find_copies(questions).groups == ()


def test_the_evidence_is_a_probability_where_workers_are_independent():
    rng = np.random.default_rng(5)
    p = np.concatenate(
        [
            find_copies([draw(World(topics=40, workers=60), rng).all_votes()]).frame.p
            for _ in range(10)
        ]
    )
    assert np.mean(p < 0.05) < 0.1
    assert np.mean(p < 0.01) < 0.03


def test_two_who_always_choose_the_same_option_are_no_copies():
    frame = noise(names=0)
    frame.loc[frame.worker < 2, "value"] = 0
    copies = find_copies(all_questions(frame))
    pair = copies.frame[(copies.frame["first"] == 0) & (copies.frame["second"] == 1)].iloc[0]
    assert pair.agreeing == pair.answers
    assert not pair.near_identical


def test_the_same_worker_on_an_item_counts_once():
    frame = pd.DataFrame({"item": [1, 1, 2], "worker": ["x", "x", "x"], "value": ["a", "b", "a"]})
    assert counted_once(frame)["value"].tolist() == ["a", "a"]
    asked = frame.assign(question=[1, 2, 1])
    assert len(counted_once(asked)) == 3


def test_few_shared_items_are_no_evidence():
    assert find_copies(all_questions(noise(items=7))).frame.empty


def test_nobody_shares_an_item():
    votes = Votes.from_indices(np.arange(3), np.arange(3), np.arange(3) % 2, options="AB")
    assert find_copies([votes]).groups == ()


def test_no_questions_have_no_copies():
    nothing, few = find_copies([]), find_copies(all_questions(noise(items=7)))
    assert nothing.groups == ()
    assert nothing.frame.empty
    assert list(nothing.frame.columns) == list(few.frame.columns)


@pytest.mark.parametrize("setting", [{"level": 0}, {"alike": 1.5}, {"least_items": 1}])
def test_it_refuses_a_bad_setting(setting):
    with pytest.raises(BadSetting):
        find_copies(all_questions(noise()), **setting)


@pytest.mark.corpus
def test_in_the_corpus_nobody_is_found(raw_votes):
    questions = [
        votes_of(raw_votes, name, ("A", "B") if name == "quality_overall" else ("A", "N", "B"))
        for name in DIMENSIONS
    ]
    copies = find_copies(questions)
    assert copies.groups == ()
    assert (copies.frame.p < 0.05).mean() == pytest.approx(0.05, abs=0.03)


def test_an_answer_that_two_workers_share_takes_150_bytes_at_most():
    rng = np.random.default_rng(0)
    items, each, questions = 600, 8, 5
    item = np.repeat(np.arange(items), each)

    def answers():
        worker = np.concatenate([rng.choice(30, each, replace=False) for _ in range(items)])
        return Votes.from_indices(item, worker, rng.integers(3, size=len(item)), options="anb")

    votes = [answers() for _ in range(questions)]
    find_copies(votes)  # what is imported late is not counted
    tracemalloc.start()
    find_copies(votes)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak / (questions * items * each * (each - 1) / 2) <= 150
