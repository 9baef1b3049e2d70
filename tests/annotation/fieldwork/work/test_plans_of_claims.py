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
ROWS_TOUCHED = 8  # by one query, for each place of all studies
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


def test_tables_that_seem_empty_are_not_compared_row_by_row():
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
            cursor.execute(f"UPDATE pg_class SET reltuples = 0 WHERE relname IN ({TABLES})")
    with CaptureQueriesContext(connection) as asked:
        assert begun(study, bob()).place.number == 1
    if connection.vendor == "postgresql":
        most, query = max(plans(asked.captured_queries))
        assert most < ROWS_TOUCHED * places, query
