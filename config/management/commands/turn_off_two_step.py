"""`python manage.py turn_off_two_step NAME`: for somebody who lost phone and recovery codes."""

from argparse import ArgumentParser
from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError

from config import verifying


class Command(BaseCommand):
    help = (
        "Turns two-step log-in off for somebody who has lost the phone and the recovery codes. "
        "Make sure first that it is they who ask."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", metavar="NAME", help="the name they log in with")

    def handle(self, *args: Any, **options: Any) -> None:
        user = get_user_model().objects.filter(username=options["name"]).first()
        if user is None:
            raise CommandError(f"nobody here is called {options['name']}")
        if not verifying.is_on(user):
            raise CommandError(f"{user} logs in with the password alone already")
        verifying.turn_off(user=user)
        self.stdout.write(
            f"{user} logs in with the password alone now, and can turn two-step log-in on again."
        )
