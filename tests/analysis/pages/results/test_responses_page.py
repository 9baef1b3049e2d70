"""The page of responses: a topic is one card, with all its texts ranked and there to be read."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from analysis.models import Result
from analysis.pages.results import sections, views
from analysis.pages.results.pages import responses as responses_page
from analysis.pages.results.pages import topics as topics_page
from analysis.pages.results.pages import workers as workers_page
from analysis.pages.results.run_results import RunResults
from annotation.models import Study
from tests.analysis.exports.exported import analysed
from tests.cast import rita, small_study, submitted, worker
from tests.hooks import element

pytestmark = pytest.mark.django_db


def made():
    study = small_study(topics=3, responses=4, items=18, quota=3)
    for name in ("bob", "dora", "emil"):
        submitted(study, worker(name))
    analysed(study)
    return study.pk


@pytest.fixture(scope="module")
def made_once(for_the_module):
    return for_the_module(made)


@pytest.fixture
def judged(made_once, client, db, monkeypatch):
    """Three topics of four texts, by people and models, judged by three."""
    monkeypatch.setattr(topics_page, "TOPICS_A_PAGE", 2)
    client.force_login(rita())
    return Study.objects.get(pk=made_once)


def page(client, study, part="responses", **asked):
    return client.get(reverse("results_part", args=[study.slug, study.version, part]), asked)


def test_a_topic_is_one_card_with_the_texts_of_people_and_models_together(client, judged):
    shown = page(client, judged)
    text = shown.content.decode()
    assert text.count("what is lamp 1?") == 1
    first = shown.context["cards"][0]
    assert {text.row.origin for text in first.texts} == {"human", "LLM"}
    assert len(first.texts) == 4
    for letter in "abcd":
        assert text.count(f"Text {letter} about lamp 1.") == 1


def test_texts_stand_in_the_order_of_the_question_that_ranks(client, judged):
    for asked in ({}, {"question": "better"}, {"question": "odd"}):
        for card in page(client, judged, **asked).context["cards"]:
            values = [text.cell["value"] for text in card.texts]
            assert values == sorted(values, reverse=True)
            assert card.texts[0].place == 1
            for one in card.texts:
                assert one.place == 1 + sum(value > one.cell["value"] for value in values)
                assert one.shared == (values.count(one.cell["value"]) > 1)


def test_first_sight_is_of_one_topic_and_links_to_all(client, judged):
    shown = page(client, judged)
    assert [card.query for card in shown.context["cards"]] == ["what is lamp 1?"]
    assert element(shown.text, "data-show-all").attributes["href"] == "?section=grades#grades"


def test_a_page_has_a_few_topics_and_leads_to_the_others(client, judged):
    first, second = page(client, judged, section="grades"), page(client, judged, page=2)
    assert [card.query for card in first.context["cards"]] == ["what is lamp 1?", "what is lamp 2?"]
    assert [card.query for card in second.context["cards"]] == ["what is lamp 3?"]
    assert 'rel="next" href="?section=grades&amp;page=2"' in first.text


@pytest.mark.parametrize(
    ("sought", "topics"),
    [("LAMP 2", ["what is lamp 2?"]), ("t3b", ["what is lamp 3?"]), ("nothing", [])],
)
def test_topics_are_found_by_their_words_and_those_of_their_texts(client, judged, sought, topics):
    shown = page(client, judged, q=sought)
    assert [card.query for card in shown.context["cards"]] == topics
    assert all(len(card.texts) == 4 for card in shown.context["cards"])


def test_search_and_order_stay_from_page_to_page(client, judged):
    text = page(client, judged, q="lamp", question="better").content.decode()
    assert 'href="?q=lamp&amp;question=better&amp;page=2"' in text


def test_workers_come_a_page_at_a_time_and_are_found(client, judged, monkeypatch):
    monkeypatch.setattr(workers_page, "WORKERS_A_PAGE", 1)
    every = [
        row.worker
        for n in (1, 2, 3)
        for row in page(client, judged, "workers", page=n).context["page"]
    ]
    assert set(every) == {"bob", "dora", "emil"}
    found = page(client, judged, "workers", q="DOR")
    assert [row.worker for row in found.context["page"]] == ["dora"]


def rows_of(client, study, **asked):
    shown = client.get(
        reverse("results_rows", args=[study.slug, study.version, "agreement-agreement"]), asked
    )
    return [[cell.text for cell in row] for row in shown.context["page"]], shown.content.decode()


def test_a_long_table_has_pages_of_its_own_searched_and_sorted_whole(client, judged, monkeypatch):
    every, _ = rows_of(client, judged)
    monkeypatch.setattr(sections, "LONG_ROWS", len(every) - 1)
    monkeypatch.setattr(views, "ROWS_A_PAGE", 2)
    part = page(client, judged, "agreement").content.decode()
    assert 'results/rows/agreement-agreement/">' in part
    first, text = rows_of(client, judged)
    assert first == every[:2]
    assert f"1 to 2 of {len(every)} rows" in text
    found, _ = rows_of(client, judged, q="krippendorff")
    assert found
    assert all("Krippendorff" in " ".join(row) for row in found)
    up, text = rows_of(client, judged, sort="0")
    assert 'aria-sort="ascending"' in text
    assert "?sort=-0" in text
    down, _ = rows_of(client, judged, sort="-0")
    assert sorted(row[0] for row in every)[0] == up[0][0]
    assert sorted(row[0] for row in every)[-1] == down[0][0]
    assert rows_of(client, judged, sort="99")[0] == first


@pytest.mark.parametrize("name", ["grades-grades", "nothing", "agreement-nothing"])
def test_only_tables_of_pages_have_pages(client, judged, name):
    where = reverse("results_rows", args=[judged.slug, judged.version, name])
    assert client.get(where).status_code == 404


def test_texts_are_the_same_whether_few_are_named_or_a_whole_corpus_is_read(judged, monkeypatch):
    run = judged.runs.newest_finished("")
    named = responses_page.response_rows(RunResults(run))
    assert len(named) == 12
    assert {each.origin for each in named} == {"human", "LLM"}
    monkeypatch.setattr(responses_page, "MOST_KEYS", 0)
    assert responses_page.response_rows(RunResults(run)) == named


def test_a_page_takes_as_many_queries_with_more_rows(client, judged):
    def queries(**asked):
        rows_of(client, judged, **asked)
        page(client, judged, **asked)
        with CaptureQueriesContext(connection) as found:
            rows_of(client, judged, **asked)
            page(client, judged, **asked)
        return len(found)

    few = queries()
    result = Result.objects.get(step__analysis="agreement", step__question="better")
    result.data["agreement"]["rows"] *= 500
    result.save()
    assert len(rows_of(client, judged)[0]) == views.ROWS_A_PAGE
    assert queries() == queries(page=3) == queries(sort="-1") == few
