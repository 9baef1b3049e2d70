"""What the first rows of a file show, and the sentence for a file that cannot be right."""

import gzip
import zipfile
from io import BytesIO

import pytest

from annotation.corpora.detection.kinds import AUTHORS, SNAPSHOTS
from annotation.corpora.schema import RowKind
from annotation.corpora.uploads.first_rows import look_at
from annotation.corpora.uploads.questions import open_questions, unread_columns
from tests.annotation.corpora.small_corpora import PASSAGE, RESPONSE, TOPIC, as_csv, as_jsonl
from tests.hooks import outlined


def look(tmp_path, name, content):
    path = tmp_path / "arrived"
    path.write_bytes(content)
    return look_at(path, name)


def spreadsheet() -> bytes:
    file = BytesIO()
    with zipfile.ZipFile(file, "w") as parts:
        parts.writestr("[Content_Types].xml", "<Types/>")
    return file.getvalue()


def test_it_knows_our_kinds_and_shows_the_first_rows(tmp_path):
    seen = look(tmp_path, "a.jsonl.gz", gzip.compress(as_jsonl([TOPIC] * 9), mtime=0))
    assert (seen.kind, seen.names, len(seen.rows), seen.fault) == (
        *("topics", ["topic", "query"], 5, ""),
    )
    seen = look(tmp_path, "a.csv", as_csv([PASSAGE]))
    assert (seen.kind, seen.rows) == ("passages", [["t1", "p0", "1", "Leaves", "Sugar."]])


def test_a_field_that_only_a_later_row_has_is_a_column(tmp_path):
    rows = [{"text": "Sugar.", "topic": "t1"}] * 6
    seen = look(tmp_path, "passages.jsonl", as_jsonl([*rows, rows[0] | {"passage": "p7"}]))
    assert seen.names == ["text", "topic", "passage"]
    assert seen.rows == [["Sugar.", "t1", ""]] * 5
    odd = [{"topic": "t", "query": "q", f"field {n}": n} for n in range(99)]
    seen = look(tmp_path, "topics.jsonl", as_jsonl(odd))
    assert (seen.fault, len(seen.names)) == ("", 60)


def test_it_knows_the_files_of_others(tmp_path):
    assert look(tmp_path, "a.run", b"t1 Q0 p1 1 0.5 bm25\n").kind == "rankings"
    assert look(tmp_path, "a.csv", b"qid,did,document\n1,2,x\n").kind == "documents"
    snapshot = {name: RESPONSE[name] for name in ("response", "topic", "style", "text")}
    assert look(tmp_path, "a.jsonl", as_jsonl([snapshot | {"timestamp": 1}])).kind == SNAPSHOTS
    task = {"response": "r", "worker": "w", "topic": "t", "style": "essay"}
    assert look(tmp_path, "a.jsonl", as_jsonl([task])).kind == AUTHORS


def test_every_kind_has_a_name_on_the_page():
    from annotation.console.upload_views import KINDS

    assert set(RowKind) <= set(KINDS)


def test_a_file_that_only_has_an_id_is_asked_about(tmp_path):
    assert look(tmp_path, "a.csv", b"id,remark\n1,why?\n").kind == ""
    assert look(tmp_path, "a.jsonl", b'{"id": 1, "title": "why?"}\n').kind == "rag_topics"


def test_columns_that_are_not_read_are_named():
    seen = {"names": ["id", "topic", "text", "citations"]}
    mapping = {"columns": {"passage": "id", "topic": "topic", "text": "text"}}
    assert unread_columns(seen, mapping) == ["citations"]
    assert unread_columns(seen, {}) == []


def test_rows_with_parts_are_read_as_they_are(tmp_path):
    row = b'{"run_id": "r", "topic_id": 1, "references": [], "answer": [], "topic": "why?"}\n'
    seen = look(tmp_path, "a.jsonl", row)
    assert seen.kind == "trec_reports"
    assert open_questions(seen.as_json(), {}) == []


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("a.csv", b"", "is empty"),
        ("a.csv", b"\xef\xbb\xbf \n", "is empty"),
        ("a.csv.gz", gzip.compress(b"", mtime=0), "is empty"),
        ("a.xlsx", spreadsheet(), r"\bzip\b"),
        ("a.xls", b"\xd0\xcf\x11\xe0" + bytes(99), r"\.xlsx\b"),
        ("a.xlsx", b"\xd0\xcf\x11\xe0" + "EncryptedPackage".encode("utf-16-le"), "password"),
        ("a.pdf", b"%PDF-1.7", "PDF"),
        ("a.qrels", b"1 0 d1 1\n", "contains qrels"),
        ("a.txt", b"1 0 d1 -1\n1 0 d2 2\n", "contains qrels"),
        ("a.csv.gz", gzip.compress(bytes(99_999), mtime=0)[:30], "damaged"),
        ("a.txt", b"hello world", "TREC"),
        ("a.exe", b"MZ", r"\.xlsx\b"),
        ("a.csv", (",".join(map(str, range(99))) + "\n").encode(), "has 99 columns"),
    ],
)
def test_a_file_that_cannot_be_right_gets_its_sentence(tmp_path, name, content, sentence):
    import re

    assert re.search(sentence, look(tmp_path, name, content).fault)


def test_a_table_of_a_german_spreadsheet_is_read(tmp_path):
    seen = look(tmp_path, "a.csv", "\ufefftopic;query\n1;warum, und wie?\n".encode())
    assert (seen.kind, seen.opening["separator"], seen.rows) == (
        "topics",
        ";",
        [["1", "warum, und wie?"]],
    )


def test_a_long_file_is_only_begun(tmp_path):
    seen = look(tmp_path, "a.csv", b"topic,query\n" + "1,ü\n".encode() * 200_000)
    assert (seen.kind, seen.fault, len(seen.rows)) == ("topics", "", 5)


def test_it_asks_what_it_cannot_know():
    unknown = {"kind": "", "names": ["a", "b"], "fault": ""}
    assert len(open_questions(unknown, {})) == 1
    half = {"kind": "topics", "names": ["topic", "question"]}
    assert outlined(open_questions(half, {}), "… “question”")
    said = {"kind": "topics", "columns": {"topic": "topic"}, "fixed": {}}
    assert outlined(open_questions(half, said), "… “Question”")
    said["columns"]["query"] = "question"
    assert open_questions(half, said) == []
