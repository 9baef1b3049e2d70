"""Ask Prolific to tell us of every submission whose status changes."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from annotation.fieldwork.platforms import calls
from annotation.fieldwork.platforms.prolific_client import client_for_settings
from annotation.fieldwork.recruiting.prolific import saving_webhook_secrets, study_status


class Command(BaseCommand):
    help = "Make a secret at Prolific and subscribe to what becomes of submissions. The secret is kept, and good at once. An earlier secret of the workspace ends."  # noqa: E501

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("workspace", help="its id at Prolific")
        parser.add_argument("--address", default="", help="ours, if not that of PUBLIC_URL")

    def handle(self, *args: Any, **options: Any) -> None:
        client = client_for_settings()
        address = options["address"] or study_status.webhook_address()
        try:
            secret = client.create_secret(options["workspace"])
            saving_webhook_secrets.keep(
                workspace=options["workspace"], secret=secret, now=timezone.now()
            )
            self.stdout.write("The secret is made, and good at once.")
            client.subscribe(workspace=options["workspace"], address=address)
        except (calls.CallRefused, calls.OutcomeUnknown) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"Prolific tells {address} of every submission.")
