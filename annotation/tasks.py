"""Work of the platform in the background."""

from celery import shared_task
from django.utils import timezone

from annotation.corpora import curating
from annotation.recruiting import pacing
from annotation.studies import batching
from annotation.work import assigning


@shared_task
def expire() -> None:
    """Free the places of late workers, close batches that are due or full, and forget network
    addresses."""
    now = timezone.now()
    assigning.expire_due(now=now)
    batching.close_due(now=now)
    pacing.forget_addresses(now=now)


@shared_task
def clear() -> None:
    """End the corpora that were deleted a day ago."""
    curating.end_deleted(now=timezone.now())
