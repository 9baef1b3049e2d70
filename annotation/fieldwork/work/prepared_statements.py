"""Queries of the hot paths, which PostgreSQL plans once a connection, not once a request."""

import re
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count
from typing import Any, Generic, TypeVar

import psycopg
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import Model, QuerySet
from django.db.models.query import ModelIterable, get_related_populators  # type: ignore[attr-defined]
from psycopg.adapt import AdaptersMap, PyFormat, Transformer
from psycopg.errors import error_from_result
from psycopg.pq import DiagnosticField, ExecStatus, TransactionStatus
from psycopg.pq.abc import PGresult
from psycopg.types.numeric import Int8, Int8BinaryDumper, Int8Dumper

T = TypeVar("T")
MAX_STATEMENTS = 100  # prepared on a connection
OUTDATED = {b"0A000", b"26000"}  # its columns changed, it is not there: prepared again next time
PLACEHOLDER = re.compile("%[s%]")


def fetch(query: str, parameters: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Run a query (`%s` marks a parameter) and return its rows.

    Each query text is kept as a prepared statement on its connection, so there must be few.
    """
    own: Any = connections[DEFAULT_DB_ALIAS]  # looked up once, because it takes microseconds
    # A test that counts queries reads Django's log, which only Django's own cursors write to.
    # Behind a pooler the next statement may be run by another connection.
    if (
        own.vendor != "postgresql"
        or own.queries_logged
        or own.settings_dict.get("DISABLE_SERVER_SIDE_CURSORS")
    ):
        with own.cursor() as cursor:
            cursor.execute(query, parameters)
            return list(cursor.fetchall()) if cursor.description else []
    if not own.in_atomic_block:  # as Django does before its cursors
        own.close_if_health_check_failed()
    own.ensure_connection()
    link = own.connection
    kept: _Statements | None = getattr(own, "kept_statements", None)
    if kept is None or kept.connection is not link:  # no reference back from the connection
        kept = own.kept_statements = _Statements(link)
    with own.wrap_database_errors:
        return kept.fetch(query, parameters)


class _Statements:
    """The statements that a connection has prepared, by query and types of parameters.

    They are run by libpq, which leaves the interpreter to other threads once a statement: a cursor
    of psycopg does so eight times, and needs 80 microseconds of its own.
    """

    def __init__(self, link: psycopg.Connection[Any]) -> None:
        self.connection, self.adapters = link, AdaptersMap(link.adapters)
        # psycopg sends 500 and 50,000 as integers of different size: seven durations would make a
        # hundred plans of one query.
        for dumper in (Int8Dumper, Int8BinaryDumper):  # in lists, and by itself
            self.adapters.register_dumper(int, dumper)
        self._values = Transformer(self)
        self._names: dict[tuple[str, tuple[int, ...]], bytes] = {}
        self._numbers = count()

    def fetch(self, query: str, parameters: Sequence[Any]) -> list[tuple[Any, ...]]:
        server, values = self.connection.pgconn, self._values
        # As psycopg does before the first statement of a transaction.
        if not self.connection.autocommit and server.transaction_status == TransactionStatus.IDLE:
            self._check(server.exec_(b"BEGIN"))
        dumped: Any = values.dump_sequence(parameters, [PyFormat.AUTO] * len(parameters))
        key = query, values.types or ()
        name = self._names.get(key) or self._prepare(key)
        result = server.exec_prepared(name, dumped, values.formats)
        if result.error_field(DiagnosticField.SQLSTATE) in OUTDATED:
            del self._names[key]
        self._check(result)
        values.set_pgresult(result)
        return values.load_rows(0, result.ntuples, tuple)

    def _prepare(self, key: tuple[str, tuple[int, ...]]) -> bytes:
        query, types = key
        if len(self._names) >= MAX_STATEMENTS:
            self._names.clear()
            self._check(self.connection.pgconn.exec_(b"DEALLOCATE ALL"))
        places = count(1)
        numbered = PLACEHOLDER.sub(
            lambda mark: "%" if mark[0] == "%%" else f"${next(places)}", query
        )
        name = b"kept_%d" % next(self._numbers)
        self._check(self.connection.pgconn.prepare(name, numbered.encode(), types))
        self._names[key] = name
        return name

    def _check(self, result: PGresult) -> None:
        """Raise psycopg's error of a statement that failed."""
        if result.status not in (ExecStatus.TUPLES_OK, ExecStatus.COMMAND_OK):
            if self.connection.closed:  # a lost one gives no code
                raise psycopg.OperationalError(result.get_error_message())
            raise error_from_result(result)


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
