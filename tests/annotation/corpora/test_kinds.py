"""What a file holds, from the columns and the names that people really give."""

import pytest

from annotation.corpora.kinds import kind_of_rows
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
        ("a.csv", "id remark", None),
        ("a.csv", "", None),
    ],
)
def test_a_kind_is_told_by_columns_and_name(name, columns, kind):
    assert kind_of_rows(columns.split(), name=name) == kind


def test_columns_of_ours_count_more_than_any_name():
    assert kind_of_rows(["topic", "passage", "text"], name="answers.csv") == Kind.PASSAGES
