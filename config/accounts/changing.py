"""Changes of an account: profile, deactivation, and links for a new password.

A deactivated account keeps its name on past actions. Links for a new password are Django's tokens,
sent by e-mail where the server can, otherwise made by an administrator.
"""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from django.contrib.auth.forms import PasswordResetForm
from django.contrib.auth.models import User
from django.contrib.auth.tokens import default_token_generator
from django.db import transaction
from django.db.models import Q
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from annotation.clock import database_now
from annotation.models import AccountSettings, AuditEntry, Introduction
from annotation.people import access
from annotation.people.mailing import mail, sends_mail
from annotation.refusals import Refusal
from annotation.texts.sentences import Sentence
from config.accounts import recording_sessions

ASKED = "requested a password reset"
REFUSED = "password reset e-mail refused"
PAUSE = timedelta(minutes=5)  # between two letters to one person
PAUSE_REFUSED = timedelta(minutes=1)  # between two attempts


@transaction.atomic
def deactivate(*, user: User, by: User) -> None:
    """Let nobody in by this account, and end its sessions. Raises the refusal LastAdministrator."""
    administrators = User.objects.filter(is_superuser=True, is_active=True)
    # Two who deactivate each other at once wait here, one for the other.
    left = {
        administrator.pk for administrator in administrators.select_for_update().order_by("pk")
    } - {user.pk}
    if user.is_superuser and not left:
        raise Refusal(
            "LastAdministrator",
            Sentence("This is the last administrator. Add another first."),
        )
    if User.objects.filter(pk=user.pk, is_active=True).update(is_active=False):
        access.record(user=by, act="deactivated an account", what=user.get_username())
    recording_sessions.end(user=user)


@transaction.atomic
def reactivate(*, user: User, by: User) -> None:
    if User.objects.filter(pk=user.pk, is_active=False).update(is_active=True):
        access.record(user=by, act="reactivated an account", what=user.get_username())


@transaction.atomic
def save_profile(*, form: Any) -> None:
    """Save the e-mail address, the introduction to workers and the choices of a valid form."""
    user = form.save()
    if "introduction" in form.data:
        text = form.cleaned_data["introduction"]
        Introduction.objects.update_or_create(user=user, defaults={"text": text})
        if sends_mail():
            choices = {"emails_when_done": form.cleaned_data["emails_when_done"]}
            AccountSettings.objects.update_or_create(user=user, defaults=choices)


def make_link(*, user: User, by: User) -> str:
    """Return the path of a link for a new password, good for a day and until it is used."""
    access.record(user=by, act="created a password reset link", what=user.get_username())
    uid = urlsafe_base64_encode(force_bytes(user.pk))
    token = default_token_generator.make_token(user)
    return reverse("new_password", args=[uid, token])


class ForgottenForm(PasswordResetForm):
    """Django's form, which sends a person one message in PAUSE at most.

    One that the mail server refused is in the audit log, and can be asked for again soon.
    """

    def get_users(self, email: str) -> Iterable[User]:
        now = database_now()
        recently = Q(act=ASKED, at__gt=now - PAUSE) | Q(act=REFUSED, at__gt=now - PAUSE_REFUSED)
        for user in super().get_users(email):
            entries = AuditEntry.objects.filter(recently, team=None, what=user.get_username())
            if not entries.exists():
                yield user

    def send_mail(self, *arguments: Any, **more: Any) -> None:
        """Send our template, and record whether the mail server took it."""
        context, to = arguments[2], arguments[4]
        user = context["user"]
        went = mail(to=to, template="console/forgotten", about=f"password {user.pk}", **context)
        access.record(user=None, act=ASKED if went else REFUSED, what=user.get_username())
