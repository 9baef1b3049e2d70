"""A new key for what is encrypted and matched: everything is opened with the old one, once.

Sealed columns are opened and sealed again. A keyed hash cannot be computed again from itself: the
id it stands for is opened and hashed with the new key. Of what has no id here (the browsers of
people from a platform) only who is the same stays, by drawn words.

Each row says by itself whether it is done: it opens with the new key. All of it is one transaction,
so that a rotation that was killed is begun again and finds everything as it was.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from cryptography.fernet import InvalidToken
from django.db import models, transaction

from annotation import signals
from annotation.encryption import sealed, unsealed
from annotation.fieldwork.recruiting.completion_codes import code_of_key
from annotation.models import (
    AddressPace,
    Assignment,
    KeptCode,
    PlatformSubmission,
    SpentToken,
    WebhookEvent,
    WebhookSecret,
    Worker,
)
from annotation.people import access
from annotation.people.pseudonyms import FORGOTTEN, SUBMISSION, drawn, hashed

AT_ONCE = 500  # rows of an UPDATE
# What is sealed, and with which purpose; what is matched. A test holds that nothing is missing.
SEALED: dict[tuple[type[models.Model], str], str] = {
    (Worker, "external_id"): "encrypt",
    (Assignment, "sealed_token"): "token",
    (Assignment, "external_id"): "encrypt",
    (PlatformSubmission, "external_id"): "encrypt",
    (WebhookEvent, "resource"): "encrypt",
    (WebhookSecret, "secret"): "encrypt",
}
MATCHED = {
    (Worker, "external_hash"),
    (Assignment, "session_hash"),
    (Assignment, "browser_hash"),
    (PlatformSubmission, "session_hash"),
    (PlatformSubmission, "person_hash"),
    (SpentToken, "browser_hash"),  # good for minutes: forgotten
    (AddressPace, "address_hash"),  # the same
}


class CannotRotate(ValueError):
    """The keys do not fit what is in the database; the sentence says where. Nothing is changed."""


class OpensWithNeither(CannotRotate):
    def __init__(self, what: object) -> None:
        super().__init__(
            f"{what} opens with neither key. Is it the right old key, and is PSEUDONYM_KEY the "
            "new one? Nothing was changed."
        )


class CameAgain(CannotRotate):
    """Somebody came under the new key before they were known under it."""

    def __init__(self, before: Worker, again: Worker) -> None:
        super().__init__(
            f"{before} came again as {again} while the new key was in use already. Stop the "
            "server and go back to the old key, or delete that new work, then begin again."
        )


@dataclass
class _Rotation:
    """The old key, and what old hashes of people became."""

    old: str
    people: dict[str, str] = field(default_factory=dict)
    words: dict[str, str] = field(default_factory=dict)

    def opened(self, data: bytes | memoryview, purpose: str, what: object) -> tuple[str, bool]:
        """The text, and whether it is sealed with the new key already. Raises CannotRotate."""
        try:
            return unsealed(data, purpose=purpose), True
        except InvalidToken:
            pass
        try:
            return unsealed(data, purpose=purpose, secret=self.old), False
        except InvalidToken as error:
            raise OpensWithNeither(what) from error

    def same_word(self, value: str) -> str:
        """A drawn word, the same wherever the value was the same."""
        if not value or value.startswith(FORGOTTEN):
            return value
        return self.words.setdefault(value, drawn())


@transaction.atomic
def rotate(*, old: str) -> dict[str, int]:
    """Bring everything from the old key to settings.PSEUDONYM_KEY; how many rows of what.

    Personal completion codes come from the key: those that people may have seen are kept as they
    were. Done again it does nothing. Raises CannotRotate.
    """
    rotation = _Rotation(old)
    done = {
        "people": _saved(Worker, _workers(rotation), "external_id", "external_hash"),
        "pieces of work": _saved(
            Assignment,
            _works(rotation),
            "sealed_token",
            "external_id",
            "session_hash",
            "browser_hash",
        ),
        "submissions": _saved(
            PlatformSubmission,
            _submissions(rotation),
            "external_id",
            "session_hash",
            "person_hash",
        ),
        "messages": _saved(WebhookEvent, _events(rotation), "resource"),
        "secrets of webhooks": _saved(WebhookSecret, _secrets(rotation), "secret"),
    }
    answers: Any = signals.rekeying.send(sender=None, opened=rotation.opened)
    for _, others in answers:
        done |= others
    if any(done.values()):
        SpentToken.objects.update(browser_hash="")
        AddressPace.objects.all().delete()
        said = ", ".join(f"{n} {what}" for what, n in done.items())
        access.record(user=None, act="changed the key of platform ids", what=said)
    return done


def _saved(model: type[models.Model], rows: Iterable[Any], *names: str) -> int:
    changed = list(rows)
    model._base_manager.bulk_update(changed, names, batch_size=AT_ONCE)
    return len(changed)


def _workers(rotation: _Rotation) -> Iterator[Worker]:
    for one in Worker.objects.select_for_update().exclude(external_id=b""):
        external, is_new = rotation.opened(one.external_id, "encrypt", f"The id of {one}")
        if is_new:
            continue
        key = hashed(platform=one.platform, external_id=external)
        twin = Worker.objects.filter(platform=one.platform, external_hash=key).first()
        if twin is not None:
            raise CameAgain(one, twin)
        rotation.people[one.external_hash] = key
        one.external_id, one.external_hash = sealed(external, purpose="encrypt"), key
        yield one


def _works(rotation: _Rotation) -> Iterator[Assignment]:
    kept = []
    with_code = set(KeptCode.objects.values_list("assignment", flat=True))
    rows = Assignment.objects.select_related("worker", "study").order_by("pk")
    for one in rows:
        token, is_new = rotation.opened(one.sealed_token, "token", f"Work {one.pk}")
        if is_new:
            continue
        if one.submitted_at and not one.study.completion_code and one.pk not in with_code:
            kept.append(KeptCode(assignment=one, code=code_of_key(one.pk, secret=rotation.old)))
        one.sealed_token = sealed(token, purpose="token")
        if one.external_id:
            submission, _ = rotation.opened(one.external_id, "encrypt", f"Work {one.pk}")
            one.external_id = sealed(submission, purpose="encrypt")
            one.session_hash = _session(one.worker.platform, submission)
        else:
            one.session_hash = rotation.same_word(one.session_hash)
        one.browser_hash = _browser(rotation, one)
        yield one
    KeptCode.objects.bulk_create(kept, batch_size=AT_ONCE)


def _session(platform: str, submission: str) -> str:
    return hashed(platform=f"{platform}{SUBMISSION}", external_id=submission)


def _browser(rotation: _Rotation, work: Assignment) -> str:
    """By a plain link the person is the browser, and its id is here."""
    person = bytes(work.worker.external_id)
    if work.browser_hash and person:
        browser = unsealed(person, purpose="encrypt").rpartition(" ")[2]
        if work.browser_hash == hashed(
            platform="browser", external_id=browser, secret=rotation.old
        ):
            return hashed(platform="browser", external_id=browser)
    return rotation.same_word(work.browser_hash)


def _submissions(rotation: _Rotation) -> Iterator[PlatformSubmission]:
    rows = PlatformSubmission.objects.select_related("platform_study").exclude(external_id=b"")
    for one in rows:
        submission, is_new = rotation.opened(one.external_id, "encrypt", f"Submission {one.pk}")
        if is_new:
            continue
        one.external_id = sealed(submission, purpose="encrypt")
        one.session_hash = _session(one.platform_study.platform, submission)
        one.person_hash = rotation.people.get(one.person_hash) or rotation.same_word(
            one.person_hash
        )
        yield one


def _events(rotation: _Rotation) -> Iterator[WebhookEvent]:
    for one in WebhookEvent.objects.exclude(resource=b""):
        resource, is_new = rotation.opened(one.resource, "encrypt", f"Message {one.pk}")
        if not is_new:
            one.resource = sealed(resource, purpose="encrypt")
            yield one


def _secrets(rotation: _Rotation) -> Iterator[WebhookSecret]:
    for one in WebhookSecret.objects.all():
        secret, is_new = rotation.opened(one.secret, "encrypt", f"The secret of {one.workspace}")
        if not is_new:
            one.secret = sealed(secret, purpose="encrypt")
            yield one
