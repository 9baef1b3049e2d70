"""End what was left: uploads that nobody goes on with, files of what is imported, lost jobs."""

import shutil
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from celery import Task
from django.conf import settings
from django.db import transaction

from annotation import jobs, wiping
from annotation.models import CorpusUpload

State = CorpusUpload.State
KEPT_FOR = timedelta(days=7)  # an upload that nobody goes on with
ARRIVES_FOR = timedelta(hours=6)  # a file that is still on its way
STAGING = ".crowdwright-staging-"  # folders of a restore; a killed one may leave its own


def resume(*, task: "Task[..., Any]") -> None:
    """Hand on what waits for a worker: its message was lost, or its worker killed."""
    waiting = CorpusUpload.objects.filter(state__in=CorpusUpload.BUSY)
    for pk in waiting.values_list("pk", flat=True):
        jobs.send(task, pk)


def clear(*, now: datetime) -> int:
    """Delete left uploads and all files that nothing points to; return how many uploads."""
    left = CorpusUpload.objects.filter(
        state__in=[State.OPEN, State.CHECKED], changed_at__lt=now - KEPT_FOR
    )
    with transaction.atomic():
        count = left.count()
        if count:
            left.delete()
            wiping.mark_erasure()
    folders = [folder for folder in settings.UPLOADS_DIR.iterdir() if folder.name.isdigit()]
    # After the folders: an upload that begins meanwhile keeps its folder.
    current = set(CorpusUpload.objects.exclude(state=State.IMPORTED).values_list("pk", flat=True))
    for folder in folders:
        if int(folder.name) not in current:
            shutil.rmtree(folder, ignore_errors=True)
    for file in (settings.UPLOADS_DIR / "arriving").iterdir():
        if _is_left(file, now=now):
            file.unlink(missing_ok=True)
    for folder in settings.UPLOADS_DIR.glob(f"{STAGING}*"):
        if _is_left(folder, now=now):
            shutil.rmtree(folder, ignore_errors=True)
    return count


def _is_left(path: Path, *, now: datetime) -> bool:
    return path.stat().st_mtime < (now - ARRIVES_FOR).timestamp()
