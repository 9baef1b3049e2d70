"""Rotation of the key by which platform IDs are encrypted and matched.

Encrypted columns are decrypted with the old key and encrypted with the new one. Keyed hashes are
computed anew from their ID; where there is no ID here (browsers of platform workers), random words
keep which were equal. A row that opens with the new key is done. All of it is one transaction, so
that a killed rotation can be repeated.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from cryptography.fernet import InvalidToken
from django.db import models, transaction

from annotation import marking, signals
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
from annotation.refusals import Refusal

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


@dataclass
class _Rotation:
    old: str
    people: dict[str, str] = field(default_factory=dict)
    words: dict[str, str] = field(default_factory=dict)

    def opened(self, data: bytes | memoryview, purpose: str, what: object) -> tuple[str, bool]:
        """Return the text, and whether it is encrypted with the new key. Raises Refusal."""
        try:
            return unsealed(data, purpose=purpose), True
        except InvalidToken:
            pass
        try:
            return unsealed(data, purpose=purpose, secret=self.old), False
        except InvalidToken as error:
            raise Refusal(
                "WrongOldKey",
                f"{what} can't be decrypted with either key. Check that the old key is right "
                "and that PSEUDONYM_KEY is the new one. Nothing was changed.",
            ) from error

    def same_word(self, value: str) -> str:
        """Return a random word, equal for equal values."""
        if not value or value.startswith(FORGOTTEN):
            return value
        return self.words.setdefault(value, drawn())


@transaction.atomic
def rotate(*, old: str) -> dict[str, int]:
    """Rotate from the old key to settings.PSEUDONYM_KEY; return the number of rows by kind.

    Personal completion codes come from the key: those that workers may have seen are stored. May be
    repeated. Raises Refusal.
    """
    rotation = _Rotation(old)
    done = {
        "people": _saved(Worker, _workers(rotation), "external_id", "external_hash"),
        "assignments": _saved(
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
        "webhook secrets": _saved(WebhookSecret, _secrets(rotation), "secret"),
    }
    answers: Any = signals.rekeying.send(sender=None, opened=rotation.opened)
    for _, others in answers:
        done |= others
    marking.mark(marking.KEY, marking.fingerprint())
    if any(done.values()):
        SpentToken.objects.update(browser_hash="")
        AddressPace.objects.all().delete()
        summary = ", ".join(f"{n} {kind}" for kind, n in done.items())
        access.record(user=None, act="rotated the key of platform IDs", what=summary)
    return done


def _saved(model: type[models.Model], rows: Iterable[Any], *names: str) -> int:
    changed = list(rows)
    model._base_manager.bulk_update(changed, names, batch_size=AT_ONCE)
    return len(changed)


def _workers(rotation: _Rotation) -> Iterator[Worker]:
    for worker in Worker.objects.select_for_update().exclude(external_id=b""):
        external, is_new = rotation.opened(worker.external_id, "encrypt", f"The ID of {worker}")
        if is_new:
            continue
        key = hashed(platform=worker.platform, external_id=external)
        twin = Worker.objects.filter(platform=worker.platform, external_hash=key).first()
        if twin is not None:
            raise Refusal(
                "SameId",
                f"{worker} returned as {twin} while the new key was already in use. Stop the "
                "server, restore the old key or delete the new work, then try again.",
            )
        rotation.people[worker.external_hash] = key
        worker.external_id, worker.external_hash = sealed(external, purpose="encrypt"), key
        yield worker


def _works(rotation: _Rotation) -> Iterator[Assignment]:
    codes = []
    with_code = set(KeptCode.objects.values_list("assignment", flat=True))
    rows = Assignment.objects.select_related("worker", "study").order_by("pk")
    for assignment in rows:
        token, is_new = rotation.opened(assignment.sealed_token, "token", f"Work {assignment.pk}")
        if is_new:
            continue
        if (
            assignment.submitted_at
            and not assignment.study.completion_code
            and assignment.pk not in with_code
        ):
            codes.append(
                KeptCode(
                    assignment=assignment, code=code_of_key(assignment.pk, secret=rotation.old)
                )
            )
        assignment.sealed_token = sealed(token, purpose="token")
        if assignment.external_id:
            submission, _ = rotation.opened(
                assignment.external_id, "encrypt", f"Work {assignment.pk}"
            )
            assignment.external_id = sealed(submission, purpose="encrypt")
            assignment.session_hash = _session(assignment.worker.platform, submission)
        else:
            assignment.session_hash = rotation.same_word(assignment.session_hash)
        assignment.browser_hash = _browser(rotation, assignment)
        yield assignment
    KeptCode.objects.bulk_create(codes, batch_size=AT_ONCE)


def _session(platform: str, submission: str) -> str:
    return hashed(platform=f"{platform}{SUBMISSION}", external_id=submission)


def _browser(rotation: _Rotation, work: Assignment) -> str:
    """Return the new hash; by a plain link the ID of the browser is that of the person."""
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
    for row in rows:
        submission, is_new = rotation.opened(row.external_id, "encrypt", f"Submission {row.pk}")
        if is_new:
            continue
        row.external_id = sealed(submission, purpose="encrypt")
        row.session_hash = _session(row.platform_study.platform, submission)
        row.person_hash = rotation.people.get(row.person_hash) or rotation.same_word(
            row.person_hash
        )
        yield row


def _events(rotation: _Rotation) -> Iterator[WebhookEvent]:
    for event in WebhookEvent.objects.exclude(resource=b""):
        resource, is_new = rotation.opened(event.resource, "encrypt", f"Message {event.pk}")
        if not is_new:
            event.resource = sealed(resource, purpose="encrypt")
            yield event


def _secrets(rotation: _Rotation) -> Iterator[WebhookSecret]:
    for row in WebhookSecret.objects.all():
        secret, is_new = rotation.opened(row.secret, "encrypt", f"The secret of {row.workspace}")
        if not is_new:
            row.secret = sealed(secret, purpose="encrypt")
            yield row
