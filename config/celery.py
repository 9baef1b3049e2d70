"""The Celery application; its settings are the CELERY_* ones of config/settings.py."""

import os
from contextlib import suppress
from typing import Any

from celery import Celery
from celery.signals import beat_init, worker_init
from django.db import DatabaseError

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("crowdwright")
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
