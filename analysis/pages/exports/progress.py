"""Progress of a ZIP while a browser downloads it, kept for the page that it was asked from."""

import time
from collections.abc import Iterator, Sequence

from django.core.cache import cache

from annotation.models import Study
from annotation.people.access import Person
from annotation.texts.time_left import WorkProgress, seconds_left

INTERVAL = 1.0  # seconds between two notes
KEPT_SECONDS = 600  # of a server that was killed


class DownloadProgress:
    """Notes the share of a study's tables that are written, each counted alike."""

    def __init__(self, study: Study, user: Person, tables: Sequence[str]) -> None:
        self._key = _key(study, user)
        self._tables = tables
        self._began = self._noted = time.monotonic()

    def __call__(self, table: str, done: int, total: int) -> None:
        if time.monotonic() - self._noted >= INTERVAL and table in self._tables:
            self._note(self._tables.index(table) + (done / total if total else 0))

    def during(self, data: Iterator[bytes]) -> Iterator[bytes]:
        """Yield the data, and forget the progress at their end, or when the browser stops."""
        self._note(0)
        try:
            yield from data
        finally:
            cache.delete(self._key)

    def _note(self, done: float) -> None:
        self._noted = time.monotonic()
        left = seconds_left(self._noted - self._began, done, len(self._tables))
        cache.set(self._key, (done, len(self._tables), left), KEPT_SECONDS)


def progress_of(study: Study, user: Person) -> WorkProgress | None:
    """Return the progress of the user's download of all files, or None if none is under way."""
    noted = cache.get(_key(study, user))
    return WorkProgress(*noted) if noted else None


def _key(study: Study, user: Person) -> str:
    return f"export-progress:{study.pk}:{user.pk}"
