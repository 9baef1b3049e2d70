"""`python manage.py prolific_webhooks WORKSPACE`: subscribe to status changes at Prolific."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.clock import database_now
from annotation.fieldwork.platforms import calls
from annotation.fieldwork.platforms.prolific_client import client_for_settings
from annotation.fieldwork.recruiting.prolific import saving_webhook_secrets, study_status


class Command(BaseCommand):
    help = (
        "Create a webhook secret on Prolific, store it, and subscribe to status changes of "
        "submissions. Replaces the previous secret of the workspace."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("workspace", help="ID of the Prolific workspace")
        parser.add_argument(
            "--address",
            default="",
            help="webhook address of this server (default: from PUBLIC_URL)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        client = client_for_settings()
        address = options["address"] or study_status.webhook_address()
        try:
            secret = client.create_secret(options["workspace"])
            saving_webhook_secrets.keep(
                workspace=options["workspace"], secret=secret, now=database_now()
            )
            self.stdout.write("Secret created and stored.")
            client.subscribe(workspace=options["workspace"], address=address)
        except (calls.CallRefused, calls.OutcomeUnknown) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"Prolific now reports status changes to {address}.")
