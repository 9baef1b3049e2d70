"""Ranks of a topic's texts: from the best down, and only where results differ."""

import re
from typing import Any

import pytest
from django.test import Client, override_settings
from django.urls import reverse

from analysis.analyses.catalogue import CATALOGUE
from analysis.pages.entities.newest_results import newest_of, scores_in
from annotation.models import Study
from tests.analysis.exports.exported import analysed
from tests.cast import rita, small_study, submitted, worker
from tests.hooks import elements

pytestmark = pytest.mark.django_db
ANALYSES = {name: CATALOGUE[name] for name in ("competence", "crowd", "grades")}
WORKERS = ("bob", "dora", "emil", "fred", "gina", "hugo")


@pytest.fixture
def ranked(settings: Any) -> Any:
    """Return a study of one topic with three texts, whose pairs so many people have judged."""
    settings.ANALYSES = ANALYSES

    def made(people: int) -> Study:
        study = small_study(responses=3, items=3, quota=people)
        for name in WORKERS[:people]:
            submitted(study, worker(name))
        with override_settings(ANALYSES=ANALYSES):
            analysed(study)
        return Study.objects.get(pk=study.pk)

    return made


def pages(study: Study) -> dict[str, str]:
    client = Client()
    client.force_login(rita())
    (topic,) = study.corpus.topics.all()
    at = [study.slug, study.version]
    addresses = {
        "results": f"{study.get_absolute_url()}results/responses/",
        "topic": reverse("topic_page", args=[*at, topic.key]),
        "texts": reverse("response_list", args=at),
        "text": reverse("response_page", args=[*at, topic.responses.first().key]),
    }
    return {
        name: re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", client.get(address).text))
        for name, address in addresses.items()
    }


def scores(study: Study) -> list[Any]:
    newest = newest_of(study)
    (topic,) = study.corpus.topics.all()
    return [
        score
        for of_text in scores_in(newest, [topic.key]).values()
        for score in of_text
        if score.question == newest.headline
    ]


def test_a_place_stands_alone_and_its_range_counts_as_it_does(ranked: Any) -> None:
    found = scores(ranked(6))
    assert {each.value for each in found} == {None}
    for each in found:
        assert each.low <= each.place + (len(found) - 1) / 2
        assert 1 <= each.low <= each.high <= 3


def test_the_range_of_a_place_holds_it_on_every_page(ranked: Any) -> None:
    texts = pages(ranked(6))
    assert re.search(r" \[1, \d\] ", texts["topic"])
    assert "1 of 3 [1, 3] –" in texts["texts"]  # below its head; a score is none
    for name in ("results", "text"):
        assert re.search(r"[Rr]ank 1", texts[name]), name
    assert "No ranking" not in texts["results"]


def test_an_item_says_what_the_ranges_of_its_texts_are(ranked: Any, client: Client) -> None:
    study = ranked(6)
    client.force_login(rita())
    item = study.items.first()
    page = client.get(reverse("item_page", args=[study.slug, study.version, item.pk])).text
    assert elements(page, "data-ranges")


def test_where_comparisons_are_too_few_nothing_is_ranked(ranked: Any) -> None:
    study = ranked(1)
    assert {(score.place, score.value, score.low) for score in scores(study)} == {
        (None, None, None)
    }
    texts = pages(study)
    assert re.search(r"No ranking: [^.]*\b5\b", texts["results"])
    for name, text in texts.items():
        assert not re.search(r"rank \d", text), name
