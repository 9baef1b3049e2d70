"""Pages of the Crowd RAG Corpus 2025: their queries and sizes.

benchmarks/console.py measures their times.
"""

import pytest

from annotation.models import Corpus
from tests.crowdrag import CorpusDatabase
from tests.services.pages import MOST_BYTES, answer_to, cost_of

pytestmark = [pytest.mark.corpus, pytest.mark.system]
MOST_QUERIES = 14


@pytest.fixture(scope="module")
def corpus(django_db_setup, django_db_blocker, corpus_dir):
    """Return the corpus in a database of its own, which other tests read as well.

    Change nothing.
    """
    database = CorpusDatabase(corpus_dir)
    database.imported()
    with django_db_blocker.unblock(), database.connected():
        yield Corpus.objects.get(slug="crowdrag25")


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
def test_a_page_takes_few_queries_and_few_bytes(corpus, page):
    row = {"topic": corpus.topics.first().pk, "response": corpus.responses.first().pk}
    path = f"/corpora/crowdrag25/{page.format(**row)}"
    cost = cost_of(lambda: answer_to(path))
    assert cost.queries <= MOST_QUERIES
    assert cost.sent < MOST_BYTES
