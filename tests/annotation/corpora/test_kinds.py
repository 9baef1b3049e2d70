"""What a file holds, from the columns and the names that people really give."""

import pytest

from annotation.corpora.kinds import is_header, kind_of_rows
from annotation.corpora.schema import Kind


@pytest.mark.parametrize(
    ("name", "columns", "kind"),
    [
        ("topics.csv", "topic query", Kind.TOPICS),
        ("questions.csv", "id question", Kind.TOPICS),
        ("topics.csv", "id text", Kind.TOPICS),
        ("segments.jsonl", "id topic text", Kind.PASSAGES),
        ("file.jsonl", "id topic text", Kind.PASSAGES),
        ("answers.csv", "id topic text", Kind.RESPONSES),
        ("answers.csv", "id topic model text citations", Kind.RESPONSES),
        ("outputs.csv", "answer_id query_id model generated_text", Kind.RESPONSES),
        ("docs.csv", "docid qid content title", Kind.PASSAGES),
        ("bm25.csv", "run qid docid rank score", Kind.RANKINGS),
        ("models.csv", "system name", Kind.SYSTEMS),
        ("a.csv", "response topic text", Kind.RESPONSES),
        ("a.csv", "qid agent answer", Kind.ANSWERS),
        ("passages.jsonl", "question n id text title url", Kind.PASSAGES),
        ("answers.csv", "question id text", Kind.RESPONSES),
        ("questions.csv", "id question text", Kind.TOPICS),
        ("a.csv", "id remark", None),
        ("a.csv", "", None),
    ],
)
def test_a_kind_is_told_by_columns_and_name(name, columns, kind):
    assert kind_of_rows(columns.split(), name=name) == kind


def test_columns_of_ours_count_more_than_any_name():
    assert kind_of_rows(["topic", "passage", "text"], name="answers.csv") == Kind.PASSAGES


@pytest.mark.parametrize(
    ("columns", "kind"),
    [
        ("question,engine,answer", Kind.TABLE),
        ("Question,Engine,Answer,Rank,URL", Kind.TABLE),
        ("query,system,response", Kind.TABLE),
        ("qid,query,agent,answer", Kind.TABLE),
        ("prompt,model,output,references", Kind.TABLE),
        ("id,question,system,answer text,references,answer", Kind.TABLE),
        ("response,topic,text,system", Kind.RESPONSES),
        ("query,docid,text,model", Kind.PASSAGES),
        ("question,n,id,text,title,url", Kind.PASSAGES),
        ("question,answer", Kind.TABLE),
        ("id,query,engine,response", Kind.TABLE),
    ],
)
def test_one_table_of_answers_is_recognised(columns, kind):
    assert kind_of_rows(columns.split(","), name="file.csv") == kind


@pytest.mark.parametrize(
    ("name", "columns", "kind"),
    [
        ("questions.csv", "question", Kind.TOPICS),
        ("passages.jsonl", "topic text", Kind.PASSAGES),
        ("answers.csv", "qid engine text", Kind.RESPONSES),
        ("answers.csv", "docid qid content title", Kind.PASSAGES),
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
