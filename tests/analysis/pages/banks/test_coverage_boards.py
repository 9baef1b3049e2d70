"""Boards of rankings: coverage, subtopic recall and gains over the grades of passages."""

import math

import pandas as pd
import pytest
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st

from analysis.analyses.bank_board import bank_board, impacts, topic_part
from analysis.inputs.bank_cells import TopicCells
from analysis.pages.banks.boards import (
    Choice,
    shown_board,
)
from analysis.stats.retrieval.entry_values import means_of
from tests.analysis.pages.banks.cast import entry, ranked_bank, values

pytestmark = pytest.mark.django_db


def test_rankings_have_the_coverage_of_the_hand_vector():
    bank = ranked_bank()
    shown = shown_board(bank, Choice(k=5))
    found = values(shown)
    assert (found["x", "cover@5"], found["y", "cover@5"]) == (0.5, 0)
    assert (found["x", "n-cover@5"], found["y", "n-cover@5"]) == (1, 0)
    assert found["x", "subtopic recall@5"] == 1
    assert found["x", "α-nDCG@5"] == pytest.approx(
        (1 + 1.5 / math.log2(3)) / (2 + 0.5 / math.log2(3))
    )
    assert shown.choice.measure == "cover@5"
    # Highest grades: p1 has 5, p2 has 4, p3 has 3. x ranks p1 and p2, y ranks p3.
    assert [found["y", f"MRR@5 ≥ {level}"] for level in (3, 4, 5)] == [1, 0, 0]
    assert [found["x", f"MAP ≥ {level}"] for level in (3, 4, 5)] == pytest.approx([2 / 3, 1, 1])
    assert [found["x", f"P@5 ≥ {level}"] for level in (3, 4, 5)] == pytest.approx([0.4, 0.4, 0.2])
    gains = [n / math.log2(place + 2) for place, n in enumerate((5, 4, 3))]
    assert found["x", "nDCG@5"] == pytest.approx(sum(gains[:2]) / sum(gains))
    assert (shown.lead.first, shown.lead.difference) == ("x", 0.5)


def test_avoided_entries_are_not_covered():
    bank = ranked_bank(("avoid", "", "", ""))
    shown = shown_board(bank, Choice(k=5))
    assert values(shown)["x", "cover@5"] == pytest.approx(1 / 3)
    (retired,) = impacts(shown.board, "cover@5", entry(bank, "c").key, ["retire"])
    assert retired.differences == pytest.approx({"x": 1 / 2 - 1 / 3})


SCORES = st.lists(st.integers(0, 5), min_size=12, max_size=12)


@settings(max_examples=15, deadline=None)
@drawn(SCORES, st.integers(1, 3))
def test_cover_by_entry_equals_the_coverage_board(scores, k):
    topics = {"t/a": "t", "t/b": "t", "u/c": "u"}
    ranked = {"x": (0, 1, 2), "y": (3, 2), "z": (1,)}
    importance, parts = dict.fromkeys(topics, ""), []
    for name in ("t", "u"):
        entries = [entry for entry, topic in topics.items() if topic == name]
        rows = [
            (f"p{p}", entry, scores[3 * p + n])
            for p in range(4)
            for n, entry in enumerate(topics)
            if entry in entries
        ]
        cells = TopicCells(
            topic=name,
            answers=pd.DataFrame(columns=["system", "entry", "value"]),
            texts=frozenset(),
            grades=pd.DataFrame(rows, columns=["passage", "entry", "grade"]),
            rankings={system: [f"p{p}" for p in order] for system, order in ranked.items()},
        )
        parts.append(topic_part(cells, entries, importance, (3, 4, 5), k))
    board = bank_board(
        parts, pd.DataFrame(), importance, topics, pool="people", counts={},
        names={name: name for name in "xyz"}, k=k,
    )  # fmt: skip
    rows = board.rows[board.rows["measure"] == f"cover@{k}"].set_index("system")["value"]
    ours = means_of(board.of(f"cover@{k}"), board.importance, "cover")
    assert dict(zip("xyz", ours, strict=True)) == pytest.approx(rows.to_dict())
