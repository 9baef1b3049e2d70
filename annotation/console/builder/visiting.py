"""Other editors of a draft: each open page reports every few seconds."""

from datetime import datetime, timedelta

from django.contrib.auth.models import User

from annotation.models import Draft, DraftVisit

AWAY = timedelta(seconds=20)  # without a word somebody has gone


def visit(*, draft: Draft, user: User, section: str, now: datetime) -> list[DraftVisit]:
    """Note that this person is here; the others who are."""
    DraftVisit.objects.update_or_create(
        draft=draft, user=user, defaults={"section": section[:20], "seen_at": now}
    )
    others = draft.visits.filter(seen_at__gt=now - AWAY).exclude(user=user)
    return list(others.select_related("user").order_by("user__username"))
