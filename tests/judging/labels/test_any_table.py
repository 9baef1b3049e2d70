"""Files of labels in every container that a corpus reads: one reading layer for both."""

import csv
import gzip
import io
import json
import zipfile

import pyarrow
import pyarrow.parquet
import pytest

from judging.labels.files import LabelLine, lines_of
from judging.labels.rows import FileKind, Remark
from tests.annotation.corpora.workbooks import workbook

SLOTS = ("a", "b", "passage")
ROWS = [
    {"topic": "t1", "passage": "p1", "value": "1", "comment": "so, „gut“ – naïve"},
    {"topic": "t1", "passage": "p2", "value": "0", "comment": ""},
]
NAMES = list(ROWS[0])


def table(separator=",", **how):
    text = io.StringIO()
    writer = csv.DictWriter(text, NAMES, delimiter=separator, **how)
    writer.writeheader()
    writer.writerows(ROWS)
    return text.getvalue()


def packed(**files):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, data in files.items():
            archive.writestr(name.replace("__", "/").replace("_dot_", "."), data)
    return content.getvalue()


def parquet():
    content = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(ROWS), content)
    return content.getvalue()


CSV = table().encode()
FILES = {
    "comma.csv": CSV,
    "semicolon.csv": table(";").encode(),
    "pipe.csv": table("|").encode(),
    "sep.csv": ("sep=;\n" + table(";")).encode(),
    "tabs.tsv": table("\t").encode(),
    "bom.csv": b"\xef\xbb\xbf" + CSV,
    "utf16.csv": table(";").encode("utf-16"),
    "windows.csv": table(";").replace("–", "-").replace("ï", "ö").encode("cp1252"),
    "returns.csv": table(lineterminator="\r").encode(),
    "excel.xlsx": workbook([NAMES, *(list(row.values()) for row in ROWS)]),
    "packed.csv.gz": gzip.compress(CSV),
    "list.json": json.dumps(ROWS).encode(),
    "wrapped.json": json.dumps({"labels": ROWS}).encode(),
    "lines.jsonl": "\n".join(map(json.dumps, ROWS)).encode(),
    "glued.jsonl": "".join(map(json.dumps, ROWS)).encode(),
    "table.parquet": parquet(),
    "one.zip": packed(labels_dot_csv=CSV),
    "folder.zip": packed(data__labels_dot_csv=CSV, README_dot_md="Ours."),
    "upper.CSV": CSV.replace(b"topic", b" Topic ").replace(b"value", b"VALUE"),
}


def read(tmp_path, name, content):
    path = tmp_path / "upload"
    path.write_bytes(content)
    lines = lines_of(path, slots=SLOTS, name=name)
    return [line for line in lines if not isinstance(line, FileKind)]


@pytest.mark.parametrize("name", FILES)
def test_a_label_is_read_from_any_table(tmp_path, name):
    lines = read(tmp_path, name, FILES[name])
    labels = [line for line in lines if isinstance(line, LabelLine)]
    found = [(one.topic, dict(one.contents), one.value) for one in labels]
    assert found == [("t1", {"passage": "p1"}, "1"), ("t1", {"passage": "p2"}, "0")]
    assert labels[0].comment.startswith("so, „gut“")
    guessed = [line for line in lines if isinstance(line, Remark)]
    assert len(guessed) == (name == "windows.csv")


def test_several_files_of_a_zip_file_are_read_and_named(tmp_path):
    qrels = "t1 0 p1 2\n"
    lines = read(tmp_path, "all.zip", packed(a_dot_csv=CSV, b_dot_qrels=qrels, c_dot_csv="x\n1\n"))
    labels = [(line.file, line.value) for line in lines if isinstance(line, LabelLine)]
    assert labels == [("a.csv", "1"), ("a.csv", "0"), ("b.qrels", "2")]
    (bad,) = [line for line in lines if not isinstance(line, LabelLine)]
    assert (bad.file, bad.field) == ("c.csv", "x")


def test_qrels_are_recognised_by_content(tmp_path):
    for name in ("a.qrels", "a.txt", "a.csv", "a.tsv", "a.dat"):
        for text in ("t1 0 p1 2\n", "t1\t0\tp1\t2.0\n", "t1 Q0 p1 -1\r\n"):
            (line,) = read(tmp_path, name, text.encode())
            assert (line.topic, line.contents, float(line.value)) in (
                ("t1", {"passage": "p1"}, 2),
                ("t1", {"passage": "p1"}, -1),
            )


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.csv", b""),
        ("a.pdf", b"%PDF-1.7"),
        ("a.zip", b"PK\x03\x04 broken"),
        ("a.zip", packed(README_dot_md="no data")),
        ("a.xlsx", b"PK\x03\x04"),
        ("a.parquet", b"PAR1 broken"),
        ("a.json", b"[{]"),
        ("a.json", b"[" * 100_000),
        ("a.jsonl", b'{"value": {"a": 1}}'),
        ("a.csv.gz", b"\x1f\x8b\x08broken"),
        ("a.exe", b"MZ"),
        ("a.csv", b"value\n\x00\x00\x00"),
    ],
)
def test_what_cannot_be_read_is_a_sentence(tmp_path, name, content):
    lines = read(tmp_path, name, content)
    assert lines
    assert all(line.reason for line in lines)
