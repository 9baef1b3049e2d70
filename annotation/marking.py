"""Marks of the installation: its last heartbeat, and the fingerprint of its data key.

Ages use the clock of the database, so a host with a wrong clock has no effect.
"""

from django.core.exceptions import ImproperlyConfigured
from django.db.models.functions import Now

from annotation.encryption import key_for
from annotation.models import ServiceMark

CLOCK, KEY, SET_UP = "clock", "key", "set-up"
JOURNAL = "journal"  # set while withdrawals are missing in their file
WRONG_KEY = (
    "PSEUDONYM_KEY doesn't match this database. With it, returning participants "
    "would become new people, and stored platform IDs couldn't be read. Restore the old key, or "
    "run `manage.py rotate_keys --old-key-file FILE`."
)


def mark(name: str, value: str = "") -> None:
    """Set a mark to the current time."""
    ServiceMark.objects.update_or_create(name=name, defaults={"value": value, "marked_at": Now()})


def mark_first(name: str) -> None:
    """Set a mark, or leave the time of one that is set; waits for readers of the mark."""
    ServiceMark.objects.update_or_create(
        name=name, defaults={"value": ""}, create_defaults={"marked_at": Now()}
    )


def age(name: str) -> float | None:
    """Return the seconds since a mark was set, or None if it was never set."""
    row = (
        ServiceMark.objects.filter(name=name)
        .annotate(now=Now())
        .values_list("now", "marked_at")
        .first()
    )
    return None if row is None else max(0.0, (row[0] - row[1]).total_seconds())


def fingerprint() -> str:
    """Return a one-way fingerprint of the key in use (64 hex digits)."""
    return key_for("fingerprint").hex()


def is_key_right() -> bool:
    """Return whether the key in use matches the data. True if no fingerprint is stored yet."""
    stored = ServiceMark.objects.filter(name=KEY).values_list("value", flat=True).first()
    return stored in (None, fingerprint())


def require_key() -> None:
    """Store the fingerprint on first use; raise ImproperlyConfigured if the key differs later."""
    ServiceMark.objects.get_or_create(name=KEY, defaults={"value": fingerprint()})
    if not is_key_right():
        raise ImproperlyConfigured(WRONG_KEY)
