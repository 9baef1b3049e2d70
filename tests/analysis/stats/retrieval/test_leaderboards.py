"""Leaderboards against trec_eval itself: ties, missing topics, deep pools."""

import numpy as np
import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import t

from analysis.stats.errors import BadSetting
from analysis.stats.retrieval.leaderboards import (
    LEAST_ROOM,
    grade_levels,
    judged_shares,
    relevance_board,
)
from analysis.stats.retrieval.rankings import leaderboard
from annotation.corpora.formats import trec

NAMES = [f"d{n}" for n in range(60)]
TOPICS = [f"t{n}" for n in range(6)]
QRELS = st.dictionaries(
    st.sampled_from(TOPICS),
    st.dictionaries(st.sampled_from(NAMES), st.integers(0, 3), min_size=1, max_size=30),
    min_size=1,
)
# Few scores, so that many are equal; topics that the qrels do not have, and in reverse order.
SCORED = st.dictionaries(
    st.sampled_from([*TOPICS, "other"]),
    st.dictionaries(st.sampled_from(NAMES), st.integers(0, 4), max_size=60),
)
MEASURES = ["recip_rank", "map", "P_5", "P_20", "ndcg_cut_10", "ndcg", "recall_20"]
ASKED = {"recip_rank", "map", "P.5,20", "ndcg_cut.10", "ndcg", "recall.20"}


def as_file(scored):
    """Return the lines of a run that breaks no tie itself.

    Rank and order are those of the dictionary.
    """
    return [
        f"{topic} Q0 {name} {rank} {score} us"
        for topic, scores in scored.items()
        for rank, (name, score) in enumerate(scores.items(), start=1)
    ]


@given(qrels=QRELS, scored=SCORED, level=st.integers(1, 3))
@settings(max_examples=150)
def test_they_say_of_a_run_what_trec_eval_says_of_its_file(qrels, scored, level):
    """A run read from its file has trec_eval's order, for any ties in the scores.

    The mean is over all topics of the qrels (trec_eval -c).
    """
    run = {}
    for _, ranked in sorted(trec.run(as_file(scored)), key=lambda each: each[1].rank):
        run.setdefault(ranked.topic, []).append(ranked.passage)
    board = leaderboard({"us": run}, qrels, MEASURES, level=level).set_index("measure")
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, ASKED, relevance_level=level)
    theirs = evaluator.evaluate({topic: dict(scores) for topic, scores in scored.items() if scores})
    for name in MEASURES:
        total = sum(theirs.get(topic, {}).get(name, 0) for topic in qrels)
        assert board["value"][name] == pytest.approx(total / len(qrels), abs=1e-12), name
    assert set(board["n"]) == {len(qrels)}
    assert set(board["missing"]) == {sum(not scored.get(topic) for topic in qrels)}


@given(qrels=QRELS, scored=SCORED)
@settings(max_examples=50)
def test_a_run_written_and_read_has_the_same_leaderboard(qrels, scored):
    read = [ranked_row for _, ranked_row in trec.run(as_file(scored))]
    again = [ranked_row for _, ranked_row in trec.run(trec.written_run(read))]
    boards = []
    for rows in (read, again):
        run = {}
        for each in sorted(rows, key=lambda row: row.rank):
            run.setdefault(each.topic, []).append(each.passage)
        boards.append(leaderboard({"us": run}, qrels, MEASURES))
    assert boards[0].equals(boards[1])


QREL = {"t": {"a": 2, "b": 1, "c": 0}, "u": {"a": 2}}
RUNS = {"us": {"t": ["x", "b", "a"]}, "them": {"t": ["a"], "u": ["a", "y"]}}


def test_each_measure_has_its_level_and_depth():
    board = relevance_board(RUNS, QREL, levels=(1, 2), cutoffs=(2, 3))
    value = board.set_index(["measure", "level", "system"])["value"]
    assert value["MRR@2", 1, "us"] == pytest.approx(1 / 4)  # 1/2 and nothing
    assert value["MRR@2", 2, "us"] == 0
    assert value["MRR@3", 2, "us"] == pytest.approx(1 / 6)
    assert value["P@2", 1, "them"] == pytest.approx(1 / 2)
    assert board.groupby("measure")["level"].nunique().to_dict() == {
        "MAP": 2,
        "MRR@2": 2,
        "MRR@3": 2,
        "P@2": 2,
        "P@3": 2,
        "nDCG@2": 0,
        "nDCG@3": 0,
    }
    assert set(board[board["system"] == "us"]["missing"]) == {1}


def test_what_has_no_grade_is_counted_by_depth():
    assert judged_shares(RUNS, QREL, depth=1) == {"us": 0, "them": 1}
    assert judged_shares(RUNS, QREL, depth=2) == {"us": 1 / 2, "them": 2 / 3}


@pytest.mark.parametrize(
    ("lowest", "highest", "levels"),
    [
        (0, 1, (1,)),
        (0, 2, (1, 2)),
        (0, 3, (2, 3)),
        (0, 5, (3, 4, 5)),  # Dietz (2024), Table 4
        (1, 5, (3, 4, 5)),
        (-3, 3, (1, 2, 3)),
        (0, 10, (6, 8, 10)),
        (0, 100, (60, 80, 100)),
        (0, 0, ()),
        (-1, 0, ()),
    ],
)
def test_grade_levels_are_the_upper_half_of_the_scale(lowest, highest, levels):
    assert grade_levels(lowest, highest) == levels


def test_nothing_is_read_to_no_depth():
    with pytest.raises(BadSetting):
        relevance_board(RUNS, QREL, levels=(1,), cutoffs=(0,))


@pytest.mark.parametrize(
    ("topics", "hits", "offered"), [(9, 5, False), (10, 5, True), (40, 37, False), (80, 72, True)]
)
def test_an_interval_stands_where_it_covers(topics, hits, offered):
    qrels = {f"t{n}": {"right": 1} for n in range(topics)}
    run = {f"t{n}": ["right" if n < hits else "wrong"] for n in range(topics)}
    board = relevance_board({"x": run}, qrels, levels=[1], cutoffs=[5])
    (row,) = board[board["measure"] == "MRR@5"].to_dict("records")
    assert row["value"] == pytest.approx(hits / topics)
    assert (0 <= row["low"] < row["value"] < row["high"] <= 1) is offered


def test_where_intervals_stand_they_cover_and_elsewhere_they_would_not():
    """Reciprocal ranks of a system that is nearly always right at once, in 4,000 studies."""
    rng = np.random.default_rng(20261122)
    reciprocal = 1 / rng.geometric(0.8, (4000, 65))
    truth = (1 / rng.geometric(0.8, 4_000_000)).mean()
    for topics, stands in ((20, False), (65, True)):
        values = reciprocal[:, :topics]
        mean, error = values.mean(axis=1), values.std(axis=1, ddof=1) / np.sqrt(topics)
        reach = t.ppf(0.975, topics - 1) * error
        offered = topics * np.minimum(mean, 1 - mean) >= LEAST_ROOM
        assert (offered.mean() > 0.5) is np.bool_(stands)
        assert (np.mean(np.abs(mean - truth) <= reach) >= 0.93) is np.bool_(stands)
