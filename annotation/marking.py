"""Marks of the installation: the beat of its clock, and the key that its data are sealed with.

Ages are by the clock of the database, so that a host with a wrong clock changes nothing.
"""

from django.core.exceptions import ImproperlyConfigured
from django.db.models.functions import Now

from annotation.encryption import key_for
from annotation.models import ServiceMark

CLOCK, KEY, SET_UP = "clock", "key", "set-up"
WRONG_KEY = (
    "PSEUDONYM_KEY is not the key that this database was filled with: returning participants "
    "would become new people, and stored platform IDs could not be read. Restore the old key, or "
    "run `manage.py rotate_keys --old-key-file FILE`."
)


def mark(name: str, value: str = "") -> None:
    """Set a mark to now."""
    ServiceMark.objects.update_or_create(name=name, defaults={"value": value, "marked_at": Now()})


def age(name: str) -> float | None:
    """Return the seconds since a mark was set; None without one."""
    row = (
        ServiceMark.objects.filter(name=name)
        .annotate(now=Now())
        .values_list("now", "marked_at")
        .first()
    )
    return None if row is None else max(0.0, (row[0] - row[1]).total_seconds())


def fingerprint() -> str:
    """Return 64 hex digits of the key in use, from which it cannot be computed."""
    return key_for("fingerprint").hex()


def is_key_right() -> bool:
    """Return whether the key in use is that of the data; true while none is stored."""
    stored = ServiceMark.objects.filter(name=KEY).values_list("value", flat=True).first()
    return stored in (None, fingerprint())


def require_key() -> None:
    """Store the first key that is used; raise ImproperlyConfigured for another one."""
    ServiceMark.objects.get_or_create(name=KEY, defaults={"value": fingerprint()})
    if not is_key_right():
        raise ImproperlyConfigured(WRONG_KEY)
