"""The three files of RAGElo are a corpus."""

import pytest

from annotation.models import Passage, Response
from tests.hooks import outlined

pytestmark = [pytest.mark.storage, pytest.mark.django_db]

QUERIES = b"qid,query\r\nq1,why?\r\nq2,how?\r\n"
DOCUMENTS = b'qid,did,document\r\nq1,d2,Sugar.\r\nq1,d1,"Light, red"\r\n'
ANSWERS = b"qid,agent,answer\r\nq1,RAG,Sugar [0].\r\nq1,RAGF,Light [1].\r\nq2,RAG,So.\r\n"


def test_the_three_files_of_ragelo_are_a_corpus(bring):
    files = {"answers": ANSWERS, "documents": DOCUMENTS, "queries": QUERIES}
    report = bring(suffix=".csv", origin="llm", **files)
    assert report.added == {"topics": 2, "passages": 2, "systems": 2, "responses": 3}
    assert list(Passage.objects.values_list("key", "rank", "text")) == [
        ("d2", 1, "Sugar."),
        ("d1", 2, "Light, red"),
    ]
    assert list(Response.objects.values_list("key", "system__key", "style", "origin", "text")) == [
        ("q1/RAG", "RAG", "free", "llm", "Sugar [0]."),
        ("q1/RAGF", "RAGF", "free", "llm", "Light [1]."),
        ("q2/RAG", "RAG", "free", "llm", "So."),
    ]
    again = bring(suffix=".csv", origin="llm", **files)
    assert (again.added, again.unchanged["responses"]) == ({}, 3)


def test_what_is_wrong_with_a_file_of_ragelo_is_named(bring, refused):
    bring(suffix=".csv", queries=QUERIES)
    twice = ANSWERS + b"q1,RAG,Again.\r\nq3,RAG,Nobody asked.\r\n"
    found = refused(suffix=".csv", origin="llm", answers=twice, documents=DOCUMENTS)
    assert outlined(
        found,
        "answers.csv:5: response: 'q1/RAG' … duplicate … answers.csv:2",
        "answers.csv:6: qid: 'q3' not found",
    )
