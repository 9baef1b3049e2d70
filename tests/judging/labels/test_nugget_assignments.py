"""Assignments of nuggetizer: those of passages become grades of the points from the same file."""

import json

import pytest

from annotation.models import Corpus, CorpusLabels
from judging.design.designing import create_study
from judging.labels.checking import check_labels
from judging.labels.importing_files import LabelChoices, bring, labels_of_corpus, stored_labels
from judging.labels.rubric import Grader, instrument_of_bank
from judging.labels.values import ValueMapping
from judging.models import Judgment
from tests.annotation.corpora.uploads.cast import imported, uploaded
from tests.annotation.corpora.uploads.conftest import uploads_dir  # noqa: F401 - a fixture
from tests.cast import NOW, rita

pytestmark = pytest.mark.django_db

NUGGETS = [
    {"text": "A lamp glows.", "importance": "vital", "assignment": "support"},
    {"text": "A wire is thin.", "importance": "okay", "assignment": "not_support"},
]
PASSAGE = {"qid": "q1", "text": "How do lamps work?", "docid": "p1", "candidate_text": "It glows."}
ANSWER = {"qid": "q1", "query": "How do lamps work?", "run_id": "r1", "answer_text": "It glows."}
SUPPORT = ValueMapping.of(["support=5", "partial_support=3", "not_support=0"])


def study_with(row):
    """Return a study on the points of a file, and the labels that came with its corpus."""
    content = json.dumps(row | {"nuggets": NUGGETS}).encode()
    upload = uploaded({"assigned.jsonl": content}, owner=rita(), name="lamps")
    upload.origin = "llm"
    upload.save()
    imported(upload)
    corpus = Corpus.objects.get()
    instrument = instrument_of_bank(content, name="assigned.jsonl")
    study = create_study(slug="points", title="P", corpus=corpus, instruments=[instrument], seed=1)
    labels = labels_of_corpus(study, "assigned.jsonl")
    assert (labels.count, CorpusLabels.objects.count()) == (2, 1)
    return study, labels


def choices(**how):
    grader = Grader("assigner", "model", "gpt-4o")
    return LabelChoices(grader, unknown="make", values=SUPPORT, **how)


def test_assignments_of_passages_are_grades_of_points(uploads_dir):  # noqa: F811
    study, labels = study_with(PASSAGE)
    with stored_labels(labels) as file:
        bring(study=study, file=file, choices=choices(), by=None, now=NOW)
    grades = Judgment.objects.values_list("item__slots__criterion__key", "score")
    grades = {key.split("/")[1]: score for key, score in grades if key}
    assert grades == {"vital": 5, "okay": 0}


def test_assignments_of_answers_have_no_kind_of_item(uploads_dir):  # noqa: F811
    study, labels = study_with(ANSWER)
    with stored_labels(labels) as file:
        found = check_labels(study=study, file=file, choices=choices(), by=None, now=NOW)
    assert (found.report.rows, found.report.labels, found.may_import) == (2, 0, False)
    assert found.report.problems["missing_content"].count == 2
