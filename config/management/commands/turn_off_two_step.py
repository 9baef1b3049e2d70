"""`python manage.py turn_off_two_step NAME`: turn off two-step sign-in for a locked-out user."""

from argparse import ArgumentParser
from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError

from config import verifying


class Command(BaseCommand):
    help = (
        "Turn off two-step sign-in for a user who lost their phone and recovery codes. Verify "
        "their identity first."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", metavar="NAME", help="user name")

    def handle(self, *args: Any, **options: Any) -> None:
        user = get_user_model().objects.filter(username=options["name"]).first()
        if user is None:
            raise CommandError(f"Account {options['name']} doesn't exist.")
        if not verifying.is_on(user):
            raise CommandError(f"Two-step sign-in of {user} is already off.")
        verifying.turn_off(user=user)
        self.stdout.write(
            f"Two-step sign-in of {user} is off. They can turn it on again in their account."
        )
