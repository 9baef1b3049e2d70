"""Rows with columns of other names, read as ours; and bounds of files from somebody else."""

import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.corpora.corpus_files import CorpusFile
from annotation.corpora.mapping import Columns
from annotation.corpora.readers import reading
from annotation.corpora.reading.lines import Bounds
from annotation.corpora.recognised_columns import proposed, proposed_for_answers
from annotation.corpora.rows import TopicRow
from annotation.corpora.schema import BadLine, RowKind, fields_of

QUESTIONS = Columns({"topic": "qnum", "query": "question"})


def rows(path, content, **of):
    path.write_bytes(content)
    with reading(CorpusFile(path, **of)) as lines:
        return [line.reason if isinstance(line, BadLine) else line.row for line in lines]


def bad_fields(path, content, **of):
    path.write_bytes(content)
    with reading(CorpusFile(path, **of)) as lines:
        return [line.field for line in lines if isinstance(line, BadLine)]


def test_a_column_n_is_proposed_as_the_rank():
    found = proposed(["topic", "docid", "n", "text"], ["topic", "passage", "rank", "text"])
    assert found == {"topic": "topic", "passage": "docid", "rank": "n", "text": "text"}


def test_columns_of_a_table_have_other_names(tmp_path):
    content = b"qnum;question;notes\n1;why?;x\n2;;x\n"
    found = rows(tmp_path / "a.csv", content, kind=RowKind.TOPICS, columns=QUESTIONS)
    assert found == [TopicRow(topic="1", query="why?"), "is empty"]


def test_fields_of_objects_have_other_names_and_a_number_is_a_key(tmp_path):
    content = b'{"qnum": 1, "question": "why?", "x": [1]}\n{"qnum": 2}\n'
    found = rows(tmp_path / "a.jsonl", content, kind=RowKind.TOPICS, columns=QUESTIONS)
    assert found == [TopicRow(topic="1", query="why?"), "is missing"]


def test_all_rows_may_have_a_value_in_common(tmp_path):
    columns = Columns(
        {"response": "id", "topic": "q", "text": "answer"}, {"style": "free", "origin": "llm"}
    )
    (row,) = rows(
        tmp_path / "a.csv", b"id,q,answer\nr1,1,Yes.\n", kind=RowKind.RESPONSES, columns=columns
    )
    assert (row.style, row.origin, row.text) == ("free", "llm", "Yes.")


def test_a_column_that_is_not_there_is_named(tmp_path):
    content = b"qnum,b\n1,2\n"
    found = bad_fields(tmp_path / "a.csv", content, kind=RowKind.TOPICS, columns=QUESTIONS)
    assert found == ["query"]


def test_the_names_of_others_are_proposed():
    found = proposed(["Query ID", "question", "x"], list(fields_of(RowKind.TOPICS)))
    assert found == {"topic": "Query ID", "query": "question"}


def test_a_text_may_name_its_topic_by_the_question():
    theirs = ["question", "n", "id", "text", "title", "url"]
    found = proposed(theirs, list(fields_of(RowKind.PASSAGES)))
    usual = {"topic": "question", "passage": "id", "text": "text", "title": "title"}
    assert found == usual | {"rank": "n"}
    found = proposed(["id", "qid", "question", "text"], list(fields_of(RowKind.RESPONSES)))
    assert found == {"topic": "qid", "response": "id", "text": "text"}
    assert proposed(["id", "question"], list(fields_of(RowKind.TOPICS)))["topic"] == "id"


@given(st.lists(st.text(max_size=12), max_size=12))
def test_no_column_is_proposed_twice(names):
    for kind in (RowKind.TOPICS, RowKind.PASSAGES, RowKind.RESPONSES):
        found = proposed(names, list(fields_of(kind)))
        assert len(set(found.values())) == len(found)
        assert set(found.values()) <= set(names)


@pytest.mark.parametrize(
    ("bounds", "sentence"),
    [
        (Bounds(unpacked=10**9), "unpacks to"),
        (Bounds(unpacked=10**7, ratio=10**6), "10 MB unpacked"),
    ],
)
def test_a_gzip_bomb_is_read_no_further(tmp_path, bounds, sentence):
    bomb = gzip.compress(bytes(200_000_000), compresslevel=9)
    (said,) = rows(tmp_path / "a.jsonl.gz", bomb, bounds=bounds)
    assert sentence in said


def test_a_run_that_is_too_long_to_be_held_is_refused(tmp_path):
    content = b"".join(b"t%d Q0 p 1 0.5 s\n" % number for number in range(100))
    bounds = Bounds(unpacked=10**9, whole=500)
    (said,) = rows(tmp_path / "a.run", content, bounds=bounds)
    assert "split it" in said


@pytest.mark.parametrize(
    ("columns", "repeated", "found"),
    [
        (
            "query system response",
            "",
            {"question": "query", "system": "system", "answer": "response"},
        ),
        ("id question answer", "", {"question": "question", "answer": "answer", "response": "id"}),
        ("id question answer", "id", {"question": "question", "answer": "answer", "topic": "id"}),
        (
            "qid id question answer source",
            "",
            {"question": "question", "answer": "answer", "topic": "qid", "response": "id"},
        ),
        (
            "run_id prompt output contexts origin",
            "",
            {
                "question": "prompt",
                "answer": "output",
                "system": "run_id",
                "passages": "contexts",
                "origin": "origin",
            },
        ),
    ],
)
def test_the_columns_of_a_table_of_answers_are_proposed(columns, repeated, found):
    assert proposed_for_answers(columns.split(), repeated.split()) == found
