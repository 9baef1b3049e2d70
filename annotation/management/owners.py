"""Owner of the records that a command makes."""

from argparse import ArgumentParser

from django.contrib.auth.models import User
from django.core.management.base import CommandError

from annotation.people.access.sharing import administrators


def add_owner_option(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--owner",
        metavar="NAME",
        help="user name of the owner of new objects (default: all administrators)",
    )


def owners_of(name: str | None) -> list[User]:
    """Return the user of this name, or all administrators. Raises CommandError."""
    if not name:
        return administrators()
    user = User.objects.filter(username=name, is_active=True).first()
    if user is None:
        raise CommandError(f"Account {name} doesn't exist.")
    return [user]
