"""Who asks at an address, and what they are answered."""

from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client

from annotation.models import Membership, Role, Study
from tests.cast import rita
from tests.config.addresses import answer

METHODS = ("GET", "POST")
ROLES = list(Role.values)


class Undo:
    """Undoes what a request did since this was made, again and again, in the transaction of a test.

    One statement for each of some hundred requests, where a savepoint of their own takes three.
    """

    def __init__(self) -> None:
        self.began = transaction.savepoint()

    def __call__(self) -> None:
        transaction.savepoint_rollback(self.began)  # which leaves the savepoint for the next one
        transaction.set_rollback(False)


def ask(client: Client, undo: Undo, method: str, address: str, **data: object) -> str:
    """Return the answer, as a cell says it; whatever it did is undone."""
    said = answer(getattr(client, method.lower())(address, **(data if method == "POST" else {})))
    undo()
    return said


def person(who: str, study: Study | None = None) -> User | None:
    """Somebody who has this role in the study and its corpus."""
    if who == "anonymous":
        return None
    if who == "administrator":
        return rita()
    user = User.objects.create_user(who, password="a long password")
    for thing in (study, study.corpus) if study and who in ROLES else ():
        Membership.objects.create(team=thing.team, user=user, role=who)
    return user


def same_again(client: Client) -> Client:
    """Return a browser with the cookies of this one, unaffected by answers.

    They ask the same site, whose middleware is set up once and not for every address.
    """
    other = Client()
    other.handler = client.handler
    other.cookies.update(client.cookies)
    return other


def client_of(user: User | None, **options: bool) -> Client:
    client = Client(**options)
    if user is not None:
        client.force_login(user)
    return client
