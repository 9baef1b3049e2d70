"""What a writing study exports: its accepted texts with their passages, and who wrote them."""

import pytest

from analysis.exports.exporting import write_bundle
from analysis.exports.source import ExportSource
from annotation.fieldwork.review import reviewing
from annotation.models import ReviewDecision
from tests.analysis.coded_errors import cannot_export
from tests.analysis.exports.exported import jsonl, table
from tests.cast import HOUR, NOW, alice, bob, writing_study
from tests.writing.review.test_review_pages import PIECE, written

pytestmark = pytest.mark.django_db

TEXT = f"So a {PIECE} [1, 0]. And light [9]."


@pytest.fixture
def study():
    """Alice's text is accepted, Bob's waits."""
    study = writing_study(topics=3)
    work = written(study, alice(), text=TEXT)
    written(study, bob())
    accept = ReviewDecision.Decision.ACCEPT
    reviewing.decide(assignment=work, decision=accept, reviewer="rita", now=NOW + HOUR)
    return study


def test_accepted_texts_come_with_passages_statements_and_forms(study, tmp_path):
    manifest = write_bundle(study=study, out=tmp_path)
    (row,) = jsonl(tmp_path / "responses.jsonl.gz")
    assert row["raw_text"] == row["text"] == TEXT
    assert row["cleaned_text"] == f"So a {PIECE}. And light."
    assert (row["kind"], row["origin"], row["system"]) == ("human", "human", None)
    assert len(row["references_ids"]) == len(row["references_texts"]) == 3
    first, second, _ = row["references_ids"]
    assert row["statements"] == [
        {"text": f"So a {PIECE}.", "citations": [second, first]},
        {"text": "And light.", "citations": []},  # there is no passage 9
    ]
    (task,) = jsonl(tmp_path / "tasks.jsonl.gz")
    assert task["response"] == row["response"]
    assert task["worker"] == alice().pseudonym
    assert (task["worker_knowledge"], task["worker_satisfaction"]) == (2, 1)
    assert list(table(tmp_path / "tasks.csv")[0]) == list(task)
    assert manifest.left_out == {}
    assert {"numpy", "scipy", "pandas"} <= set(manifest.packages)


def test_what_was_not_accepted_is_only_where_its_state_marks_it(tmp_path):
    study = writing_study(topics=1)
    with cannot_export("nothing_to_export"):
        write_bundle(study=study, out=tmp_path)
    written(study, bob())
    assert not ExportSource.of(study).has_texts
    manifest = write_bundle(study=study, out=tmp_path)
    assert {"responses.csv", "tasks.csv"} <= set(manifest.left_out)
    (row,) = jsonl(tmp_path / "written_texts.jsonl.gz")
    assert (row["worker"], row["state"]) == ("bob", "submitted")
