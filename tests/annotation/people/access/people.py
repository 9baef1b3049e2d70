"""People with roles, for the tests of access."""

from collections.abc import Callable, Sequence
from threading import Barrier, Thread

from django.contrib.auth.models import User
from django.db import connections

from annotation.models import Corpus, Draft, Membership, Role, Study
from annotation.people.access import inviting
from annotation.refusals import Refusal
from tests.cast import NOW


def somebody(name: str = "sam") -> User:
    return User.objects.create_user(name, password="a long password")


def join(user: User, thing: Study | Corpus | Draft, role: Role) -> None:
    Membership.objects.create(team=thing.team, user=user, role=role)


def link_of(thing: Study | Corpus, *, by: User, role: Role = Role.REVIEWER) -> str:
    """Return the token of an invitation."""
    return inviting.invite(team=thing.team, role=role, by=by, now=NOW, name="Sam")[1]


def on_threads(calls: Sequence[Callable[[], object]]) -> list[str]:
    """Do all at once, each on a connection of its own: what each came to, or `done`."""
    said, barrier = [], Barrier(len(calls))

    def one(call: Callable[[], object]) -> None:
        barrier.wait()
        try:
            call()
            said.append("done")
        except Refusal as refusal:
            said.append(refusal.code)
        finally:
            connections.close_all()

    threads = [Thread(target=one, args=[call]) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return said
