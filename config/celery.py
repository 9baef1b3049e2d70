"""The Celery application; its settings are the CELERY_* ones of config/settings.py."""

import os
from contextlib import suppress
from typing import Any

from celery import Celery, Task
from celery.signals import beat_init, worker_init
from django.db import DatabaseError

from config import maintenance

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")


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

    with suppress(DatabaseError):  # it is not there yet
        try:
            marking.require_key()
        except ImproperlyConfigured as error:
            raise SystemExit(str(error)) from error  # Celery logs other exceptions and goes on
