"""What lists say of the newest run: read once for a page, and no more of it than is shown."""

import pytest
from django.db import connection
from django.test import override_settings
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from analysis.analyses.catalogue import CATALOGUE
from analysis.pages.entities.among import TextSet
from analysis.pages.entities.newest_results import newest_of, scores_in
from analysis.pages.entities.responses import responses_of, shown
from annotation.models import Study, Worker
from tests.analysis.exports.exported import analysed
from tests.cast import rita, small_study, submitted, worker

pytestmark = [pytest.mark.django_db, pytest.mark.storage]
ANALYSES = {name: CATALOGUE[name] for name in ("competence", "crowd", "grades")}


def made():
    study = small_study(instrument="crowdrag-pairwise", topics=2, responses=3, items=6, quota=3)
    for name in ("bob", "dora", "emil"):
        submitted(study, worker(name))
    with override_settings(ANALYSES=ANALYSES):
        analysed(study)
    return study.pk


@pytest.fixture(scope="module")
def made_once(for_the_module):
    return for_the_module(made)


@pytest.fixture
def study(made_once, settings, db):
    settings.ANALYSES = ANALYSES
    return Study.objects.get(pk=made_once)


def test_texts_are_looked_up_among_many_others(db):
    names = ["bob", 'o\'hara "x" \\ %s', "zoë"]
    for name in [*names, "charlie"]:
        worker(name)
    asked = [*names, *(f"nobody-{n}" for n in range(5000))]
    workers = Worker.objects.filter(pseudonym__in=TextSet(asked))
    with CaptureQueriesContext(connection) as taken:
        assert set(workers.values_list("pseudonym", flat=True)) == set(names)
    assert len(taken) == 1
    assert not Worker.objects.filter(pseudonym__in=TextSet([])).exists()


def test_a_list_of_workers_by_their_competence_reads_it_once(client, study):
    client.force_login(rita())
    address = reverse("worker_list", args=[study.slug, study.version])
    asked = {"competence": "known", "sort": "-competence"}
    assert client.get(address, asked).content.count(b"<tr") == 4  # and the head
    with CaptureQueriesContext(connection) as taken:
        client.get(address, asked)
    runs = [each["sql"] for each in taken if 'FROM "analysis_analysisrun"' in each["sql"]]
    assert len(runs) == 1


def test_a_list_of_texts_reads_the_scores_that_it_shows(study):
    texts = list(responses_of(study))
    newest = newest_of(study)
    every = scores_in(newest, {text.topic.key for text in texts})
    listed, whole = shown(study, texts), shown(study, texts, every_score=True)
    assert [row.score for row in listed] == [row.score for row in whole]
    assert all({score.question for score in row.scores} == {newest.headline} for row in listed)
    assert {row.response.key: row.scores for row in whole} == every
    assert len(whole[0].scores) > 1
