"""Links for a new password: by e-mail where the server can send it, else from an administrator.

Django's tokens: good for a day, and for nothing once the password was changed.
"""

from collections.abc import Iterable
from datetime import timedelta

from django.conf import settings
from django.contrib.auth.forms import PasswordResetForm
from django.contrib.auth.models import User
from django.contrib.auth.tokens import default_token_generator
from django.urls import reverse
from django.utils import timezone
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from annotation.models import AuditEntry
from annotation.people import access

ASKED = "asked for a new password"
PAUSE = timedelta(minutes=5)  # between two letters to one person


def sends_mail() -> bool:
    return bool(settings.EMAIL_HOST)


def make_link(*, user: User, by: User) -> str:
    """The path of a link with which somebody chooses a new password."""
    access.record(user=by, act="made a link for a new password", what=user.get_username())
    uid = urlsafe_base64_encode(force_bytes(user.pk))
    token = default_token_generator.make_token(user)
    return reverse("new_password", args=[uid, token])


class ForgottenForm(PasswordResetForm):
    """Django's form; nobody is sent a letter every second by somebody else."""

    def get_users(self, email: str) -> Iterable[User]:
        since = timezone.now() - PAUSE
        for user in super().get_users(email):
            asked = AuditEntry.objects.filter(team=None, act=ASKED, at__gt=since)
            if not asked.filter(what=user.get_username()).exists():
                access.record(user=None, act=ASKED, what=user.get_username())
                yield user
