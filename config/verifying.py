"""The second step of a log-in, for those who want one: a code from a phone, or a recovery code.

django-otp keeps what is needed for it, takes every code once, and makes a guesser wait twice as
long after each wrong one.
"""

import math
from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.backends import BaseBackend
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest
from django_otp import verify_token
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from annotation.clock import database_now
from annotation.refusals import Refusal
from annotation.texts.sentences import Sentence

RECOVERY_CODES = 10
DIGITS = 6  # of a phone's code; a recovery code is longer


class WrongCode(Refusal):
    status = 422
    sentence = Sentence(
        "This code is wrong or already used. Enter the current one or check your phone's clock."
    )


class AlreadyOn(Refusal):
    sentence = Sentence("Two-step sign-in is already on.")


class NotPrepared(Refusal):
    sentence = Sentence("Select “Set up” first.")


def is_on(user: User) -> bool:
    return bool(_phones(user, confirmed=True).exists())


def prepared(user: User) -> TOTPDevice | None:
    """Return what was shown to the user's phone and not confirmed by a code of it."""
    return _phones(user, confirmed=False).first()


def recovery_codes_left(user: User) -> int:
    return int(StaticToken.objects.filter(device__user=user).count())


def prepare(*, user: User) -> None:
    """Draw a secret for the user's phone. Nothing changes for the log-in until `turn_on`."""
    with transaction.atomic():
        _lock(user)
        if is_on(user):
            raise AlreadyOn
        _phones(user, confirmed=False).delete()
        TOTPDevice.objects.create(user=user, name="phone", confirmed=False)


def turn_on(*, user: User, code: str) -> list[str]:
    """Turn it on by a first code of the phone, and return the recovery codes."""
    phone = prepared(user)
    if phone is None:
        raise NotPrepared
    _take(phone, _typed(code))
    codes = [StaticToken.random_token() for _ in range(RECOVERY_CODES)]
    with transaction.atomic():
        _lock(user)
        if is_on(user) or not _phones(user, confirmed=False).filter(pk=phone.pk).update(
            confirmed=True
        ):
            raise AlreadyOn
        StaticDevice.objects.filter(user=user).delete()
        device = StaticDevice.objects.create(user=user, name="recovery codes")
        StaticToken.objects.bulk_create(StaticToken(device=device, token=token) for token in codes)
    return codes


def turn_off(*, user: User) -> None:
    with transaction.atomic():
        _lock(user)
        TOTPDevice.objects.filter(user=user).delete()
        StaticDevice.objects.filter(user=user).delete()


def take(*, user: User, code: str) -> None:
    """Take a code of the phone or a recovery code, which counts once."""
    typed = _typed(code)
    if len(typed) == DIGITS:
        device = _phones(user, confirmed=True).first()
    else:
        device = StaticDevice.objects.filter(user=user, confirmed=True).first()
    if device is None:
        raise WrongCode
    _take(device, typed)


class CodeBackend(BaseBackend):
    """The second step as Django's `authenticate` asks for it, so that django-axes counts guesses.

    It never begins a session: who comes here has shown the password before (config/login_views.py).
    """

    # Django calls a backend whose signature takes what it has: a password alone never gets here.
    def authenticate(  # type: ignore[override]
        self, request: HttpRequest | None, username: str, token: str
    ) -> User | None:
        user = get_user_model().objects.filter(username=username, is_active=True).first()
        if user is None:
            return None
        try:
            take(user=user, code=token)
        except WrongCode:
            return None
        return user


def _phones(user: User, *, confirmed: bool) -> Any:
    return TOTPDevice.objects.filter(user=user, confirmed=confirmed)


def _lock(user: User) -> None:
    """One change at a time: django-otp itself allows somebody many devices."""
    get_user_model().objects.select_for_update().get(pk=user.pk)


def _typed(code: str) -> str:
    typed = "".join(code.split()).lower()
    return typed if typed.isascii() and typed.isalnum() else ""


def _take(device: Any, typed: str) -> None:
    allowed, lock = device.verify_is_allowed()
    if not allowed:
        seconds = math.ceil((lock["locked_until"] - database_now()).total_seconds())
        raise Refusal(
            "TooSoon",
            Sentence(
                "Wrong code. Wait {seconds} second before you try again.",
                "Wrong code. Wait {seconds} seconds before you try again.",
                seconds,
                seconds=seconds,
            ),
            status=422,
        )
    # Locks the row: of two requests with the same code one is too late.
    if verify_token(device.user, device.persistent_id, typed) is None:
        raise WrongCode
