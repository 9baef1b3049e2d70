"""The header of a table: titles above it, doubled and empty names, a chosen row, none."""

import io

import pytest

from annotation.corpora.reading.headers import NONE
from annotation.corpora.reading.opening import opening_of
from annotation.corpora.reading.source import Source
from annotation.corpora.reading.source_rows import SourceRow

NAMES = ["question", "model", "answer", "note"]
ROW = ["Why?", "gpt", "Rivers.", "a"]
TABLE = f"{','.join(NAMES)}\n{','.join(ROW)}\n"


def read(text, header=0):
    stream = io.BytesIO(text.encode())
    source = Source(stream=stream, opening=opening_of(stream, "a.csv", header=header))
    rows = [row.values for row in source if isinstance(row, SourceRow)]
    return source.header, rows


@pytest.mark.parametrize(
    "above",
    ["Export of 2026-01-01\n", "Export,2026-01-01,,\nBy,Rita,,\n", "\n\n,,,\nAll answers,,,\n",
     "Group A,,Group B,\n"],
)  # fmt: skip
def test_title_lines_above_the_header_are_not_columns(above):
    header, rows = read(above + TABLE)
    assert header.names == NAMES
    assert rows == [dict(zip(NAMES, ROW, strict=True))]


@pytest.mark.parametrize(
    "text", ["colour\n1,2,3\n", "Frage\nWarum, wieso?\n", "id,text,,\n1,Why,x,y\n"]
)
def test_a_narrow_header_above_data_stays_the_header(text):
    header, _ = read(text)
    assert header.row.row == 1


def test_a_chosen_row_is_the_header_and_rows_above_it_are_skipped():
    header, rows = read("Study,Model,Answers,\n" + TABLE, header=2)
    assert header.names == NAMES
    assert len(rows) == 1


def test_a_table_without_a_header_has_columns_called_by_their_letters():
    header, rows = read("1,Why?,Rivers.\n2,How?,So.\n", header=NONE)
    assert header.names == ["column A", "column B", "column C"]
    assert [row["column A"] for row in rows] == ["1", "2"]


def test_a_chosen_row_that_is_not_there_is_no_header():
    header, rows = read(TABLE, header=9)
    assert (header.row, rows) == (None, [])


def test_doubled_and_empty_names_get_the_letters_of_their_columns():
    header, _ = read("answer,,answer\na,b,c\n")
    assert header.names == ["answer", "(column B)", "answer (column C)"]
    assert header.doubled == ("answer",)
