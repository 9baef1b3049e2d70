"""The console's benchmark measures every page, and queries don't grow with the study.

The addresses come from the URL configuration, so that a new page is included.
"""

from math import inf

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import ResolverMatch, resolve, reverse

from annotation.console.builder import method_rows
from annotation.fieldwork.review import reviewing
from benchmarks import console_pages
from benchmarks.console_pages import LEFT_OUT, Page, pages_of, wanted
from config import demonstrating
from tests.analysis.exports.exported import analysed
from tests.cast import NOW, small_corpus, small_study, submitted, worker
from tests.config.addresses import addresses

pytestmark = pytest.mark.django_db


def counted(client: Client, path: str, name: str) -> tuple[Page | None, str]:
    """Return a page as the benchmark measures it, without the time that it takes."""
    with CaptureQueriesContext(connection) as asked:
        answer = client.get(path)
    if answer.status_code != 200 or answer.streaming:
        return None, ""
    return Page(name, path, 0, 0, 0, len(asked), 0, 0), answer.text


def one_of_a_kind(match: ResolverMatch, query: str) -> tuple[object, ...]:
    """However a list is narrowed and sorted."""
    of = {key: value for key, value in match.kwargs.items() if key not in console_pages.SAME}
    return match.view_name, *sorted(of.items())


def pages(size: int) -> list[Page]:
    """Return the pages of an analysed study with so many topics and people who did all of it."""
    corpus = small_corpus(topics=size, responses=3)
    for topic in corpus.topics.all():
        for rank in (1, 2):
            topic.passages.create(key=f"{topic.key}p{rank}", rank=rank, text="Lamps shine.")
    study = small_study(corpus=corpus, items=3 * size, quota=size + 1, hourly_wage="90.00")
    for number in range(size):
        work = submitted(study, worker(f"bob{number}"))
        reviewing.decide(assignment=work, decision="accept", reviewer="rita", now=NOW)
    submitted(study, worker("dora"))
    analysed(study)
    return list(pages_of(study))


def test_every_page_is_measured_and_takes_no_more_queries_for_a_larger_study(monkeypatch):
    monkeypatch.setattr(console_pages, "measured", counted)
    monkeypatch.setattr(console_pages, "kind_of", one_of_a_kind)
    monkeypatch.setattr(console_pages, "FEW", 1)
    monkeypatch.setattr(method_rows, "MAX_SECONDS", inf)  # a busy machine would leave costs out
    monkeypatch.setattr(demonstrating, "WRITERS", demonstrating.WRITERS[:1])
    found = []
    for size in (10, 12):  # of fewer people and topics some things are not said
        with transaction.atomic():
            found.append(pages(size))
            transaction.set_rollback(True)
    small, large = ({page.path: page.queries for page in each} for each in found)
    assert {page.address for page in found[0]} == wanted()
    more = {path: (small[path], n) for path, n in large.items() if n > small.get(path, n)}
    assert more == {}
    assert len(small.keys() & large.keys()) > len(wanted())


def test_what_is_left_out_of_the_benchmark_is_an_address():
    assert set(LEFT_OUT) <= {name for _, name in addresses()}


def test_pages_of_workers_are_of_one_kind():
    people = [reverse("worker_page", args=["lamps", 1, name]) for name in ("bob", "dave")]
    assert len({console_pages.kind_of(resolve(way), "") for way in people}) == 1
