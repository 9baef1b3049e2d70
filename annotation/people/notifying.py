"""E-mails at the end of long background work, for people who asked for them in their account.

1. `expect` stores that a person started some work.
2. A sweep of each app asks how its work ended (`follow`); work of less than LONG sends nothing.
3. A notice is claimed by a guarded UPDATE and deleted once its e-mail is sent.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import Q

from annotation.models import AccountSettings, WorkNotice
from annotation.people.mailing import mail

LONG = timedelta(minutes=1)  # the least that work takes whose end is worth an e-mail
PAUSE = timedelta(minutes=10)  # between two attempts to send one
KEPT = timedelta(days=7)


@dataclass(frozen=True)
class WorkEnd:
    """End of some work: time and result. `at` is None for work that was deleted or stopped."""

    at: datetime | None
    failed: bool = False


STOPPED = WorkEnd(None)


def expect(
    *, user: User, kind: WorkNotice.Kind, work: int, title: str, path: str, now: datetime
) -> None:
    """Store that a person wants an e-mail at the end of this work, if they do."""
    wants = AccountSettings.objects.filter(user=user, emails_when_done=True)
    if settings.EMAIL_HOST and user.email and wants.exists():
        of_work = {"title": " ".join(title.split())[:200], "path": path}
        WorkNotice.objects.update_or_create(
            user=user, kind=kind, work=work, defaults=of_work | {"asked_at": now, "tried_at": None}
        )


def follow(
    *, kind: WorkNotice.Kind, end_of: Callable[[int], WorkEnd | None], now: datetime
) -> None:
    """Send the e-mails of work that has ended. `end_of` returns None while it continues."""
    WorkNotice.objects.filter(kind=kind, asked_at__lt=now - KEPT).delete()
    for notice in WorkNotice.objects.filter(kind=kind).select_related("user").order_by("pk"):
        end = end_of(notice.work)
        if end is not None and _is_settled(notice, end, now):
            notice.delete()


def _is_settled(notice: WorkNotice, end: WorkEnd, now: datetime) -> bool:
    """Return whether a notice needs nothing more: its e-mail is sent, or none is due."""
    if end.at is None or end.at - notice.asked_at < LONG or not notice.user.is_active:
        return True
    return _claimed(notice, now) and _sent(notice, end)


def _claimed(notice: WorkNotice, now: datetime) -> bool:
    free = Q(tried_at=None) | Q(tried_at__lt=now - PAUSE)
    return bool(WorkNotice.objects.filter(free, pk=notice.pk).update(tried_at=now))


def _sent(notice: WorkNotice, end: WorkEnd) -> bool:
    return mail(
        to=notice.user.email,
        template="console/work_done",
        about=f"notice {notice.pk}",
        notice=notice,
        failed=end.failed,
    )
