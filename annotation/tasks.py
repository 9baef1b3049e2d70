"""Work of the platform in the background."""

from celery import shared_task
from django.utils import timezone

from annotation.recruiting import pacing
from annotation.studies import batching
from annotation.work import assigning


@shared_task
def expire() -> None:
    """Free the places of those whose time is over; close what is due or full; forget where
    people came from."""
    now = timezone.now()
    assigning.expire_due(now=now)
    batching.close_due(now=now)
    pacing.forget_addresses(now=now)
