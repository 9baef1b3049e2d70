"""The first account of an empty database, made in the browser by whoever runs the server.

A token proves that: it is in a file that only the server's own user can read, and is printed when
the server starts. It follows from SECRET_KEY, so that all hosts have the same.
"""

import logging
import os
from pathlib import Path

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.utils.crypto import constant_time_compare, salted_hmac

from annotation import marking
from annotation.console.login import JoinForm
from annotation.models import ServiceMark
from annotation.people import access
from annotation.refusals import Refusal
from annotation.texts.sentences import Sentence

log = logging.getLogger(__name__)


def is_needed() -> bool:
    return not User.objects.exists()


def token_file() -> Path:
    return Path(settings.VAR_DIR) / "set-up.key"


def token() -> str:
    """Return the set-up token of this server, created if needed."""
    made = salted_hmac("config.accounts.setting_up", "token", algorithm="sha256").hexdigest()[:32]
    if not token_file().exists():
        with open(os.open(token_file(), os.O_WRONLY | os.O_CREAT, 0o600), "w") as file:
            file.write(made)
    return made


def announce() -> None:
    """Make the token, and say where it is, for a server that printed nothing when it started."""
    if not token_file().exists():
        token()
        log.warning("There is no account yet. The token for /set-up/ is in %s", token_file())


def make_first(*, token_typed: str, form: JoinForm) -> User:
    """Make the administrator. Of two who try at once, on whatever hosts, one waits.

    Raises the refusals WrongToken and AlreadySetUp.
    """
    if not constant_time_compare(token_typed.strip(), token()):
        raise Refusal(
            "WrongToken",
            Sentence("Wrong server token. Each token works once."),
            status=422,
        )
    already_set_up = Refusal(
        "AlreadySetUp",
        Sentence("The first account already exists. Please sign in."),
    )
    with transaction.atomic():
        ServiceMark.objects.get_or_create(name=marking.SET_UP)
        ServiceMark.objects.select_for_update().get(name=marking.SET_UP)
        if User.objects.exists():
            raise already_set_up
        user: User = form.save(commit=False)
        user.is_staff = user.is_superuser = True
        user.save()
        access.record(user=user, act="set up Crowdwright")
    token_file().unlink(missing_ok=True)
    return user
