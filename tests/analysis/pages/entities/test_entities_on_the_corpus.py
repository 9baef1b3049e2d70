"""The lists of the corpus's judging study: their queries and sizes.

benchmarks/console.py measures their times.
"""

import pytest

from analysis.pages.results.run_results import RunResults
from analysis.pages.results.summary import kept_summary
from annotation.models import Study
from judging.models import Item
from tests.crowdrag import STUDY, CorpusDatabase
from tests.services.pages import MOST_BYTES, answer_to, cost_of

pytestmark = [pytest.mark.corpus, pytest.mark.system]
MOST_QUERIES = 30


@pytest.fixture(scope="module")
def study(django_db_setup, django_db_blocker, corpus_dir):
    """Return the study in a database that other tests read as well, analysed. Change nothing."""
    database = CorpusDatabase(corpus_dir)
    database.analysed()
    with django_db_blocker.unblock(), database.connected():
        study = Study.objects.get(slug=STUDY)
        # As a worker does when a run has ended (analysis.pages.results.preparing).
        kept_summary(RunResults(study.runs.newest_finished()))
        yield study


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
        "",
        "raters/",
        "review/",
        "review/?state=decided&at={work}",
        "review/{work}/panel/",
        "recruit/money/",
        "recruit/1/repeat/",
    ],
)
def test_a_page_takes_few_queries_and_few_bytes(study, page):
    work = study.assignments.order_by("pk").first()
    item = Item.objects.filter(presentations__assignment=work).order_by("pk").first()
    row = {
        "worker": work.worker.pseudonym,
        "work": work.pk,
        "item": item.pk,
        "topic": item.topic.key,
        "response": item.slots.first().response.key,
    }
    cost = cost_of(lambda: answer_to(study.get_absolute_url() + page.format(**row)))
    assert cost.queries <= MOST_QUERIES
    assert cost.sent < MOST_BYTES
