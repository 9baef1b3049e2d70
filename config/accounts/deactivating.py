"""People who leave keep their name on what they did, and get in no more."""

from django.contrib.auth.models import User
from django.db import transaction

from annotation.fieldwork.work.refusals import Refusal
from annotation.people import access
from annotation.texts.sentences import Sentence
from config.accounts import registering


class LastAdministrator(Refusal):
    sentence = Sentence(
        "This is the last administrator. Make somebody else an administrator first."
    )


@transaction.atomic
def deactivate(*, user: User, by: User) -> None:
    """Let nobody in by this account, and end its sessions. Raises LastAdministrator."""
    administrators = User.objects.filter(is_superuser=True, is_active=True)
    # Two who deactivate each other at once wait here, one for the other.
    left = {each.pk for each in administrators.select_for_update().order_by("pk")} - {user.pk}
    if user.is_superuser and not left:
        raise LastAdministrator
    if User.objects.filter(pk=user.pk, is_active=True).update(is_active=False):
        access.record(user=by, act="deactivated an account", what=user.get_username())
    registering.end(user=user)


@transaction.atomic
def reactivate(*, user: User, by: User) -> None:
    if User.objects.filter(pk=user.pk, is_active=False).update(is_active=True):
        access.record(user=by, act="reactivated an account", what=user.get_username())
