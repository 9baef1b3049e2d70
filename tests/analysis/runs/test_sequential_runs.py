"""Runs of open studies: their intervals hold at every look; those of one look come on closing."""

import json

import pytest
from django.urls import reverse
from django.utils import timezone

from analysis.analyses.catalogue import CATALOGUE
from analysis.exports import exporting
from analysis.inputs.analysis_input import frame_of, table_of
from analysis.inputs.interim import ON_CLOSING, fixed_intervals_hidden
from analysis.pages.results.run_results import RunResults
from analysis.pages.results.sections import parts_of, sections_of
from analysis.runs import findings
from annotation.models import Batch
from annotation.studies import batching
from tests.analysis.runs.polls import analysed, closed, poll
from tests.cast import rita
from tests.hooks import elements, values

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.storage]


@pytest.mark.usefixtures("few_analyses")
def test_closing_makes_another_run_of_the_same_votes_with_intervals_of_one_look():
    study = poll(analysis={"draws": 50})
    first = analysed(study)
    assert first.is_sequential
    assert analysed(study) == first
    closed(study)
    second = analysed(study)
    assert (second.intervals, first.intervals) == ("fixed", "sequential")
    assert second.digest == first.digest
    assert "sequential" not in second.parameters
    assert study.runs.newest_finished() == second


@pytest.mark.usefixtures("few_analyses")
def test_paused_batch_is_open_and_a_run_of_a_closed_batch_is_not():
    study = poll(analysis={"draws": 50})
    batching.pause_batch(batch=study.batches.get())
    assert analysed(study).is_sequential
    closed(study)
    Batch.objects.create(
        study=study, number=2, name="more", state=Batch.State.OPEN, opened_at=timezone.now()
    )
    assert analysed(study).is_sequential
    assert not analysed(study, batch=study.batches.get(number=1)).is_sequential


@pytest.mark.usefixtures("few_analyses")
def test_a_caller_cannot_choose_the_kind_of_intervals():
    study = poll(analysis={"draws": 50})
    assert analysed(study, parameters={"sequential": False}).is_sequential
    closed(study)
    assert not analysed(study, parameters={"sequential": True}).is_sequential


@pytest.mark.usefixtures("few_analyses")
def test_page_findings_and_manifest_name_the_kind_of_intervals(client, tmp_path):
    study = poll(analysis={"draws": 50})
    client.force_login(rita())
    place = [study.slug, study.version]
    for kind in ("sequential", "fixed"):
        analysed(study)
        page = client.get(reverse("results", args=place)).content.decode()
        assert values(page, "data-intervals") == [kind]
        assert bool(elements(page, "data-sequential")) == (kind == "sequential")
        answer = json.loads(client.get(reverse("api_findings", args=place)).content)
        assert answer["run"]["intervals"] == kind
        manifest = exporting.write_bundle(study=study, out=tmp_path / kind)
        assert manifest.run["intervals"] == kind
        closed(study) if kind == "sequential" else None


@pytest.mark.usefixtures("few_analyses")
def test_bootstrap_of_agreement_is_of_one_look():
    study = poll(analysis={"draws": 50})
    open_rows = findings.tables(analysed(study), "agreement", "agreement")
    closed(study)
    closed_rows = findings.tables(analysed(study), "agreement", "agreement")
    assert open_rows["low"].isna().all()
    assert closed_rows["low"].notna().any()
    assert (open_rows["value"] == closed_rows["value"]).all()


def test_reason_is_on_the_page_of_what_is_hidden_alone():
    study = poll(analysis={"draws": 50, "null_draws": 19})
    results = RunResults(analysed(study))
    hides = {name for name in results.computed if results.hides_intervals(name)}
    sections = [section for part in parts_of(results) for section in sections_of(results, part)]
    assert {section.name for section in sections if ON_CLOSING in section.sentences} == hides
    assert "texts" not in hides
    assert not hides & {"groups", "agreement", "grades", "position", "competence", "crowd"}
    closed(study)
    results = RunResults(analysed(study))
    assert not any(results.hides_intervals(name) for name in results.computed)


def test_values_stay_where_intervals_are_hidden():
    pairs = table_of(
        ("system", "difference", "low", "high", "finding", "within", "p", "q", "p_equivalent"),
        [["a", 0.5, 0.1, 0.9, "different", 0.9, 0.01, 0.02, 0.9]],
    )
    hidden = frame_of(
        fixed_intervals_hidden({"differences": pairs}, CATALOGUE["mixed"], as_published=False)[
            "differences"
        ]
    )
    assert hidden.loc[0, ["system", "difference"]].tolist() == ["a", 0.5]
    assert hidden.drop(columns=["system", "difference"]).isna().all(axis=None)


def test_intervals_of_every_look_stay_but_not_in_the_published_pipeline():
    means = {"means": table_of(("group", "mean", "low", "high"), [["a", 0.5, 0.1, 0.9]])}
    groups = CATALOGUE["groups"]
    assert fixed_intervals_hidden(means, groups, as_published=False) == means
    published = frame_of(fixed_intervals_hidden(means, groups, as_published=True)["means"])
    assert published.loc[0, "low"] is None
    assert published.loc[0, "mean"] == 0.5
