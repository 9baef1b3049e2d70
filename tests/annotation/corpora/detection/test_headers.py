"""Headers that files really have: what their rows are, and which column is which field."""

from pathlib import Path

import pytest

from annotation.corpora.detection.kinds import detected
from annotation.corpora.formats.file_format import FileSample
from annotation.corpora.recognised_columns import plain, proposed
from annotation.corpora.schema import RowKind, fields_of

HEADERS = Path(__file__).with_name("headers.txt").read_text()
ROWS = [
    tuple(cell.strip() for cell in line.split("|"))
    for line in HEADERS.splitlines()
    if "|" in line and not line.startswith("#")
]


@pytest.mark.parametrize(("name", "header", "kind", "fields"), ROWS)
def test_headers_of_others_are_understood(name, header, kind, fields):
    detection = detected(FileSample(names=header.split(), name=name))
    assert detection.kind == kind
    if kind:
        best = detection.ranking[0]
        assert best.columns == dict(pair.split("=") for pair in fields.split())


@pytest.mark.parametrize(
    "name", ["queryId", "Query ID", "query-id", "QUERY_ID", "query.id", "_query id"]
)
def test_a_name_is_the_same_however_it_is_written(name):
    assert plain(name) == "queryid"
    assert proposed([name, "query"], ("topic", "query")) == {"topic": name, "query": "query"}


def test_our_own_name_is_before_any_other():
    for kind in RowKind:
        fields = list(fields_of(kind))
        assert proposed(fields, fields) == dict(zip(fields, fields, strict=True))
