"""trec measures: vectors that ran through trec_eval, an own count, and what is missing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.stats.errors import BadSetting
from analysis.stats.retrieval.rankings import leaderboard, per_topic, strictly_decreasing
from tests.analysis.coded_errors import cannot_compute

QRELS = {"q1": {"d1": 0, "d2": 4, "d3": 5, "d4": 3}, "q2": {"d1": 0, "d2": 5}, "q3": {"d9": 4}}
RUN = {"q1": ["d1", "d4", "d2", "d3", "x", "y"], "q2": ["a", "b", "c", "d", "e", "d2"]}


@pytest.mark.parametrize(
    ("measure", "level", "depth", "values"),
    [
        ("recip_rank", 4, None, [0.3333, 0.1667, 0]),
        ("recip_rank", 4, 5, [0.3333, 0, 0]),
        ("recip_rank", 3, 5, [0.5, 0, 0]),
        ("P_20", 4, None, [0.1, 0.05, 0]),
        ("map", 4, None, [0.4167, 0.1667, 0]),
    ],
)
def test_the_vectors_of_trec_eval(measure, level, depth, values):
    scores = per_topic(RUN, QRELS, [measure], level=level, depth=depth)
    assert list(scores["value"]) == pytest.approx(values, abs=5e-5)
    assert list(scores["ranked"]) == [True, True, False]


def test_a_topic_without_a_ranking_counts_as_zero_and_is_counted():
    (row,) = leaderboard({"us": RUN}, QRELS, ["recip_rank"], level=4).to_dict("records")
    assert row["value"] == pytest.approx(0.1667, abs=5e-5)  # over two topics it would be .25
    assert (row["n"], row["missing"]) == (3, 1)
    assert row["low"] < row["value"] < row["high"]


def test_mean_reciprocal_rank_at_five():
    """RAGElo: ranks 1, 3, none, 6, 5 give .30667."""
    run = {
        topic: ["hit" if place == rank else f"{topic}-{place}" for place in range(1, 8)]
        for topic, rank in {"a": 1, "b": 3, "c": 99, "d": 6, "e": 5}.items()
    }
    qrels = {topic: {"hit": 2} for topic in run}
    result = leaderboard({"us": run}, qrels, ["recip_rank"], level=2, depth=5)
    assert result["value"][0] == pytest.approx(0.30667, abs=5e-6)


DOCS = st.lists(st.sampled_from("abcdefgh"), unique=True, max_size=8)


@given(DOCS, st.dictionaries(st.sampled_from("abcdefgh"), st.integers(0, 3), min_size=1))
def test_reciprocal_rank_and_precision_are_what_they_say(ranking, grades):
    """Whatever the names are: with equal scores trec_eval would sort them by name."""
    scores = per_topic({"t": ranking}, {"t": grades}, ["recip_rank", "P_5"], level=2)
    values = dict(zip(scores["measure"], scores["value"], strict=True))
    relevant = [grades.get(document, 0) >= 2 for document in ranking]
    first = relevant.index(True) + 1 if any(relevant) else None
    assert values["recip_rank"] == pytest.approx(1 / first if first else 0)
    assert values["P_5"] == pytest.approx(sum(relevant[:5]) / 5)


def test_scores_of_a_written_run_strictly_decrease():
    scores = list(strictly_decreasing(["c", "a", "b"]).values())
    assert scores == sorted(set(scores), reverse=True)


def test_what_cannot_be_measured_is_said():
    with cannot_compute("no_topics"):
        per_topic(RUN, {}, ["map"])
    with cannot_compute("ranked_twice", match="'a'.*'q'"):
        per_topic({"q": ["a", "b", "a"]}, QRELS, ["map"])
    with cannot_compute("unknown_measure", match="'bleu'"):
        per_topic(RUN, QRELS, ["bleu"])
    with pytest.raises(BadSetting):
        per_topic(RUN, QRELS, ["map"], level=0)
