"""Forgetting what was computed and kept (models/cache.py) before its time is over."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.core.cache import cache
from django.db import models, transaction

from annotation import wiping
from annotation.models import Kept


@transaction.atomic
def forget(*, of: str) -> int:
    """Delete what is kept under keys that begin like this; return how many entries."""
    count, _ = Kept.objects.filter(cache_key__startswith=cache.make_key(of)).delete()
    if count:
        wiping.mark_erasure()
    return count


def forget_expired(*, now: datetime) -> int:
    """Delete expired cache rows, which a cache only deletes when it is full."""
    count, _ = Kept.objects.filter(expires__lt=now).delete()
    return count


def forget_all(*, apps: Any, using: str, **_: Mapping[str, Any]) -> None:
    """At the end of `migrate`: another release may compute or pickle it in another way."""
    try:
        cache_model: type[models.Model] = apps.get_model("annotation", "Kept")
    except LookupError:  # back to before there was any
        return
    cache_model._base_manager.using(using).all().delete()
