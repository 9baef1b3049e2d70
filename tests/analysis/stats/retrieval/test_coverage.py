"""Coverage of a bank: the vector of section 3 of the seed systems, worked out by hand."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.stats.errors import BadSetting
from analysis.stats.retrieval.coverage import cover, qrels_of
from tests.analysis.coded_errors import bad_setting, cannot_compute

GRADED = {"p1": "a5 b2 c0 d0", "p2": "a4 b4 c1 d0", "p3": "c3 d1"}
GRADES = pd.DataFrame(
    [("t", p, each[0], int(each[1])) for p, text in GRADED.items() for each in text.split()],
    columns=["topic", "passage", "entry", "grade"],
)
BANK = {"t": frozenset("abcd")}
RUNS = {"X": {"t": ["p1", "p2"]}, "Y": {"t": ["p3"]}}


def test_cover_and_normalised_cover():
    value = cover(RUNS, GRADES, BANK, level=4).set_index(["system", "measure"])["value"]
    assert value.to_dict() == {
        ("X", "cover"): 0.5,
        ("X", "normalised"): 1,
        ("Y", "cover"): 0,
        ("Y", "normalised"): 0,
    }


@pytest.mark.parametrize(
    ("by", "level", "expected"),
    [("maximum", 1, [5, 4, 3]), ("count", 1, [2, 3, 2]), ("threshold", 4, [1, 1, 0])],
)
def test_qrels_from_grades(by, level, expected):
    assert list(qrels_of(GRADES, by, level=level)["t"].values()) == expected


def test_only_the_first_passages_are_read_and_topics_without_a_ranking_count_as_zero():
    bank = BANK | {"u": frozenset("x"), "empty": frozenset()}
    first, normalised = cover({"X": {"t": ["p3", "p1"]}}, GRADES, bank, depth=1).to_dict("records")
    assert (first["value"], first["n"], first["missing"]) == (0, 2, 1)  # t and u
    assert (normalised["value"], normalised["n"]) == (0, 1)  # nothing answers x
    (first, _) = cover({"X": {"t": ["p1", "p2"]}}, GRADES, bank).to_dict("records")
    assert (first["value"], first["n"], first["missing"]) == (0.25, 2, 1)


@given(st.integers(1, 3), st.integers(1, 5))
def test_reading_more_never_covers_less_and_a_higher_level_never_more(depth, level):
    runs = {"X": {"t": ["p3", "p2", "p1"]}}

    def share(depth, level):
        return cover(runs, GRADES, BANK, depth=depth, level=level)["value"][0]

    assert share(depth, level) <= share(depth + 1, level)
    assert share(depth, level + 1) <= share(depth, level)


def test_what_cannot_be_computed_is_said():
    with cannot_compute("empty_bank"):
        cover(RUNS, GRADES, {"t": frozenset()})
    with pytest.raises(BadSetting):
        cover(RUNS, GRADES, BANK, depth=0)
    with bad_setting("by"):
        qrels_of(GRADES, "median")
