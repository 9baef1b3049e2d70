"""The pages of corpora on the Crowd RAG Corpus 2025: how long the server computes, and how much it
sends."""

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

from annotation.models import Corpus
from tests.crowdrag import CorpusDatabase

pytestmark = [pytest.mark.corpus, pytest.mark.system]
MOST_SECONDS, MOST_BYTES, MOST_QUERIES = 0.15, 300_000, 14


@pytest.fixture(scope="module")
def corpus(django_db_setup, django_db_blocker, corpus_dir):
    """The corpus in a database of its own, which other tests read as well. Change nothing."""
    database = CorpusDatabase(corpus_dir)
    database.imported()
    with django_db_blocker.unblock(), database.connected():
        yield Corpus.objects.get(slug="crowdrag25")


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
        "",
        "topics/",
        "topics/?q=history",
        "passages/",
        "passages/?page=100",
        "passages/?q=history",
        "responses/",
        "responses/?q=history",
        "systems/",
        "rankings/",
        "settings/",
        "topics/{topic}/",
        "responses/{response}/",
    ],
)
def test_a_page_takes_little_time_few_queries_and_few_bytes(corpus, page):
    row = {"topic": corpus.topics.first().pk, "response": corpus.responses.first().pk}
    path = f"/corpora/crowdrag25/{page.format(**row)}"
    took = []
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET max_parallel_workers_per_gather = 0")  # all in one process
    for _ in range(5):
        began = computed()
        with CaptureQueriesContext(connection) as captured:
            answer = asked(path)
        took.append(computed() - began)
        assert answer.status_code == 200
        assert len(captured) <= MOST_QUERIES
    assert statistics.median(took) < MOST_SECONDS
    assert len(gzip.compress(answer.content)) < MOST_BYTES
