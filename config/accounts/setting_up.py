"""The first account of an empty database, made in the browser by whoever runs the server.

A token proves that: it stands in a file that only the server's own user can read, and is printed
when the server starts.
"""

import logging
from pathlib import Path

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.utils.crypto import constant_time_compare

from annotation.console.login import JoinForm
from annotation.people import access
from annotation.refusals import Refusal
from annotation.texts.sentences import Sentence
from config.secrets import secret

log = logging.getLogger(__name__)


def is_needed() -> bool:
    return not User.objects.exists()


def token_file() -> Path:
    return Path(settings.VAR_DIR) / "set-up.key"


def token() -> str:
    """Return the set-up token of this server, created if needed."""
    return secret(token_file(), size=18)


def announce() -> None:
    """Make the token, and say where it is, for a server that printed nothing when it started."""
    if not token_file().exists():
        token()
        log.warning("No account yet: the token for /set-up/ is in %s", token_file())


def make_first(*, token_typed: str, form: JoinForm) -> User:
    """Make the administrator. Of two who try at once, one removes the token.

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
        user: User = form.save(commit=False)
        user.is_staff = user.is_superuser = True
        user.save()
        if User.objects.exclude(pk=user.pk).exists():
            raise already_set_up
        access.record(user=user, act="set Crowdwright up")
        try:
            token_file().unlink()
        except FileNotFoundError as error:
            raise already_set_up from error
    return user
