"""A queue of hundreds of texts: a page at a time, searched by the server, walked through whole."""

import re

import pytest

from analysis.pages.review import views as review_views
from annotation.models import Assignment
from tests.cast import MINUTE, NOW, rita, worker, writing_study
from tests.hooks import values
from tests.writing.review.test_review_pages import address, written

pytestmark = pytest.mark.django_db


@pytest.fixture
def queue(client, monkeypatch):
    """Five texts, two on a page."""
    monkeypatch.setattr(review_views, "ROWS_A_PAGE", 2)
    client.force_login(rita())
    study = writing_study(topics=5)
    return study, [
        written(study, worker(f"writer{n}"), at=NOW + n * MINUTE, text=f"Text {n} of lamps.")
        for n in range(5)
    ]


def shown(client, address):
    return [row["work"].pk for row in client.get(address).context["rows"]]


def link(client, address, mark):
    match = re.search(f'href="([^"]*)"[^>]*{mark}', client.get(address).content.decode())
    return match and match[1].replace("&amp;", "&")


def test_a_page_has_a_part_of_the_works_and_leads_to_the_others(client, queue):
    study, works = queue
    pks = [work.pk for work in works]
    assert shown(client, address(study)) == pks[:2]
    assert shown(client, f"{address(study)}?page=3") == pks[4:]
    assert shown(client, f"{address(study)}?page=99") == pks[4:]
    assert shown(client, f"{address(study)}?page=abc") == pks[:2]
    page = client.get(f"{address(study)}?list=all&page=2").content.decode()
    assert 'rel="prev" href="?list=all&amp;page=1"' in page
    assert 'rel="next" href="?list=all&amp;page=3"' in page
    assert values(page, "data-range") == ["3-4/5"]


@pytest.mark.parametrize("query", ["", "?list=all", "?q=lamps", "?order=evidence"])
def test_j_and_k_go_through_all_works_whatever_page_they_are_on(client, queue, query):
    study, works = queue
    seen, at = [], f"{address(study, works[0])}{query}"
    while at:
        seen.append(int(re.search(r"/review/(\d+)/", at)[1]))
        at = link(client, at, "data-next")
    assert seen == [work.pk for work in works]
    at = f"{address(study, works[-1])}{query}"
    assert f"/review/{works[-2].pk}/" in link(client, at, "data-previous")


def test_the_way_back_leads_to_the_list(client, queue):
    study, works = queue
    assert link(client, address(study, works[1]), "data-list") == address(study)
    all_works = f"{address(study, works[2])}?list=all"
    assert link(client, all_works, "data-list") == f"{address(study)}?list=all"


@pytest.mark.parametrize(
    ("sought", "places"),
    [("Text 3", [3]), ("WRITER2", [2]), ("lamp 5", [4]), ("lamps", [0, 1]), ("nothing", [])],
)
def test_works_are_found_by_topic_writer_and_text(client, queue, sought, places):
    study, works = queue
    page = client.get(address(study), {"q": sought, "list": "all"})
    pks = [row["work"].pk for row in page.context["rows"]]
    assert len(pks) == len(places)
    if sought.startswith(("Text", "WRITER")):
        assert pks == [works[n].pk for n in places]
    assert f'value="{sought}"' in page.content.decode()


def test_a_page_takes_as_many_queries_for_many_works_as_for_few(
    client, queue, django_assert_max_num_queries
):
    study, _ = queue
    client.get(address(study))
    with django_assert_max_num_queries(12):
        client.get(f"{address(study)}?list=all&order=evidence")


def test_work_that_was_redone_twice_stands_in_the_list_once(client, queue):
    study, works = queue
    for _ in range(2):
        works[0].decisions.create(decision="redo", reviewer="rita", decided_at=NOW)
    Assignment.objects.filter(pk=works[0].pk).update(state="active", submitted_at=None)
    assert shown(client, f"{address(study)}?list=redo") == [works[0].pk]
    assert len(client.get(f"{address(study)}?list=all&page=3").context["rows"]) == 1
