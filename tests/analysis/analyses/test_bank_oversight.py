"""Grades on entries beside judgments of passages, in a run: the hand vector of the seeds."""

import gzip
import json

import pytest
from django.urls import reverse

from analysis.inputs.judged_passages import judged_passages
from analysis.inputs.run_data import DataChanged
from analysis.inputs.step_input import input_of
from analysis.runs.findings import missing, tables
from annotation.models import CorpusLabels
from tests.analysis.analyses.test_retrieval import (
    SYSTEMS,
    grade,
    on_points,
    relevance_study,
    study_of,
)
from tests.analysis.runs.polls import analysed
from tests.cast import rita

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.analyses("retrieval", "means", "bank_oversight"),
]
JUDGED = {"p1": 3, "p2": 0, "p3": 2}


def label(corpus, judged, *, name="dl20.qrels", **more):
    """Keep judgments of passages beside a corpus, as its import does."""
    rows = [{"topic": "q1", "passage": key, "value": str(v)} | more for key, v in judged.items()]
    content = gzip.compress("\n".join(json.dumps(row) for row in rows).encode())
    fields = {"count": len(rows), "raters": 1, "content": content}
    CorpusLabels.objects.update_or_create(corpus=corpus, name=name, defaults=fields)


@pytest.fixture
def study():
    study = study_of("nuggets", SYSTEMS)
    grade(study, "bob", on_points)
    label(study.corpus, JUDGED)
    return study


def found(run, name):
    return tables(run, "bank_oversight", name)


def test_tables_are_those_of_the_hand_vector(study):
    run = analysed(study)
    kappas = found(run, "kappas").set_index(["scheme", "answers"])
    assert kappas["kappa"]["strict", 1].item() == pytest.approx(-0.5)  # seed systems, R10
    assert set(kappas["rater"]) == {"dl20.qrels"}
    spurious = found(run, "spurious")
    assert spurious[["entry", "passages"]].to_numpy().tolist() == [["reason", 1], ["subject", 1]]
    assert found(run, "uncovered")["passage"].tolist() == ["p3"]
    kinds = found(run, "difficulty").set_index("entry")["kind"].to_dict()
    assert kinds == {"example": "hard", "limit": "hard"}  # the other two have one of two systems


def test_counts_come_with_their_shares(study):
    summary = found(analysed(study), "summary").set_index("list")
    counts = summary[["found", "of"]].to_numpy().tolist()
    assert dict(zip(summary.index, counts, strict=True)) == {
        "spurious entries": [2, 4],
        "uncovered passages": [1, 2],
        "universal entries": [0, 4],
        "hard entries": [2, 4],
        "raters apart": [0, 0],
    }
    assert summary["share"]["spurious entries"] == 0.5


def test_raters_who_are_far_apart_are_listed(study):
    grade(study, "dora", lambda item: 5 - on_points(item))
    apart = found(analysed(study), "apart").set_index("entry")
    assert set(apart["raters"]) == {2}
    assert apart["distance"]["subject"] == pytest.approx((5 + 3 + 5) / 3)


def test_without_judgments_the_other_lists_and_the_reason_remain(study):
    CorpusLabels.objects.all().delete()
    run = analysed(study)
    assert found(run, "kappas").empty
    assert len(found(run, "undefined")) == 1
    assert len(found(run, "difficulty")) == 2
    assert not missing(run)


def test_judgments_of_other_passages_are_a_reason_and_no_failure(study):
    label(study.corpus, {"other": 1})
    run = analysed(study)
    assert found(run, "kappas").empty
    assert "both a grade and a judgment" in found(run, "undefined")["reason"].item()


def test_other_judgments_make_another_run(study):
    first = analysed(study)
    assert analysed(study) == first
    label(study.corpus, JUDGED | {"p2": 3})
    assert analysed(study) != first
    with pytest.raises(DataChanged):
        input_of(first.steps.get(analysis="bank_oversight"))


def test_labels_of_files_are_numbers_of_their_raters(study):
    label(study.corpus, {"p1": "2.0", "p2": "good", "p3": -1}, name="b", rater="ann")
    label(study.corpus, {"p1": 1}, name="c", system="x")
    judged = judged_passages(study)
    rows = judged[judged["rater"] != "dl20.qrels"].to_numpy().tolist()
    assert rows == [["ann", "q1", "p1", 2], ["ann", "q1", "p3", -1], ["c", "q1", "p1", 1]]


def test_participants_are_one_rater_by_their_mean():
    study = relevance_study()
    grade(study, "emma", lambda item: 0)
    judged = judged_passages(study)
    assert set(judged["rater"]) == {"people"}
    grades = judged[judged["topic"] == "t1"].set_index("passage")["grade"].to_dict()
    assert grades == {"p1": 0, "p2": 1, "p3": 1}  # of 1, 1, 0 and of 2, 2, 0, halves up


def test_the_page_of_agreement_shows_the_lists(study, client):
    analysed(study)
    client.force_login(rita())
    where = reverse("results_part", args=[study.slug, study.version, "agreement"])
    page = client.get(where).content.decode()
    assert "dl20.qrels" in page
    assert "Spurious entries" in page
