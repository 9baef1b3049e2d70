"""Queries of the hot paths, which PostgreSQL plans once a connection and not once a request."""

from collections.abc import Sequence
from typing import Any

import psycopg
from django.db import connection
from psycopg.types.numeric import Int8


def fetch(query: str, parameters: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Run a query and return its rows; `%s` stands for a parameter.

    For queries of few different texts: each is kept as a prepared statement on its connection.
    """
    if connection.vendor != "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(query, parameters)
            return list(cursor.fetchall()) if cursor.description else []
    connection.ensure_connection()
    link = connection.connection
    # For this query alone: of Django's own, psycopg would count each with the values in it.
    link.prepare_threshold = 0
    # A statement is prepared for the types of its values, and psycopg sends 500 and 50,000 as
    # integers of different size: seven durations would make a hundred plans of one query.
    values = [Int8(each) if type(each) is int else each for each in parameters]
    try:
        with connection.wrap_database_errors, psycopg.Cursor(link) as prepared:
            prepared.execute(query, values)
            return prepared.fetchall() if prepared.description else []
    finally:
        link.prepare_threshold = None
