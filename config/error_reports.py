"""Errors for those who run the server: by e-mail, and to Sentry. Neither has data of people."""

import logging
import time
from typing import Any

from django.core.exceptions import ImproperlyConfigured

from annotation import request_ids
from config.logs import masked

PAUSE = 300.0  # seconds between two e-mails of a process
SECRET_PARTS = ("request", "user", "breadcrumbs", "extra", "server_name")


class MailHandler(logging.Handler):
    """Mails an error to ADMINS as it is logged, and none of those that follow in PAUSE."""

    def __init__(self, level: int | str = logging.ERROR) -> None:
        super().__init__(level)
        self.quiet_until = 0.0

    def emit(self, record: logging.LogRecord) -> None:
        from django.conf import settings
        from django.core.mail import send_mail

        if (now := time.monotonic()) < self.quiet_until:
            return
        self.quiet_until = now + PAUSE
        subject = f"Crowdwright: error in {record.name}"
        try:
            send_mail(
                subject, self.format(record), settings.DEFAULT_FROM_EMAIL, settings.ADMIN_EMAILS
            )
        except OSError:  # also what smtplib raises; the log has the error
            self.handleError(record)


def start_reporting(dsn: str, *, release: str) -> None:
    """Send errors to Sentry. Raises ImproperlyConfigured without its library."""
    try:
        import sentry_sdk
    except ImportError as error:
        raise ImproperlyConfigured("SENTRY_DSN needs `pip install sentry-sdk`") from error
    sentry_sdk.init(dsn=dsn, release=release, **sentry_options())


def sentry_options() -> dict[str, Any]:
    """Return the options by which nothing of a person is collected."""
    return {
        "include_local_variables": False,
        "include_source_context": False,
        "max_request_body_size": "never",
        "max_breadcrumbs": 0,
        "server_name": "",
        "before_send": without_people,
    }


def without_people(event: Any, hint: Any) -> Any:
    """Return the event without its request and with masked words; ids of requests stay."""
    for part in SECRET_PARTS:
        event.pop(part, None)
    if request_id := request_ids.current():
        event.setdefault("tags", {})[request_ids.KEY] = request_id
    for value in event.get("exception", {}).get("values", []):
        value["value"] = masked(str(value.get("value", "")))
    if "logentry" in event:
        message = event["logentry"].get("formatted") or event["logentry"].get("message", "")
        event["logentry"] = {"message": masked(str(message))}
    if "transaction" in event:
        event["transaction"] = masked(str(event["transaction"]))
    return event
