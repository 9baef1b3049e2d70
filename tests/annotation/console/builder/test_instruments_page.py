"""The methods on Instruments: first those that can do something with the corpus at hand."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from annotation.corpora.contents import holdings
from annotation.models import Corpus
from tests.cast import in_sections, rita, small_corpus

pytestmark = pytest.mark.django_db


@pytest.fixture
def client() -> Client:
    client = Client()
    client.force_login(rita())
    return client


def cards(client: Client, corpus: Corpus) -> dict[str, str]:
    """Return the cards in their order, by the name of the method."""
    page = client.get(reverse("instruments"), {"corpus": corpus.slug}).text
    matches = re.findall(r'<li class="card method".*?</li>', page, re.S)
    return {re.search(r'name="of" value="[a-z]+/([^"]+)"', match)[1]: match for match in matches}


def with_passages(corpus: Corpus) -> Corpus:
    for topic in corpus.topics.all():
        for rank in range(1, 4):
            topic.passages.create(key=f"{topic.key}p{rank}", rank=rank, text="It shines.")
    return corpus


def test_without_responses_writing_comes_first_and_what_judges_them_is_quiet(client):
    keys = cards(client, with_passages(small_corpus(responses=0)))
    names = list(keys)
    assert names[:4] == ["retrieval-relevance", "nuggets", "exam-questions", "crowdrag-writing"]
    assert all("button-primary" in keys[name] for name in names[:4])
    for name in names[4:]:
        assert "button-primary" not in keys[name]
        assert "data-lacks" in keys[name]
        assert "/figures/" not in keys[name]


def test_without_passages_nobody_can_write(client):
    keys = cards(client, small_corpus(responses=3))
    assert next(iter(keys)) == "crowdrag-pairwise"
    assert "data-lacks" in keys["crowdrag-writing"]
    assert "data-lacks" in keys["heading-section"]


def test_with_all_of_it_the_order_is_that_of_the_methods(client):
    corpus = with_passages(small_corpus(responses=2))
    for response in corpus.responses.all():
        in_sections(response)
    assert holdings(corpus) >= {"response", "passage", "heading", "statement"}
    keys = cards(client, corpus)
    assert all("button-primary" in each for each in keys.values())
    assert list(keys)[-1] == "crowdrag-writing"
