"""Workers are known by a pseudonym. Their platform id is encrypted and found by a keyed hash."""

import hashlib
import hmac
import re
import secrets
from collections.abc import Iterable

from django.db.models import Q, QuerySet
from django.utils.translation import gettext

from annotation.encryption import key_for, sealed, unsealed
from annotation.models import Assignment, Study, Worker

PSEUDONYM = re.compile(r"w-[0-9a-f]{12}")  # of every worker who comes from a platform
SUBMISSION = " submission"  # follows the platform where its ID of a submission is hashed
FORGOTTEN = "forgotten "  # begins what stands in place of a hash, and is that of no id


def drawn() -> str:
    """Draw a value that replaces the hash of a forgotten ID."""
    return f"{FORGOTTEN}{secrets.token_hex(24)}"


def hashed(*, platform: str, external_id: str, secret: str = "") -> str:
    """Return the keyed hash (HMAC-SHA256, hex) that finds a platform id again."""
    message = f"{platform}\n{external_id}".encode()
    return hmac.new(key_for("match", secret), message, hashlib.sha256).hexdigest()


def encrypted(external_id: str) -> bytes:
    return sealed(external_id, purpose="encrypt")


def revealed(worker: Worker) -> str:
    """Return the platform id of a worker, for paying them.

    Raises LookupError if it was erased, InvalidToken with another key.
    """
    if not worker.external_id:
        raise LookupError(
            gettext("The platform ID of {pseudonym} was erased, so you can't pay.").format(
                pseudonym=worker.pseudonym
            )
        )
    return unsealed(worker.external_id, purpose="encrypt")


def known_worker(platform: str, external_id: str) -> Worker | None:
    """Return the worker with this platform id, or None."""
    key = hashed(platform=platform, external_id=external_id)
    return Worker.objects.filter(platform=platform, external_hash=key).first()


def nobody_known(*, platform: str) -> Worker:
    """Create a worker without a known platform id."""
    return Worker.objects.create(
        platform=platform, external_hash=drawn(), external_id=b"", pseudonym=_pseudonym()
    )


def _pseudonym() -> str:
    return f"w-{secrets.token_hex(6)}"


def hashes_of_id(typed: str) -> list[str]:
    """Return the keyed hashes under which a platform's ID of a person or submission is stored.

    IDs match as a whole. Prolific's are hexadecimal, and match in upper case as well.
    """
    typed = typed.strip()
    if not typed:
        return []
    return [
        hashed(platform=f"{platform}{suffix}", external_id=external_id)
        for platform in Study.Recruitment.values
        for suffix in ("", SUBMISSION)
        for external_id in sorted({typed, typed.lower()})
    ]


def people_with_id(people: "QuerySet[Worker]", typed: str) -> "QuerySet[Worker]":
    """Return those who have this platform ID, or work of a submission with it."""
    hashes = hashes_of_id(typed)
    works = Assignment.objects.filter(session_hash__in=hashes)
    return people.filter(Q(external_hash__in=hashes) | Q(pk__in=works.values("worker")))


def workers_for(*, platform: str, external_ids: Iterable[str]) -> dict[str, Worker]:
    """Return the workers with these platform ids, which are the pseudonyms of new ones."""
    ids = {
        hashed(platform=platform, external_id=each): each for each in dict.fromkeys(external_ids)
    }
    known = Worker.objects.filter(platform=platform, external_hash__in=ids)
    workers = {ids[worker.external_hash]: worker for worker in known}
    made = Worker.objects.bulk_create(
        Worker(platform=platform, external_hash=key, external_id=encrypted(each), pseudonym=each)
        for key, each in ids.items()
        if each not in workers
    )
    return workers | {worker.pseudonym: worker for worker in made}


def worker_for(*, platform: str, external_id: str, pseudonym: str = "") -> Worker:
    """Return the worker with this platform id, created with a new pseudonym if needed."""
    worker, _ = Worker.objects.get_or_create(
        platform=platform,
        external_hash=hashed(platform=platform, external_id=external_id),
        defaults={
            "external_id": encrypted(external_id),
            "pseudonym": pseudonym or _pseudonym(),
        },
    )
    return worker
