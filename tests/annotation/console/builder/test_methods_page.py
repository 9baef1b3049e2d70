"""Methods by question, with their cost for a corpus."""

import re
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from annotation.console.builder import method_rows
from annotation.console.builder.method_rows import MAX_METHODS, QUESTIONS, MethodList, Row
from annotation.models import Corpus, Draft
from annotation.studies.drafts.kinds import decoded, registered_kinds
from annotation.studies.drafts.workload import outline_of
from tests.cast import in_sections, small_corpus

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _costs_take_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(method_rows, "MAX_SECONDS", 3600)


def methods(client: Client, corpus: Corpus, **query: str) -> MethodList:
    response = client.get(reverse("instruments"), {"corpus": corpus.slug, **query})
    return response.context["methods"]  # type: ignore[no-any-return]


def rows_of(shown: MethodList) -> dict[str, Row]:
    return {row.name: row for _, rows in shown.questions for row in rows}


def with_passages(corpus: Corpus) -> Corpus:
    for topic in corpus.topics.all():
        for rank in range(1, 4):
            topic.passages.create(key=f"{topic.key}p{rank}", rank=rank, text="It shines.")
    return corpus


def test_every_method_answers_a_question(client: Client) -> None:
    shown = methods(client, small_corpus(), show="all")
    names = {name for kind in registered_kinds().values() for name in kind.methods}
    assert set(rows_of(shown)) == names
    assert shown.total == len(names)
    assert len(shown.questions) == len(QUESTIONS) == 5


def test_short_list_has_one_to_four_methods_a_question(client: Client) -> None:
    shown = methods(client, with_passages(small_corpus()))
    assert all(1 <= len(rows) <= MAX_METHODS for _, rows in shown.questions)


def test_selected_method_beyond_the_short_list_is_shown(client: Client) -> None:
    shown = methods(client, small_corpus(), method="judging/ab-comparison")
    assert shown.selected.name == "ab-comparison"
    assert "ab-comparison" in rows_of(shown)


@pytest.mark.parametrize(
    ("responses", "name"),
    [(0, "crowdrag-writing"), (1, "direct-quality"), (3, "crowdrag-pairwise")],
)
def test_recommended_method_follows_the_number_of_systems(
    client: Client, responses: int, name: str
) -> None:
    shown = methods(client, with_passages(small_corpus(responses=responses)))
    assert shown.selected.name == name
    assert [row.name for row in rows_of(shown).values() if row.is_recommended] == [name]


def test_unavailable_methods_come_last_and_have_no_button(client: Client) -> None:
    corpus = small_corpus(responses=3)
    page = client.get(reverse("instruments"), {"corpus": corpus.slug, "show": "all"}).text
    rows = re.findall(r"<tr data-method.*?</tr>", page, re.S)
    lacking = [row for row in rows if "data-lacks" in row]
    assert any("crowdrag-writing" in row for row in lacking)
    assert not any("<button" in row for row in lacking)
    for _, some in methods(client, corpus, show="all").questions:
        assert [bool(row.lacks) for row in some] == sorted(bool(row.lacks) for row in some)


def test_method_without_an_outline_has_no_button(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(method_rows, "outline_or_why", lambda *_: (None, "No pair to judge."))
    corpus = small_corpus(responses=3)
    page = client.get(reverse("instruments"), {"corpus": corpus.slug, "show": "all"}).text
    rows = re.findall(r"<tr data-method.*?</tr>", page, re.S)
    assert any("data-refused" in row for row in rows)
    assert not any("<button" in row for row in rows)


def test_every_method_fits_a_corpus_with_all_parts(client: Client) -> None:
    corpus = with_passages(small_corpus(responses=2))
    for response in corpus.responses.all():
        in_sections(response)
    page = client.get(reverse("instruments"), {"corpus": corpus.slug, "show": "all"}).text
    assert "data-lacks" not in page
    assert page.count("button-primary") == 1


def test_cost_of_each_method_is_that_of_its_draft(client: Client) -> None:
    corpus = with_passages(small_corpus(responses=4))
    rows = rows_of(methods(client, corpus, show="all")).values()
    priced = [row for row in rows if row.outline]
    assert len(priced) > 8
    for row in priced:
        assert row.outline is not None
        client.post(reverse("begin_draft"), {"of": row.key, "corpus": corpus.slug})
        document = decoded(Draft.objects.latest("pk").document)
        launched = outline_of(document, corpus)
        assert (launched.cost, launched.minutes) == (row.outline.cost, row.outline.minutes)


def test_slow_costs_come_with_one_more_request(client: Client, monkeypatch: Any) -> None:
    cache.clear()
    monkeypatch.setattr(method_rows, "MAX_SECONDS", -1)
    corpus = small_corpus(topics=4, responses=4)
    first = client.get(reverse("instruments"), {"corpus": corpus.slug})
    assert first.context["methods"].selected.outline
    assert first.context["methods"].is_pending
    (rest,) = re.findall(r'hx-get="([^"]+)" hx-trigger="load"', first.text)
    second = client.get(reverse("instruments") + rest.replace("&amp;", "&"))
    assert not second.context["methods"].is_pending
    assert 'hx-trigger="load"' not in second.text


@pytest.mark.parametrize("method", ["", "judging/", "nothing/at-all", "x" * 900])
def test_odd_methods_select_the_recommended_one(client: Client, method: str) -> None:
    assert methods(client, small_corpus(), method=method).selected.is_recommended


def test_old_address_redirects_permanently(client: Client) -> None:
    response = client.get("/instruments/?corpus=lamps")
    assert (response.status_code, response["Location"]) == (301, "/methods/?corpus=lamps")


def test_cached_costs_are_read_at_once(client: Client, django_assert_max_num_queries: Any) -> None:
    corpus = with_passages(small_corpus())
    assert not methods(client, corpus, show="all").is_pending
    with django_assert_max_num_queries(16):  # one for the costs of all methods
        shown = methods(client, corpus, show="all")
    assert sum(row.outline is not None for row in rows_of(shown).values()) > 8
