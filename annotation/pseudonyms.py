"""Workers are known by a pseudonym. Their platform id is encrypted and found by a keyed hash."""

import base64
import hashlib
import hmac
import secrets

from cryptography.fernet import Fernet
from django.conf import settings

from annotation.models import Worker


def _key(purpose: str) -> bytes:
    return hmac.new(settings.PSEUDONYM_KEY.encode(), purpose.encode(), hashlib.sha256).digest()


def hashed(*, platform: str, external_id: str) -> str:
    """The keyed hash (HMAC-SHA256, hex) under which a platform id is found again."""
    message = f"{platform}\n{external_id}".encode()
    return hmac.new(_key("match"), message, hashlib.sha256).hexdigest()


def encrypted(external_id: str) -> bytes:
    return Fernet(base64.urlsafe_b64encode(_key("encrypt"))).encrypt(external_id.encode())


def revealed(worker: Worker) -> str:
    """The platform id of a worker, for paying them. Raises InvalidToken with another key."""
    fernet = Fernet(base64.urlsafe_b64encode(_key("encrypt")))
    return fernet.decrypt(bytes(worker.external_id)).decode()


def known_worker(platform: str, external_id: str) -> Worker | None:
    """The worker with this platform id, if they have been here."""
    key = hashed(platform=platform, external_id=external_id)
    return Worker.objects.filter(platform=platform, external_hash=key).first()


def worker_for(*, platform: str, external_id: str, pseudonym: str = "") -> Worker:
    """The worker with this platform id; a new one, under a new pseudonym, if there is none."""
    worker, _ = Worker.objects.get_or_create(
        platform=platform,
        external_hash=hashed(platform=platform, external_id=external_id),
        defaults={
            "external_id": encrypted(external_id),
            "pseudonym": pseudonym or f"w-{secrets.token_hex(6)}",
        },
    )
    return worker
