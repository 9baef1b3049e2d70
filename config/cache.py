"""Django's cache in the database, as pages need it: it never makes one wait or fail."""

from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pickle import UnpicklingError, dumps
from typing import Any

from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.db import DatabaseCache
from django.db import DatabaseError, connections, router, transaction

PATIENCE = 100  # ms: while an import writes to SQLite, a page keeps nothing and waits no longer
# What reading a pickle of another release may raise.
OF_ANOTHER_RELEASE = (AttributeError, ImportError, TypeError, ValueError, UnpicklingError)

WRITING = """
INSERT INTO {table} (cache_key, value, expires) VALUES {rows} ON CONFLICT (cache_key)
DO UPDATE SET value = excluded.value, expires = excluded.expires
"""


class KeptCache(DatabaseCache):
    """A cache whose failures are misses: unwritable and unreadable values are recomputed."""

    def get_many(self, keys: Iterable[Any], version: int | None = None) -> dict[Any, Any]:
        try:
            with self._impatient():
                values: dict[Any, Any] = super().get_many(keys, version)
        except (DatabaseError, *OF_ANOTHER_RELEASE):
            return {}
        return values

    def _base_set(self, *args: Any, **named: Any) -> bool:
        try:
            with self._impatient():
                return bool(super()._base_set(*args, **named))  # type: ignore[misc]  # no stub has it
        except DatabaseError:
            return False

    def set_many(
        self, data: Mapping[Any, Any], timeout: Any = DEFAULT_TIMEOUT, version: int | None = None
    ) -> list[Any]:
        """Write the first value, which makes room, and the others in one statement.

        Returns the keys of these others if they could not be written.
        """
        pairs = list(data.items())
        for key, value in pairs[:1]:
            self.set(key, value, timeout, version)
        # In the order of keys: two pages that write the same ones cannot wait for each other.
        rows = sorted(self._columns(key, value, timeout, version) for key, value in pairs[1:])
        if not rows:
            return []
        connection = connections[router.db_for_write(self.cache_model_class)]
        statement = WRITING.format(
            table=connection.ops.quote_name(self._table),  # type: ignore[attr-defined]  # no stub has it
            rows=", ".join(["(%s, %s, %s)"] * len(rows)),
        )
        try:
            with (
                self._impatient(),
                transaction.atomic(using=connection.alias),
                connection.cursor() as cursor,
            ):
                cursor.execute(statement, [column for row in rows for column in row])
        except DatabaseError:
            return list(data)[1:]
        return []

    def _columns(self, key: Any, value: Any, timeout: Any, version: int | None) -> tuple[Any, ...]:
        """Return key, value and expiry as Django stores them."""
        connection = connections[router.db_for_write(self.cache_model_class)]
        until = self.get_backend_timeout(timeout)
        expires = datetime.max.replace(tzinfo=UTC)
        if until is not None:
            expires = datetime.fromtimestamp(int(until), tz=UTC)
        return (
            self.make_and_validate_key(key, version=version),
            b64encode(dumps(value, self.pickle_protocol)).decode("latin1"),
            connection.ops.adapt_datetimefield_value(expires.replace(microsecond=0)),
        )

    @contextmanager
    def _impatient(self) -> Iterator[None]:
        """Wait for no writer of SQLite; within a transaction of ours nobody else writes."""
        connection = connections[router.db_for_write(self.cache_model_class)]
        if connection.vendor != "sqlite" or connection.in_atomic_block:
            yield
            return
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA busy_timeout")
            (usual,) = cursor.fetchone()
            cursor.execute(f"PRAGMA busy_timeout={PATIENCE}")
            try:
                yield
            finally:
                cursor.execute(f"PRAGMA busy_timeout={int(usual)}")
