"""`python manage.py fake_prolific`: run a simulated Prolific."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.fieldwork.platforms.fake_prolific.running import FakeProlific
from annotation.fieldwork.platforms.fake_prolific.signing import WORKSPACE

SETTINGS = """\
Start Crowdwright with these settings, and publish a study from Recruit:
  PROLIFIC_URL={url}
  PROLIFIC_SITE={site}
  PROLIFIC_TOKEN=trial
  PROLIFIC_WORKSPACE={workspace}
  PROLIFIC_WEBHOOK_SECRET={secret}
  RECRUITING_DRY_RUN=0
Then open {site}/ to take a place as a participant."""
HOOK = "/hooks/prolific/"


class Command(BaseCommand):
    help = (
        "Run a simulated Prolific on this computer to test recruiting. It recruits and pays no "
        "one; take places as a participant on its page. Its data is lost when it stops."
    )
    requires_system_checks: list[str] = []  # it needs neither a database nor the site

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=8100, help="default: 8100")
        parser.add_argument(
            "--crowdwright",
            default="http://localhost:8000",
            metavar="ADDRESS",
            help="address of Crowdwright, which receives status changes (default: %(default)s)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            fake = FakeProlific().start(port=options["port"])
        except (OSError, OverflowError) as error:
            raise CommandError(
                f"Port {options['port']} isn't available. Choose another with --port."
            ) from error
        self.stdout.write(f"Simulated Prolific: {fake.site}/ (Ctrl-C stops it)")
        secret = fake.tell(options["crowdwright"].rstrip("/") + HOOK)
        self.stdout.write(
            SETTINGS.format(url=fake.url, site=fake.site, workspace=WORKSPACE, secret=secret)
        )
        self.stdout.flush()
        try:
            fake.wait()
        except KeyboardInterrupt:
            fake.stop()
