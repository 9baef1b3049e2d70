"""E-mails of the site. A refused one is logged and reported to the caller, who can try again."""

from smtplib import SMTPException
from typing import Any

import structlog
from django.conf import settings
from django.core.mail import send_mail
from django.template.loader import render_to_string

log = structlog.get_logger(__name__)


def sends_mail() -> bool:
    return bool(settings.EMAIL_HOST)


def mail(*, to: str, template: str, about: str, **context: Any) -> bool:
    """Send `template`.txt with the subject of `template`_subject.txt; return whether it went.

    `about` names the e-mail in the log, which has no addresses.
    """
    context["base"] = settings.PUBLIC_URL
    subject = " ".join(render_to_string(f"{template}_subject.txt", context).split())
    body = render_to_string(f"{template}.txt", context).strip() + "\n"
    try:
        send_mail(subject, body, settings.DEFAULT_FROM_EMAIL, [to])
    except (SMTPException, OSError) as error:
        log.warning("an e-mail could not be sent", about=about, error=type(error).__name__)
        return False
    return True
