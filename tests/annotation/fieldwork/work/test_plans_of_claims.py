"""A claim is cheap however wrong the statistics of its tables are."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Place, Task
from tests.cast import begun, bob, small_corpus, small_study

pytestmark = pytest.mark.django_db
STUDIES, QUOTA = 4, 30
ROWS_TOUCHED = 2  # by one query, for each place of all studies
REMOVED = ("Rows Removed by Filter", "Rows Removed by Join Filter")
TABLES = ", ".join(f"'{table}'" for table in connection.introspection.django_table_names())


def rows_touched(node: dict[str, Any]) -> int:
    """Return the rows that a plan read, joined or threw away."""
    own = sum(node.get(name, 0) for name in ("Actual Rows", *REMOVED))
    return round(own * node["Actual Loops"]) + sum(map(rows_touched, node.get("Plans", [])))


def plans(queries: list[dict[str, str]]) -> Iterator[tuple[int, str]]:
    with connection.cursor() as cursor:
        for query in queries:
            if query["sql"].startswith("SELECT"):
                cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {query['sql']}")
                (answer,) = cursor.fetchone()
                plan = answer if isinstance(answer, list) else json.loads(answer)
                yield rows_touched(plan[0]["Plan"]), query["sql"]


FORGET = (
    "DELETE FROM pg_statistic USING pg_class"
    f" WHERE pg_class.oid = starelid AND relname IN ({TABLES})"
)
COUNTS = f"UPDATE pg_class SET reltuples = {{}}, relpages = {{}} WHERE relname IN ({TABLES})"
STATISTICS = {
    "never analysed": COUNTS.format(-1, 0),
    "pages without rows": COUNTS.format(0, 50),  # a vacuum during a long transaction
    "no rows": COUNTS.format(0, 0),
    "analysed": "ANALYZE",
}


@pytest.mark.parametrize("state", STATISTICS)
def test_a_claim_reads_few_rows_whatever_the_statistics(state):
    for number in range(STUDIES):
        slug = f"study-{number}"
        corpus = small_corpus(slug=slug, responses=7)
        study = small_study(
            slug=slug, corpus=corpus, instrument="crowdrag-pairwise", items=1, quota=QUOTA
        )
    places = Place.objects.count()
    assert places == STUDIES * QUOTA * Task.objects.filter(batch__study=study).count()
    if connection.vendor == "postgresql":  # SQLite plans without counts
        with connection.cursor() as cursor:
            cursor.execute(FORGET)
            cursor.execute(STATISTICS[state])
    with CaptureQueriesContext(connection) as asked:
        assert begun(study, bob()).place.number == 1
    if connection.vendor == "postgresql":
        most, query = max(plans(asked.captured_queries))
        assert most < ROWS_TOUCHED * places, query
