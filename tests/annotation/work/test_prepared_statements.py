"""Queries of the hot paths are planned once a connection, whatever values they get."""

import pytest
from django.db import connection

from annotation.work.prepared_statements import fetch

pytestmark = pytest.mark.django_db
KEPT = (
    "SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE 'SELECT /* planned once */%'"
)


def test_numbers_of_any_size_share_one_plan():
    for number in (0, 500, -50_000, 2**40):
        rows = fetch("SELECT /* planned once */ CAST(%s AS bigint)", [number])
        assert rows == [(number,)]
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(KEPT)
            assert cursor.fetchone() == (1,)
