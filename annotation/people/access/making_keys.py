"""Making and revoking the keys with which programs act for a person, and finding whose one is."""

import hashlib
import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext

from annotation.models.keys import ApiKey
from annotation.people.access.auditing import record
from annotation.people.access.roles import Act
from annotation.texts.sentences import marked

MARK = "cw"  # so that people, and scanners for leaked secrets, know one when they see it
MOST_KEYS = 20  # of a person that are not revoked
TO_THE_HOUR = timedelta(hours=1)

# What a key may be allowed. Review decisions are made by people only.
SCOPES: dict[Act, str] = {
    Act.VIEW: marked("read: corpora, studies, progress and findings"),
    Act.EXPORT: marked("export: download data"),
    Act.EDIT: marked("edit: import corpora, create and edit drafts"),
    Act.RUN: marked("run: launch, open and close batches, analyse"),
    Act.MANAGE: marked("manage: erase a participant's data on request"),
}


class BadKey(ValueError):
    """No key can be made like this; `field` is what is wrong."""

    def __init__(self, field: str, sentence: str) -> None:
        self.field = field
        super().__init__(sentence)


@transaction.atomic
def make_key(
    *, user: User, name: str, scopes: Iterable[str], now: datetime, days: int | None = 365
) -> tuple[ApiKey, str]:
    """Make a key and return it with its secret, which nobody can read again. Raises BadKey."""
    name = " ".join(name.split())
    wanted = sorted({*scopes, Act.VIEW.value})
    if not name:
        raise BadKey("name", gettext("Enter a name for the key."))
    if len(name) > (ApiKey._meta.get_field("name").max_length or 0):
        raise BadKey("name", gettext("The name can have up to 80 characters."))
    if unknown := set(wanted) - {act.value for act in SCOPES}:
        raise BadKey(
            "scopes",
            gettext("Keys can't have these permissions: {permissions}.").format(
                permissions=", ".join(sorted(unknown))
            ),
        )
    if days is not None and not 1 <= days <= 3650:
        raise BadKey("days", gettext("Enter 1 to 3,650 days."))
    User.objects.select_for_update().get(pk=user.pk)  # two clicks count one after the other
    if user.api_keys.valid(now=now).count() >= MOST_KEYS:
        raise BadKey(
            "name",
            gettext("You can have up to {most_keys} keys. Revoke one first.").format(
                most_keys=MOST_KEYS
            ),
        )
    prefix, secret = secrets.token_hex(4), secrets.token_urlsafe(32)
    key = ApiKey.objects.create(
        user=user,
        name=name,
        prefix=prefix,
        secret_hash=_hash(secret),
        scopes=wanted,
        created_at=now,
        expires_at=now + timedelta(days=days) if days is not None else None,
    )
    record(user=user, act="created an API key", what=f"{key}: {', '.join(wanted)}")
    return key, f"{MARK}_{prefix}_{secret}"


@transaction.atomic
def revoke_key(*, key: ApiKey, user: User, now: datetime) -> bool:
    """Let nobody use a key any more; return whether it could be used until now."""
    revoked = ApiKey.objects.filter(pk=key.pk, revoked_at=None).update(revoked_at=now)
    if revoked:
        record(user=user, act="revoked an API key", what=str(key))
    return bool(revoked)


@transaction.atomic
def revoke_all(*, user: User, now: datetime) -> int:
    """Revoke every key of a person, such as after a password became known; return how many."""
    return sum(revoke_key(key=key, user=user, now=now) for key in user.api_keys.valid(now=now))


def key_of(presented: str, *, now: datetime) -> ApiKey | None:
    """Return the API key if it is valid and its owner may sign in, else None."""
    mark, _, after_mark = presented.partition("_")
    prefix, _, secret = after_mark.partition("_")
    if mark != MARK or not secret or not prefix.isascii():
        return None
    valid = ApiKey.objects.valid(now=now).select_related("user")
    key = valid.filter(prefix=prefix[:12], user__is_active=True).first()
    if key is None or not secrets.compare_digest(key.secret_hash, _hash(secret)):
        return None
    return key


def note_use(*, key: ApiKey, now: datetime) -> None:
    """Note when a key was used last, once an hour: reading writes nothing otherwise."""
    if key.used_at is None or key.used_at < now - TO_THE_HOUR:
        ApiKey.objects.filter(pk=key.pk).update(used_at=now)


def _hash(secret: str) -> str:
    """Hash a secret of 256 random bits, which needs no slow hash."""
    return hashlib.sha256(secret.encode()).hexdigest()
