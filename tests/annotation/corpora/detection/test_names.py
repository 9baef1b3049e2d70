"""What a file holds, from the columns and the names that people really give."""

import pytest

from annotation.corpora.detection.column_words import ColumnRole, role_of
from annotation.corpora.detection.kinds import detected
from annotation.corpora.formats.file_format import FileSample
from annotation.corpora.reading.opening import is_header
from annotation.corpora.schema import RowKind


def kind_of_rows(names, *, name):
    return detected(FileSample(names=list(names), name=name)).kind or None


@pytest.mark.parametrize(
    ("name", "columns", "kind"),
    [
        ("topics.csv", "topic query", RowKind.TOPICS),
        ("questions.csv", "id question", RowKind.TOPICS),
        ("topics.csv", "id text", RowKind.TOPICS),
        ("segments.jsonl", "id topic text", RowKind.PASSAGES),
        ("file.jsonl", "id topic text", RowKind.PASSAGES),
        ("answers.csv", "id topic text", RowKind.RESPONSES),
        ("answers.csv", "id topic model text citations", RowKind.RESPONSES),
        ("outputs.csv", "answer_id query_id model generated_text", RowKind.RESPONSES),
        ("docs.csv", "docid qid content title", RowKind.PASSAGES),
        ("bm25.csv", "run qid docid rank score", RowKind.RANKINGS),
        ("models.csv", "system name", RowKind.SYSTEMS),
        ("a.csv", "response topic text", RowKind.RESPONSES),
        ("a.csv", "qid agent answer", RowKind.ANSWERS),
        ("passages.jsonl", "question n id text title url", RowKind.PASSAGES),
        ("answers.csv", "question id text", RowKind.RESPONSES),
        ("questions.csv", "id question text", RowKind.TOPICS),
        ("a.csv", "id remark", None),
        ("a.csv", "", None),
    ],
)
def test_a_kind_is_told_by_columns_and_name(name, columns, kind):
    assert kind_of_rows(columns.split(), name=name) == kind


def test_columns_of_ours_count_more_than_any_name():
    assert kind_of_rows(["topic", "passage", "text"], name="answers.csv") == RowKind.PASSAGES


@pytest.mark.parametrize(
    ("columns", "kind"),
    [
        ("question,engine,answer", RowKind.TABLE),
        ("Question,Engine,Answer,Rank,URL", RowKind.TABLE),
        ("query,system,response", RowKind.TABLE),
        ("qid,query,agent,answer", RowKind.TABLE),
        ("prompt,model,output,references", RowKind.TABLE),
        ("id,question,system,answer text,references,answer", RowKind.TABLE),
        ("response,topic,text,system", RowKind.RESPONSES),
        ("query,docid,text,model", RowKind.PASSAGES),
        ("question,n,id,text,title,url", RowKind.PASSAGES),
        ("question,answer", RowKind.TABLE),
        ("id,query,engine,response", RowKind.TABLE),
    ],
)
def test_one_table_of_answers_is_recognised(columns, kind):
    assert kind_of_rows(columns.split(","), name="file.csv") == kind


@pytest.mark.parametrize(
    ("name", "columns", "kind"),
    [
        ("questions.csv", "question", RowKind.TOPICS),
        ("passages.jsonl", "topic text", RowKind.PASSAGES),
        ("answers.csv", "qid engine text", RowKind.RESPONSES),
        ("answers.csv", "docid qid content title", RowKind.PASSAGES),
    ],
)
def test_a_file_called_by_its_kind_may_lack_ids(name, columns, kind):
    assert kind_of_rows(columns.split(), name=name) == kind


@pytest.mark.parametrize(
    ("first", "is_one"),
    [
        ("question\tengine\tanswer", True),
        ("topic\tquery", True),
        ("1\twhy do leaves turn red?", False),
        ("t1\tQ0\tp1\t1\t0.5\tbm25", False),
        ("Frage\tMaschine\tText\tRang\tAdresse\tJahr", True),
        ("<top>", False),
    ],
)
def test_a_header_is_told_from_lines_of_trec(first, is_one):
    assert is_header(first + "\n") is is_one


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("Antwort Modell Alpha", ColumnRole.ANSWER),
        ("Answer of model 2", ColumnRole.ANSWER),
        ("answer_model", ColumnRole.SYSTEM),
        ("answer model name", ColumnRole.SYSTEM),
    ],
)
def test_the_answer_of_a_named_model_is_an_answer(name, role):
    assert role_of(name) is role
