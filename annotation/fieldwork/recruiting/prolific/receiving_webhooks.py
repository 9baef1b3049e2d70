"""Prolific's webhooks: signed, recent, received once, and trusted only for their subject.

The signature is the base64 of HMAC-SHA256 over their timestamp and the body.
"""

import base64
import hashlib
import hmac
from datetime import datetime, timedelta

import msgspec
import structlog
from django.db import IntegrityError, transaction

from annotation.encryption import unsealed
from annotation.fieldwork.platforms import calls
from annotation.fieldwork.recruiting.prolific import reconciling, saving_webhook_secrets
from annotation.models import WebhookEvent
from annotation.people.pseudonyms import encrypted
from annotation.refusals import Refusal

log = structlog.get_logger(__name__)
MAX_BODY_BYTES = 16_384  # bytes of a body; theirs have some hundred
MAX_MESSAGE_AGE = timedelta(minutes=5)
EVENT_LIFETIME = timedelta(days=30)
EVENT = "submission.status.change"


class Message(msgspec.Struct, frozen=True):
    event_type: str
    resource_id: str = ""


def signature(*, secret: str, timestamp: str, body: bytes) -> str:
    code = hmac.new(secret.encode(), timestamp.encode() + body, hashlib.sha256)
    return base64.b64encode(code.digest()).decode()


def hear(
    *, body: bytes, timestamp: str, signed: str, event_id: str, now: datetime
) -> WebhookEvent | None:
    """Save a message that is Prolific's, recent and new; None where there is nothing to ask.

    It is new by its event ID, which is not signed, and by its signature. Raises Refusal.
    """
    _require_theirs(body, timestamp, signed, now)
    if not 0 < len(event_id) <= 200 or not event_id.isprintable():
        raise Refusal("NoEventId", "X-Event-ID is missing.", status=400)
    try:
        message = msgspec.json.decode(body, type=Message)
    except (msgspec.DecodeError, RecursionError) as error:
        raise Refusal("BadBody", "The body cannot be read.", status=400) from error
    if not message.resource_id.isprintable():
        raise Refusal("BadResource", "The resource ID is invalid.", status=400)
    if message.event_type != EVENT or not 0 < len(message.resource_id) <= 100:
        return None
    try:
        with transaction.atomic():
            return WebhookEvent.objects.create(
                platform=reconciling.KEY,
                event_id=event_id,
                signature_hash=hashlib.sha256(signed.encode()).hexdigest(),
                resource=encrypted(message.resource_id),
                received_at=now,
            )
    except IntegrityError:  # it came before: this event, or the same signature under another id
        return None


def _require_theirs(body: bytes, timestamp: str, signed: str, now: datetime) -> None:
    secrets = saving_webhook_secrets.known()
    if not secrets:
        raise Refusal("NotSetUp", "Webhooks are not set up here.", status=404)
    if len(body) > MAX_BODY_BYTES:
        raise Refusal("BodyTooLarge", "The body is too large.", status=413)
    expected = [
        signature(secret=candidate, timestamp=timestamp, body=body) for candidate in secrets
    ]
    if not any(hmac.compare_digest(candidate.encode(), signed.encode()) for candidate in expected):
        raise Refusal("BadSignature", "The signature is not Prolific's.", status=401)
    if not timestamp.isdecimal() or len(timestamp) > 15:
        raise Refusal("BadTimestamp", "The timestamp cannot be read.", status=400)
    seconds = int(timestamp)
    seconds = seconds // 1000 if seconds > 10**11 else seconds
    if abs(now.timestamp() - seconds) > MAX_MESSAGE_AGE.total_seconds():
        raise Refusal("TooOld", "The message is too old.", status=401)


def handle(*, pk: int, now: datetime) -> None:
    """Ask Prolific about the subject of a message; without an answer the message waits."""
    event = WebhookEvent.objects.filter(pk=pk, handled_at=None).first()
    if event is None:
        return
    try:
        reconciling.ask_about(submission=unsealed(event.resource, purpose="encrypt"), now=now)
    except calls.OutcomeUnknown as error:
        log.warning("a message of Prolific waits", message=pk, error=str(error))
        return
    except calls.CallRefused as error:  # a submission that they do not know, or no token
        log.warning("Prolific knows nothing of its message", message=pk, error=str(error))
    # The id of the submission is needed no more, and a day of retention must not miss it here.
    WebhookEvent.objects.filter(pk=pk).update(handled_at=now, resource=b"")


def handle_left(*, now: datetime) -> None:
    """Handle waiting messages, and delete old ones."""
    WebhookEvent.objects.filter(received_at__lt=now - EVENT_LIFETIME).delete()
    left = WebhookEvent.objects.filter(handled_at=None, received_at__lt=now - timedelta(seconds=30))
    for pk in left.values_list("pk", flat=True)[:100]:
        handle(pk=pk, now=now)
