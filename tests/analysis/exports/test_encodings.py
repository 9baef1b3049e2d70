"""Rows as bytes: what a spreadsheet must not calculate, and what must come back as it was."""

import csv
import gzip

import pytest

from analysis.exports import encodings
from analysis.exports.cells import Type, cell_of, number, type_of


def test_csv_cells_come_back_as_they_were():
    rows = [{"id": text, "n": -1.5} for text in ["a,b", 'c"d', "e\nf", "g\rh", "i\r\nj", "é"]]
    file = encodings.CsvEncoder(["id", "n"])
    data = file.start() + file.rows(rows) + file.end()
    lines = list(csv.DictReader(data.decode().splitlines(keepends=True)))
    assert [line["id"] for line in lines] == [row["id"] for row in rows]
    assert {line["n"] for line in lines} == {"-1.5"}


def test_gzip_has_no_name_and_no_time():
    packed = []
    for _ in range(2):
        file = encodings.JsonLinesEncoder()
        packed.append(file.start() + file.rows([{"a": 1}]) + file.end())
    assert packed[0] == packed[1]
    assert packed[0][3:8] == bytes(5)
    assert gzip.decompress(packed[0]) == b'{"a":1}\n'


@pytest.mark.parametrize(
    ("text", "value"),
    [("-1", -1), ("2.5", 2.5), ("01", "01"), ("nan", "nan"), ("1e3", "1e3"), ("a", "a")],
)
def test_it_takes_for_a_number_only_what_is_written_as_one(text, value):
    assert number(text) == value
    assert type(number(text)) is type(value)


@pytest.mark.parametrize(
    ("codes", "column"),
    [
        (["-3", "-1", "1", "3"], Type.WHOLE),
        (["1", "2", "3+"], Type.TEXT),
        (["1", "1.5"], Type.TEXT),  # its cells would read 1.0, which is no code
        (["01", "2"], Type.TEXT),
        (["a", "n", "b"], Type.TEXT),
        ([], Type.TEXT),
    ],
)
def test_a_column_of_answers_has_one_type(codes, column):
    assert type_of(codes) == column
    kinds = {Type.WHOLE: int, Type.TEXT: str}
    assert {type(cell_of(code, column)) for code in codes} <= {kinds[column]}


def test_numbers_of_a_range_have_a_point():
    assert [cell_of(text, Type.NUMBER) for text in ("2", "2.5")] == [2.0, 2.5]
    assert type(cell_of("2", Type.NUMBER)) is float
