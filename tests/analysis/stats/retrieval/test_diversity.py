"""Alpha-nDCG and subtopic recall: the numbers of ndeval (pyndeval 0.0.8) and properties."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.stats.errors import BadSetting
from analysis.stats.retrieval.diversity import Novelty

# Passage -> entries it covers; the ranking; alpha-nDCG@5 and @20, strec@5 and @20 by pyndeval.
NDEVAL = [
    ("d0:c d1:c d2:b d3:b d4:c d5:ab", "x d5 d4 d2 y", (0.61923251, 0.6024308, 1, 1)),
    (
        "d0:ab d2:c d3:c d4:b d5:b d6:a d7:b",
        "d6 d7 x d0 d4 y",
        (0.6560851, 0.63101139, 2 / 3, 2 / 3),
    ),
    (
        "d0:c d1:b d3:a d4:abc d6:a d7:a",
        "d0 d3 d1 d5 y d8 d4",
        (0.54956048, 0.67080607, 1, 1),
    ),
    ("d0:d d1:d d2:abe d3:ab", "d1 d0 d2 y x d3", (0.64778906, 0.72974608, 1, 1)),
    ("d4:a d5:abc d6:ac", "d4 d2 d3 y d5", (0.52374036, 0.52374036, 1, 1)),
    (
        "d0:abd d1:cd d2:cd d3:b d4:bd",
        "d5 d6 y d4 d1 d2 d3",
        (0.30756262, 0.40011566, 0.75, 0.75),
    ),
]


def graded(text):
    cells = [cell.partition(":") for cell in text.split()]
    rows = [("t", passage, entry, 4) for passage, _, entries in cells for entry in entries]
    return pd.DataFrame(rows, columns=["topic", "passage", "entry", "grade"])


def diversity_per_topic(run, grades, topics, **how):
    return Novelty.of(grades, **how).per_topic(run, topics)


@pytest.mark.parametrize(("covered", "ranking", "expected"), NDEVAL)
def test_numbers_equal_those_of_ndeval(covered, ranking, expected):
    ours = [
        diversity_per_topic({"t": ranking.split()}, graded(covered), ["t"], depth=k).iloc[0]
        for k in (5, 20)
    ]
    values = [row["alpha_ndcg"] for row in ours] + [row["subtopic_recall"] for row in ours]
    assert values == pytest.approx(expected, abs=1e-8)


def test_only_grades_from_the_level_on_cover_an_entry():
    grades = graded("p:a q:b").assign(grade=[4, 3])
    row = diversity_per_topic({"t": ["p"]}, grades, ["t"], level=3).iloc[0]
    assert row["subtopic_recall"] == 0.5
    row = diversity_per_topic({"t": ["p"]}, grades, ["t"], level=4).iloc[0]
    assert row["subtopic_recall"] == 1


def test_topics_without_a_ranking_or_a_covered_entry_are_zero():
    rows = diversity_per_topic({"u": ["p"]}, graded("p:a"), ["t", "u"])
    assert rows["alpha_ndcg"].tolist() == [0, 0]
    assert rows["ranked"].tolist() == [False, True]


@given(st.permutations(["d0", "d1", "d2", "x"]))
def test_the_ideal_is_at_most_one_and_novelty_counts(ranking):
    grades = graded("d0:ab d1:ab d2:c")
    row = diversity_per_topic({"t": ranking}, grades, ["t"]).iloc[0]
    assert 0 < row["alpha_ndcg"] <= 1
    best = diversity_per_topic({"t": ["d1", "d2", "d0"]}, grades, ["t"]).iloc[0]
    assert best["alpha_ndcg"] == pytest.approx(1)
    assert row["alpha_ndcg"] <= best["alpha_ndcg"] + 1e-12


def test_settings_without_meaning_are_refused():
    with pytest.raises(BadSetting):
        diversity_per_topic({}, graded("p:a"), ["t"], depth=0)
    with pytest.raises(BadSetting):
        diversity_per_topic({}, graded("p:a"), ["t"], alpha=2)
