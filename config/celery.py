"""The Celery application; its settings are the CELERY_* ones of config/settings.py."""

import os
import time
from contextlib import suppress
from importlib import import_module
from typing import Any

from celery import Celery, Task
from celery.signals import (
    beat_init,
    before_task_publish,
    task_postrun,
    task_prerun,
    worker_init,
)
from django.db import Error, connection
from structlog.contextvars import bind_contextvars, unbind_contextvars

from config import maintenance, structs

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

QUEUED_AT = "queued_at"  # a header of messages: seconds by the clock of the database


class Job(Task):  # type: ignore[type-arg]
    """A task that does nothing during an offline migration; a sweep finds its work again."""

    def __call__(self, *args: Any, **options: Any) -> Any:
        if self.request.called_directly:
            return super().__call__(*args, **options)
        return None if maintenance.watch.look() else self.run(*args, **options)


app = Celery("crowdwright", task_cls=Job)
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_init.connect
@beat_init.connect
def refuse_wrong_key(**signal: Any) -> None:
    """Exit if PSEUDONYM_KEY doesn't match the data."""
    from django.core.exceptions import ImproperlyConfigured

    from annotation import marking  # wants Django's settings

    with suppress(Error):  # it is not there yet
        try:
            marking.require_key()
        except ImproperlyConfigured as error:
            raise SystemExit(str(error)) from error  # Celery logs other exceptions and goes on


@worker_init.connect
def import_statistics(**signal: Any) -> None:
    """Import scipy.stats, a second of CPU, before the pool forks: no child and no job waits.

    The patterns of syllables are read and messages prepared as well.
    """
    import_module("scipy.stats")
    structs.prepare_structs()
    import_module("analysis.stats.text.readability").hyphenation()


@before_task_publish.connect
def _label(headers: dict[str, Any] | None = None, **signal: Any) -> None:
    """Send the id of the request and the time with a job."""
    from annotation import clock, request_ids  # want Django's settings

    if headers is None:
        return
    if request_id := request_ids.current():
        headers[request_ids.KEY] = request_id
    headers[QUEUED_AT] = time.time()
    if connection.connection is not None:  # beat waits for no database
        with suppress(Error):
            headers[QUEUED_AT] = clock.database_now().timestamp()


@task_prerun.connect
def _begin_job(task: Any, task_id: str, **signal: Any) -> None:
    from annotation import request_ids

    request_id = task.request.get(request_ids.KEY) or request_ids.accepted(task_id)
    bind_contextvars(**{request_ids.KEY: request_id})
    task.request.begun = time.perf_counter()


@task_postrun.connect
def _end_job(task: Any, state: str | None = None, **signal: Any) -> None:
    from django.conf import settings

    from annotation import request_ids

    unbind_contextvars(request_ids.KEY)
    if settings.METRICS_TOKEN:
        from config import metrics

        metrics.jobs.labels(task.name, str(state or "UNKNOWN")).inc()
        if (begun := task.request.get("begun")) is not None:
            metrics.job_seconds.labels(task.name).observe(time.perf_counter() - begun)
