"""Facts of the installation for metrics and the status page: queue, jobs, budgets, readiness."""

import json
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import Error
from kombu.exceptions import KombuError

from analysis.models import AnalysisStep
from annotation import marking
from annotation.clock import database_now
from annotation.fieldwork.paying.budgets import budgets_of
from annotation.models import CorpusUpload, Study, WorkNotice
from config import health
from config.celery import QUEUED_AT, app

QUEUE = "celery"
NEARLY = 0.9  # of a budget
# Name: its meaning, the names of its labels, and a value for each of their values.
Gauges = dict[str, tuple[str, list[str], Mapping[Any, float]]]


def read() -> Gauges:
    """Return all gauges; those of a part that is away are missing."""
    gauges: Gauges = {}
    for part in (_queue, _work, _budgets, _ready):
        try:
            gauges |= part()
        except (Error, KombuError, OSError):
            continue  # `ready` names it
    return gauges


def queue() -> tuple[int, float]:
    """Return how many jobs wait at the broker, and for how many seconds the oldest one has."""
    if settings.CELERY_BROKER_URL == "filesystem://":
        folder = Path(str(settings.CELERY_BROKER_TRANSPORT_OPTIONS["data_folder_in"]))
        times = [path.stat().st_mtime for path in folder.glob(f"*.{QUEUE}.msg")]
        return len(times), max(0.0, time.time() - min(times)) if times else 0.0
    options = {
        **app.conf.broker_transport_options,
        "socket_timeout": health.BROKER_PATIENCE,
        "socket_connect_timeout": health.BROKER_PATIENCE,
    }
    with app.connection_for_write(transport_options=options) as connection:
        connection.ensure_connection(max_retries=1, timeout=health.BROKER_PATIENCE)
        channel: Any = connection.channel()
        client = channel.client
        length, oldest = int(client.llen(QUEUE)), client.lindex(QUEUE, -1)
    since = json.loads(oldest)["headers"].get(QUEUED_AT) if oldest else None
    return length, max(0.0, database_now().timestamp() - since) if since else 0.0


def budgets() -> dict[str, int]:
    """Return how many running studies have a budget by its state."""
    rows = Study.objects.exclude(budget=None).filter(batches__state__in=["open", "paused"])
    states = Counter(
        "spent"
        if budget.is_spent
        else "nearly spent"
        if budget.promised >= NEARLY * budget.whole
        else "open"
        for budget in budgets_of(list(rows.distinct())).values()
    )
    return {state: states[state] for state in ("open", "nearly spent", "spent")}


def steps() -> dict[str, int]:
    """Return how many steps of unfinished analyses there are by state."""
    State = AnalysisStep.State
    rows = AnalysisStep.objects.filter(run__finished_at=None).order_by()
    states = Counter(rows.values_list("state", flat=True))
    return {str(state): states[state] for state in (State.QUEUED, State.RUNNING, State.FAILED)}


def waiting_mails() -> int:
    """Return how many e-mails a mail server has refused so far."""
    return WorkNotice.objects.exclude(tried_at=None).count()


def _queue() -> Gauges:
    length, age = queue()
    return {
        "queue_jobs": ("Jobs waiting in the queue", [], {(): length}),
        "queue_oldest_seconds": ("Age of the oldest waiting job", [], {(): age}),
    }


def _work() -> Gauges:
    busy = CorpusUpload.objects.filter(state__in=CorpusUpload.BUSY).count()
    return {
        "analysis_steps": (
            "Steps of unfinished analyses",
            ["state"],
            {(state,): n for state, n in steps().items()},
        ),
        "uploads_busy": ("Uploads being checked or imported", [], {(): busy}),
        "mails_refused": ("E-mails waiting for a retry", [], {(): waiting_mails()}),
    }


def _budgets() -> Gauges:
    states = {(state.replace(" ", "_"),): float(n) for state, n in budgets().items()}
    return {"budgets": ("Running studies with a budget", ["state"], states)}


def _ready() -> Gauges:
    states = {(name,): float(finding.is_ok) for name, finding in health.kept.current().items()}
    gauges: Gauges = {"ready": ("1 if the check of /ready succeeds", ["check"], states)}
    if (age := marking.age(marking.CLOCK)) is not None:
        gauges["beat_seconds"] = ("Age of the last heartbeat", [], {(): age})
    return gauges
