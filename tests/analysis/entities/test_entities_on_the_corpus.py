"""The pages of what a study is made of, on the judging study of the Crowd RAG Corpus 2025: how long
the server computes, and how much it sends."""

import gzip
import statistics
import time
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import RequestFactory
from django.test.utils import CaptureQueriesContext
from django.urls import resolve

from annotation.models import Study
from judging.models import Item
from tests.crowdrag import STUDY, CorpusDatabase

pytestmark = [pytest.mark.corpus, pytest.mark.system]
MOST_SECONDS, MOST_BYTES, MOST_QUERIES = 0.15, 300_000, 34


@pytest.fixture(scope="module")
def study(django_db_setup, django_db_blocker, corpus_dir):
    """The study in a database that other tests read as well, analysed. Change nothing."""
    database = CorpusDatabase(corpus_dir)
    database.analysed()
    with django_db_blocker.unblock(), database.connected():
        yield Study.objects.get(slug=STUDY)


def computed() -> float:
    """Seconds that this process and its database have computed, however busy the machine is."""
    own = time.process_time()
    if connection.vendor != "postgresql":
        return own
    schedule = Path(f"/proc/{connection.connection.info.backend_pid}/schedstat").read_text()
    return own + int(schedule.split()[0]) / 1e9


def asked(path):
    """The page as the view answers; logging in would write a session."""
    request = RequestFactory().get(path)
    request.user = User(username="rita", is_superuser=True)
    request.resolver_match = resolve(request.path)
    view, args, kwargs = request.resolver_match
    return view(request, *args, **kwargs)


@pytest.mark.parametrize(
    "page",
    [
        "workers/",
        "workers/?sort=-competence",
        "workers/{worker}/",
        "work/?state=accepted",
        "work/{work}/",
        "topics/",
        "topics/{topic}/",
        "items/?q=history",
        "items/?rater={worker}",
        "items/{item}/?work={work}",
        "responses/",
        "responses/{response}/",
        "votes/",
        "votes/?question=quality_overall&sort=-milliseconds",
        "votes/?response={response}",
    ],
)
def test_a_page_takes_little_time_few_queries_and_few_bytes(study, page):
    work = study.assignments.order_by("pk").first()
    item = Item.objects.filter(presentations__assignment=work).order_by("pk").first()
    row = {
        "worker": work.worker.pseudonym,
        "work": work.pk,
        "item": item.pk,
        "topic": item.topic.key,
        "response": item.slots.first().response.key,
    }
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET max_parallel_workers_per_gather = 0")  # all in one process
    took = []
    for _ in range(3):
        began = computed()
        with CaptureQueriesContext(connection) as captured:
            answer = asked(study.get_absolute_url() + page.format(**row))
        took.append(computed() - began)
        assert answer.status_code == 200
        assert len(captured) <= MOST_QUERIES
    assert statistics.median(took) < MOST_SECONDS
    assert len(gzip.compress(answer.content)) < MOST_BYTES
