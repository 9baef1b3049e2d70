"""The sessions of people: noted when they begin, seen from time to time, ended by their owner."""

from datetime import datetime

from django.contrib.auth.models import User
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.models import Session
from django.db.models import Exists, OuterRef, QuerySet

from annotation.models import LoginSession

# The first that fits: each of the later ones is claimed by an earlier one as well.
BROWSERS = {
    "Edg": "Edge", "OPR": "Opera", "SamsungBrowser": "Samsung Internet", "Firefox": "Firefox",
    "FxiOS": "Firefox", "CriOS": "Chrome", "Chrome": "Chrome", "Safari": "Safari",
}  # fmt: skip
SYSTEMS = {
    "Windows": "Windows", "Android": "Android", "iPhone": "iPhone", "iPad": "iPad",
    "CrOS": "ChromeOS", "Mac OS": "macOS", "Linux": "Linux",
}  # fmt: skip


def begin(*, user: User, session: SessionBase, agent: str, now: datetime) -> None:
    """Note a session whose owner has just logged in, and forget those of theirs that are over."""
    LoginSession.objects.filter(user=user).exclude(pk__in=live(user, now).values("pk")).delete()
    if not session.session_key:
        session.create()
    see(user=user, session=session, agent=agent, now=now)


def see(*, user: User, session: SessionBase, agent: str, now: datetime) -> None:
    """Its owner is here. A session that began before they were noted is noted now."""
    LoginSession.objects.update_or_create(
        key=session.session_key,
        defaults={"user": user, "seen_at": now},
        create_defaults={
            "user": user, "seen_at": now, "began_at": now, "device": device_of(agent)
        },
    )  # fmt: skip


def rename(*, before: str | None, session: SessionBase) -> None:
    """Django gave a session another key."""
    LoginSession.objects.filter(key=before).update(key=session.session_key)


def live(user: User, now: datetime) -> QuerySet[LoginSession]:
    """Those with which somebody is logged in."""
    unexpired = Session.objects.filter(session_key=OuterRef("key"), expire_date__gt=now)
    return LoginSession.objects.filter(Exists(unexpired), user=user)


def end(*, user: User, pk: int | None = None, but: str | None = None) -> int:
    """End a session of somebody, or all of theirs but the one with this key; return how many."""
    rows = LoginSession.objects.filter(user=user)
    rows = rows.filter(pk=pk) if pk is not None else rows.exclude(key=but or "")
    keys = list(rows.values_list("key", flat=True))
    Session.objects.filter(session_key__in=keys).delete()
    LoginSession.objects.filter(key__in=keys).delete()
    return len(keys)


def device_of(agent: str) -> str:
    """Return the browser and system that an agent string names, such as Firefox on Linux."""
    browser = next((name for sign, name in BROWSERS.items() if f"{sign}/" in agent), "")
    system = next((name for sign, name in SYSTEMS.items() if sign in agent), "")
    if browser and system:
        return f"{browser} on {system}"
    return browser or system or "another program"
