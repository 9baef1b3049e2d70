"""The maintenance page: 503 with Retry-After while the tables aren't those of this process.

`manage.py upgrade` sets a mark in the database before an offline migration. Afterwards the mark
names the release that the tables are for: processes of the release before go on answering 503
until they are replaced, and those of the new one work.
"""

import hashlib
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Any

from django.apps import apps
from django.db import Error
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string

MARK, CHANGING = "maintenance", "changing"
LOOK_EVERY = 1.0  # seconds
RETRY_AFTER = "10"  # seconds
ANSWERED = {"/alive", "/ready"}


@cache
def release() -> str:
    """Return a digest of the migrations of this release."""
    from config.migration_kinds import shipped

    return hashlib.sha256("\n".join(shipped()).encode()).hexdigest()[:32]


def begin() -> None:
    """Stop answering: the tables are about to change."""
    _set(CHANGING)


def end(*, was_offline: bool) -> None:
    """Answer again: this release alone after an offline migration, else every one."""
    if was_offline:
        _set(release())
    else:
        _marks().delete()


def _set(value: str) -> None:
    defaults = {"value": value, "marked_at": Now()}
    _marks().update_or_create(name=MARK, defaults=defaults)


def _marks() -> QuerySet[Any]:
    # Celery loads this module before the models.
    marks: QuerySet[Any] = apps.get_model("annotation", "ServiceMark").objects.filter(name=MARK)
    return marks


class Watch:
    """The mark, read at most once a second; a database that doesn't answer changes nothing."""

    def __init__(self) -> None:
        self.due, self.is_on = 0.0, False

    def look(self) -> bool:
        """Return whether this process must not use the tables."""
        now = time.monotonic()
        if now >= self.due:
            self.due = now + LOOK_EVERY
            with suppress(Error):  # the request itself finds that the database is away
                value = _marks().values_list("value", flat=True).first()
                self.is_on = value is not None and value != release()
        return self.is_on


watch = Watch()


class MaintenanceMiddleware:
    """Answers 503 during an offline migration, but health checks."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path_info in ANSWERED or not watch.look():
            return self.get_response(request)
        response: HttpResponse
        if "text/html" in request.headers.get("Accept", ""):
            response = HttpResponse(render_to_string("maintenance.html"), status=503)
        else:
            response = JsonResponse({"detail": "Maintenance. Try again soon."}, status=503)
        response["Retry-After"] = RETRY_AFTER
        response["Cache-Control"] = "no-store"
        return response
