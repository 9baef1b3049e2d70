"""Rows of a long table are written when they are read; all of them are searched and sorted."""

import pandas as pd
import pytest

from analysis.exports import readable_tables as module
from analysis.exports.readable_tables import GAP, Words, shown
from analysis.inputs.columns import COUNT

WORDS = Words(questions={"all": "Overall", "top": "Topic"}, systems={"s1": "Pipeline"})
FRAME = pd.DataFrame(
    {
        "question": ["top", "all", "top", "all"] * 3,
        "system": ["s1", "s2", "", "s1"] * 3,
        "share": [0.5, None, -0.25, 0.125] * 3,
        "low": [0.25, None, -0.5, 0.0] * 3,
        "high": [0.75, None, 0.0, 0.25] * 3,
        "n": [3, 1000, 2, 12] * 3,
        "sure": [True, False, True, None] * 3,
    }
)


@pytest.fixture
def table():
    return shown(FRAME, name="a-b", title="T", words=WORDS, columns={"n": COUNT})


def written(rows):
    return [[cell.text for cell in row] for row in rows]


@pytest.mark.parametrize("sought", ["pipe", "0.2", "[", "1,000", "YES", "−", GAP, "nowhere", "t"])
def test_search_finds_every_row_with_the_words(table, sought):
    wanted = [row for row in table.rows if any(sought.lower() in c.text.lower() for c in row)]
    assert list(table.rows.found(sought)) == wanted


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("column", range(6))
def test_rows_are_sorted_by_what_a_column_says_and_gaps_stay_last(table, column, descending):
    chosen_rows = [row for row in table.rows if row[column].text != GAP]
    missing = [row for row in table.rows if row[column].text == GAP]
    chosen_rows.sort(
        key=lambda row: row[column].value if row[column].number else row[column].text.lower(),
        reverse=descending,
    )
    assert list(table.rows.sorted_by(column, descending=descending)) == [*chosen_rows, *missing]


def test_only_found_rows_are_sorted(table):
    rows = table.rows.found("pipeline").sorted_by(2, descending=True)
    assert [row[2].value for row in rows] == [0.5] * 3 + [0.125] * 3


def test_true_is_not_written_like_a_one():
    mixed = shown(pd.DataFrame({"x": [1, True, 1.0]}, dtype=object), name="", title="", words=WORDS)
    assert written(mixed.rows.found("yes")) == [["yes"]]


def test_a_page_writes_its_own_rows_alone(monkeypatch):
    count = []
    number = module.number
    monkeypatch.setattr(module, "number", lambda *given: count.append(1) or number(*given))
    frame = pd.DataFrame({"value": [k / 7 for k in range(20_000)]})
    rows = shown(frame, name="a-b", title="T", words=WORDS).rows
    assert len(rows) == 20_000
    assert len(rows[100:150]) == 50
    assert len(count) == 50


def test_named_values_are_shown_by_name_and_found_by_key():
    frame = pd.DataFrame({"response": ["6008-e87c", "of-nobody"], "wins": [3, 1]})
    words = Words(named={"response": {"6008-e87c": "Human writer, bullet"}})
    rows = shown(frame, name="", title="", words=words, links={"response": "/texts/{}/"}).rows
    assert [row[0].text for row in rows] == ["Human writer, bullet", "of-nobody"]
    assert [row[0].link for row in rows] == ["/texts/6008-e87c/", "/texts/of-nobody/"]
    assert [row[0].text for row in rows.found("e87c")] == ["Human writer, bullet"]
    assert [row[0].text for row in rows.found("human")] == ["Human writer, bullet"]
