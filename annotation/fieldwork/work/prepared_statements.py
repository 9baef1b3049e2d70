"""Queries of the hot paths, which PostgreSQL plans once a connection, not once a request."""

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Generic, TypeVar

import psycopg
from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.models import Model, QuerySet
from django.db.models.query import ModelIterable, get_related_populators  # type: ignore[attr-defined]
from psycopg.types.numeric import Int8

T = TypeVar("T")


def fetch(query: str, parameters: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Run a query (`%s` marks a parameter) and return its rows.

    Each query text is kept as a prepared statement on its connection, so there must be few.
    """
    # A test that counts queries reads Django's log, which only Django's own cursors write to.
    if connection.vendor != "postgresql" or connection.queries_logged:
        with connection.cursor() as cursor:
            cursor.execute(query, parameters)
            return list(cursor.fetchall()) if cursor.description else []
    if not connection.in_atomic_block:  # as Django does before its cursors
        connection.close_if_health_check_failed()
    connection.ensure_connection()
    link = connection.connection
    # For this query alone: of Django's own, psycopg would count each with the values in it.
    is_pooled = connection.settings_dict.get("DISABLE_SERVER_SIDE_CURSORS")
    link.prepare_threshold = None if is_pooled else 0
    # A statement is prepared for the types of its values, and psycopg sends 500 and 50,000 as
    # integers of different size: seven durations would make a hundred plans of one query.
    values = [Int8(parameter) if type(parameter) is int else parameter for parameter in parameters]
    try:
        with connection.wrap_database_errors, psycopg.Cursor(link) as prepared:
            prepared.execute(query, values)
            # `description` would make an object of each column.
            result = prepared.pgresult
            return prepared.fetchall() if result is not None and result.nfields else []
    finally:
        link.prepare_threshold = None


Rows = Iterable[tuple[Any, ...]]


class PreparedQuery(Generic[T]):
    """A queryset that is compiled once a thread instead of once a request.

    Compiling takes Django longer than PostgreSQL needs to answer. `build` makes the queryset from
    as many values as there are `markers`; a marker is a value of the right type that occurs nowhere
    else in the query. Supports models (with `select_related` and annotations) and `values_list`,
    but no queries whose SQL depends on the values.
    """

    def __init__(self, build: Callable[..., QuerySet[Any, T]], *markers: int | str) -> None:
        self._build, self._markers = build, markers
        self._kept = threading.local()

    def fetch(self, *values: int | str) -> list[T]:
        """Run the query with these values in place of the markers."""
        link = connections[DEFAULT_DB_ALIAS]
        compiled: _Compiled | None = getattr(self._kept, "compiled", None)
        if compiled is None or compiled.link is not link:
            compiled = self._kept.compiled = _Compiled(self._build(*self._markers), link)
        value_by_marker = dict(zip(self._markers, values, strict=True))
        parameters = [
            value_by_marker.get(parameter, parameter) for parameter in compiled.parameters
        ]
        return list(compiled.read(fetch(compiled.sql, parameters)))

    def check(self) -> None:
        """Raise ValueError unless each marker is exactly one parameter of the query."""
        compiled = _Compiled(self._build(*self._markers), connections[DEFAULT_DB_ALIAS])
        for marker in self._markers:
            if compiled.parameters.count(marker) != 1:
                raise ValueError(marker, compiled.sql)  # it must occur exactly once


class _Compiled:
    """The SQL of a queryset and the readers of its rows, for the connection of one thread.

    Reads rows as `ModelIterable` and `ValuesListIterable` of Django do.
    """

    def __init__(self, query: QuerySet[Any, Any], link: Any) -> None:
        compiler = query.query.get_compiler(connection=link)
        self.link = link
        self.sql, parameters = compiler.as_sql()
        self.parameters = tuple(int(p) if isinstance(p, Int8) else p for p in parameters)
        expressions = [column[0] for column in compiler.select[: compiler.col_count]]
        self._converters = [
            (column, convert, expression)
            for column, (several, expression) in compiler.get_converters(expressions).items()
            for convert in several
        ]
        self.read: Callable[[Rows], Iterable[Any]] = self._rows
        if query._iterable_class is ModelIterable:
            info = compiler.klass_info
            start, end = info["select_fields"][0], info["select_fields"][-1] + 1
            self._model, self._own = info["model"], slice(start, end)
            self._names = [column[0].target.attname for column in compiler.select[self._own]]
            self._related = get_related_populators(info, compiler.select, link.alias)
            self._annotations = list(compiler.annotation_col_map.items())
            self.read = self._models

    def _rows(self, rows: Rows) -> Iterator[tuple[Any, ...]]:
        if not self._converters:
            yield from rows
            return
        for row in map(list, rows):
            for column, convert, expression in self._converters:
                row[column] = convert(row[column], expression, self.link)
            yield tuple(row)

    def _models(self, rows: Rows) -> Iterator[Model]:
        for row in self._rows(rows):
            made = self._model.from_db(self.link.alias, self._names, row[self._own])
            for related in self._related:
                related.populate(row, made)
            for name, column in self._annotations:
                setattr(made, name, row[column])
            yield made
