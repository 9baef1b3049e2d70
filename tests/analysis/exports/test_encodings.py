"""Rows as bytes: what a spreadsheet must not calculate, and what must come back as it was."""

import csv
import gzip

import pytest

from analysis.exports import encodings
from analysis.exports.sources import number


def test_csv_cells_come_back_as_they_were():
    rows = [{"id": text, "n": -1.5} for text in ["a,b", 'c"d', "e\nf", "g\rh", "i\r\nj", "é"]]
    file = encodings.Csv(["id", "n"])
    data = file.start() + file.rows(rows) + file.end()
    lines = list(csv.DictReader(data.decode().splitlines(keepends=True)))
    assert [line["id"] for line in lines] == [row["id"] for row in rows]
    assert {line["n"] for line in lines} == {"-1.5"}


def test_gzip_has_no_name_and_no_time():
    packed = []
    for _ in range(2):
        file = encodings.JsonLines()
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
