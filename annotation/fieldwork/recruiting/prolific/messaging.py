"""Messages to participants through Prolific, and requests to return a submission.

The text is saved before it is sent, and each form is sent once. A call without an answer is not
repeated: the participant may have read the message.
"""

from datetime import datetime
from typing import Any, Protocol

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.dispatch import receiver
from django.utils.translation import gettext

from annotation import signals
from annotation.fieldwork.platforms import calls
from annotation.fieldwork.platforms.prolific_client import Json, client_for_settings
from annotation.models import Assignment, PlatformMessage, PlatformSubmission
from annotation.people import access
from annotation.refusals import Refusal

Kind, State = PlatformMessage.Kind, PlatformMessage.State
Status = PlatformSubmission.Status
MAX_LENGTH = 3000  # characters of a message
RETURNABLE = (Status.RESERVED, Status.ACTIVE, Status.AWAITING_REVIEW)


class MessageCalls(Protocol):
    """The calls to Prolific that are made here (platforms.prolific_client)."""

    def submission(self, submission_id: str) -> Json: ...
    def send_message(self, *, recipient: str, study: str, body: str) -> None: ...
    def request_return(self, submission_id: str, *, reason: str) -> Json: ...


def write(
    *,
    submission: PlatformSubmission,
    kind: PlatformMessage.Kind,
    body: str,
    number: int,
    user: User | None,
    now: datetime,
    desk: MessageCalls | None = None,
) -> PlatformMessage:
    """Send a message or a request to return; `number` counts earlier ones, as the form showed.

    Raises Refusal, `calls.CallRefused` if it was not sent, `calls.OutcomeUnknown` if it may
    have been.
    """
    body = body.replace("\x00", "").strip()
    if why := why_not(submission, kind):
        raise Refusal("NoMessage", why)
    if not body:
        raise Refusal("EmptyMessage", gettext("Enter a message."))
    if len(body) > MAX_LENGTH:
        raise Refusal(
            "MessageTooLong",
            gettext("The message has {length:,} characters. The limit is {most:,}.").format(
                most=MAX_LENGTH, length=len(body)
            ),
        )
    message = _noted(submission, kind, body, number, user, now)
    rows = PlatformMessage.objects.filter(pk=message.pk, state=State.SENDING)
    try:
        _send(message, desk or client_for_settings())
    except calls.CallRefused as error:
        rows.update(state=State.REFUSED, said=str(error))
        raise
    except calls.OutcomeUnknown as error:
        rows.update(state=State.UNKNOWN, said=str(error))
        raise
    rows.update(state=State.SENT)
    return message


def why_not(submission: PlatformSubmission, kind: str) -> str:
    """Return why a participant cannot be sent this; '' if they can."""
    if not submission.external_id:
        return gettext("This submission's platform ID was erased.")
    if kind not in Kind.values:
        return gettext("Choose a message or a return request.")
    if kind == Kind.RETURN and submission.status not in RETURNABLE:
        return gettext("This submission is {status} and can't be returned.").format(
            status=submission.get_status_display()
        )
    return ""


@transaction.atomic
def _noted(
    submission: PlatformSubmission,
    kind: PlatformMessage.Kind,
    body: str,
    number: int,
    user: User | None,
    now: datetime,
) -> PlatformMessage:
    """Save the message, once. Raises Refusal."""
    if submission.messages.count() != number:
        raise Refusal("SentBefore", gettext("Already sent. See below."))
    try:
        with transaction.atomic():
            message = PlatformMessage.objects.create(
                submission=submission,
                number=number + 1,
                kind=kind,
                body=body,
                made_by=user,
                made_at=now,
            )
    except IntegrityError as error:
        raise Refusal("SentBefore", gettext("Already sent. See below.")) from error
    access.record(
        user=user,
        act="messaged a participant" if kind == Kind.MESSAGE else "requested a return",
        what=str(submission.worker or gettext("unknown participant")),
        of=submission.platform_study.study,
    )
    return message


def _send(message: PlatformMessage, desk: MessageCalls) -> None:
    submission = message.submission
    if message.kind == Kind.RETURN:
        desk.request_return(submission.submission, reason=message.body)
        return
    submission_there = desk.submission(submission.submission)
    desk.send_message(
        recipient=str(
            submission_there.get("participant") or submission_there.get("participant_id") or ""
        ),
        study=submission.platform_study.external_id,
        body=message.body,
    )


@receiver(signals.withdrawn)
def erase(*, assignment: Assignment, **_: Any) -> None:
    """Erase the messages to a participant who withdraws."""
    PlatformMessage.objects.filter(submission__assignment=assignment).delete()
