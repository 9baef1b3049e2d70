"""Django's cache in the database, as pages need it: it never makes one wait or fail."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pickle import UnpicklingError
from typing import Any

from django.core.cache.backends.db import DatabaseCache
from django.db import DatabaseError, connections, router

PATIENCE = 100  # ms: while an import writes to SQLite, a page keeps nothing and waits no longer
# What reading a pickle of another release may raise.
OF_ANOTHER_RELEASE = (AttributeError, ImportError, TypeError, ValueError, UnpicklingError)


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
