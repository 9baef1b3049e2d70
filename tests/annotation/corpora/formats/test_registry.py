"""Formats of other systems: recognised by their rows, read once for each kind they bring."""

import json

import pytest

from annotation.corpora.corpus_files import CorpusFile
from annotation.corpora.formats import rubric_corpus
from annotation.corpora.formats.file_format import FaultyRow, FileSample
from annotation.corpora.formats.registry import FORMATS, brought_kinds, recognised_formats
from annotation.corpora.readers import reading
from annotation.corpora.reading.source_rows import SourceRow
from annotation.corpora.schema import BadLine, RowKind

PLACE = {"method": "bm25", "paragraphId": "p1", "queryId": "q1", "rank": 1, "score": 2.5}
PARAGRAPH = {
    "paragraph_id": "p1",
    "text": "Sugar.",
    "paragraph_data": {"judgments": [], "rankings": [PLACE]},
}


@pytest.fixture
def graded(tmp_path):
    path = tmp_path / "graded.jsonl"
    lines = [["q1", [PARAGRAPH]], "no list", ["q2", [PARAGRAPH | {"paragraph_id": "p2"}]]]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def read(path, kind):
    file = CorpusFile(path, kind=kind, format=rubric_corpus.PASSAGES)
    with reading(file) as lines:
        return list(lines)


def test_a_file_is_recognised_by_its_rows():
    bank = FileSample(rows=[{}], names=["query_id", "test_collection", "items"])
    assert [found.name for found, _ in recognised_formats(bank)] == ["rubric_bank"]
    graded = FileSample(beginning='["q1", [{"paragraph_id": "p1"')
    assert [found.name for found, _ in recognised_formats(graded)] == ["rubric_passages"]
    assert recognised_formats(FileSample(rows=[{"topic": "t1"}], names=["topic"])) == []


def test_rows_of_each_kind_keep_the_lines_of_the_file_and_a_bad_line_is_named_once(graded):
    first, bad, last = read(graded, RowKind.PASSAGES)
    assert [(line.number, line.row.passage) for line in (first, last)] == [(1, "p1"), (3, "p2")]
    assert isinstance(bad, BadLine)
    assert bad.line == 2
    rankings = read(graded, RowKind.RANKINGS)
    assert [(line.number, line.row.passage) for line in rankings] == [(1, "p1"), (3, "p2")]


def test_a_query_with_two_wordings_is_a_fault_at_its_second_line():
    bank = {"query_id": "q1", "test_collection": "c", "hash": 1, "items": []}
    rows = [SourceRow(n, n, bank | {"query_text": text}) for n, text in ((1, "a"), (2, "b"))]
    first, second = rubric_corpus.BANK.reader(rows)
    assert first.values == {"topic": "q1", "query": "a"}
    assert isinstance(second, FaultyRow)
    assert (second.source.line, second.fault.field) == (2, "query_text")


@pytest.mark.parametrize("name", FORMATS)
def test_a_format_brings_kinds_and_is_called_by_its_name(name):
    assert brought_kinds(name) == FORMATS[name].brings
    assert FORMATS[name].name == name
    assert name not in list(RowKind)
