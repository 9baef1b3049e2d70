"""Any bytes under any name are read, or refused with a sentence: no error leaves the reader."""

import csv
import io
import json
import zipfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation.corpora.corpus_files import CorpusFile
from annotation.corpora.readers import reading
from annotation.corpora.reading.delimited import SEPARATORS, separator_of
from annotation.corpora.uploads.first_rows import look_at
from annotation.corpora.uploads.guesses import first_guess
from annotation.corpora.uploads.questions import open_questions
from tests.annotation.corpora.workbooks import workbook

NAMES = ["a.xlsx", "a.parquet", "a.json", "a.jsonl", "a.csv", "a.tsv", "a.txt", "a.csv.gz"]
BOOK = workbook([["question", "answer"], ["why?", "Because."]])
quick = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60
)
cells = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=30)
values = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | cells,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(cells, inner, max_size=3),
    max_leaves=12,
)


def seen(path: Path, name: str, content: bytes) -> None:
    """Look at a file and read it to its end, as an upload and as the command line do."""
    path.write_bytes(content)
    look = look_at(path, name).as_json()
    assert json.dumps(look)
    if not look["fault"]:
        open_questions(look, first_guess(look))
    with reading(CorpusFile(path, name=name)) as lines:
        assert all(str(line) for line in lines)


@pytest.mark.parametrize("name", NAMES)
@quick
@given(content=st.binary(max_size=400))
def test_any_bytes(tmp_path, name, content):
    seen(tmp_path / "file", name, content)


@quick
@given(place=st.integers(0, len(BOOK) - 1), byte=st.integers(0, 255), cut=st.integers(0, 200))
def test_a_damaged_workbook(tmp_path, place, byte, cut):
    damaged = bytearray(BOOK)
    damaged[place] = byte
    seen(tmp_path / "file", "a.xlsx", bytes(damaged[: len(BOOK) - cut]))


@quick
@given(xml=st.text("<>/=\"' rctvAZ019:", max_size=200))
def test_a_workbook_of_any_sheet(tmp_path, xml):
    parts = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(BOOK)) as book, zipfile.ZipFile(parts, "w") as changed:
        for name in book.namelist():
            is_sheet = name.endswith("sheet1.xml")
            changed.writestr(name, f"<worksheet>{xml}" if is_sheet else book.read(name))
    seen(tmp_path / "file", "a.xlsx", parts.getvalue())


@pytest.mark.parametrize("name", ["a.json", "a.jsonl"])
@quick
@given(document=values)
def test_any_json(tmp_path, name, document):
    seen(tmp_path / "file", name, json.dumps(document).encode())


@quick
@given(
    rows=st.lists(st.lists(cells, min_size=3, max_size=3), min_size=1, max_size=6),
    separator=st.sampled_from(SEPARATORS),
    encoding=st.sampled_from(["utf-8", "utf-16", "utf-8-sig"]),
)
def test_any_table(tmp_path, rows, separator, encoding):
    file = io.StringIO(newline="")
    csv.writer(file, delimiter=separator).writerows(rows)
    seen(tmp_path / "file", "a.csv", file.getvalue().encode(encoding))


@pytest.mark.parametrize("separator", SEPARATORS)
def test_the_separator_is_the_one_that_makes_rows_alike(separator):
    file = io.StringIO(newline="")
    rows = [["question", "system", "answer"], ["a, b; c?", "x", "1 | 2"], ["d", "y", "e, f"]]
    csv.writer(file, delimiter=separator).writerows(rows)
    assert separator_of(file.getvalue()) == separator
