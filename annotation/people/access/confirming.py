"""Asking for the password again before changes that would let an intruder keep an account.

An open session is enough for daily work. Changing the e-mail address, making an API key, turning
two-step sign-in on or off and making other people owners also need the password, unless it was
given within the last 15 minutes: when the session began, or for another such change.
"""

from django.contrib.auth import authenticate, user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest

from annotation.clock import database_now
from annotation.refusals import Refusal
from annotation.texts.sentences import Sentence

FIELD = "password_again"
CONFIRMED = "confirmed"  # in the session: when the password was last given
LASTS = 15 * 60  # seconds


class PasswordNotConfirmed(Refusal):
    """The password was not given again, or is not that of the person."""

    status = 422
    sentence = Sentence("Enter your password to confirm.")


class WrongPassword(PasswordNotConfirmed):
    sentence = Sentence("Wrong password.")


def note(request: HttpRequest) -> None:
    """Note that the person of this session has just given the password."""
    request.session[CONFIRMED] = int(database_now().timestamp())


@receiver(user_logged_in)
def _note_sign_in(*, request: HttpRequest, **_: object) -> None:
    note(request)


def is_confirmed(request: HttpRequest) -> bool:
    since = database_now().timestamp() - request.session.get(CONFIRMED, 0)
    return bool(0 <= since <= LASTS)


def require(request: HttpRequest) -> None:
    """Go on only with the password: given a short while ago, or sent with this form.

    Wrong passwords count as they do at sign-in (config/logging_in.py). Raises NotConfirmed.
    """
    if is_confirmed(request):
        return
    typed = request.POST.get(FIELD, "")
    if not typed:
        raise PasswordNotConfirmed
    name = request.user.get_username()
    if authenticate(request, username=name, password=typed) != request.user:
        raise WrongPassword
    note(request)
