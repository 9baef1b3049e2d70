"""`python manage.py fake_endpoint`: a small server of models of our own, until Ctrl-C."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from judging.calls.fake.judges import JUDGES
from judging.calls.fake.running import FakeEndpoint
from judging.calls.fake.troubles import TroubleKind

SAID = """\
A trial server of models runs at {url} (Ctrl-C stops it).
Start Crowdwright with ENDPOINTS_INSIDE=1 and give a machine judge this address, any key and one of
these models: {models}. Each has its troubles too: {example} always makes one ({kinds}).
What it was asked and charged: {site}/fake/counts"""


class Command(BaseCommand):
    help = (
        "Runs a small server of models on this machine, to try machine judges against: it judges "
        "by script, understands no text and costs nothing."
    )
    requires_system_checks: list[str] = []  # it needs neither a database nor the site

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=8200)
        parser.add_argument("--key", default="", help="the only one that it takes")
        parser.add_argument(
            "--texts", type=Path, metavar="FILE", help="JSON: text -> how good it is (0: middling)"
        )
        parser.add_argument(
            "--ledger", type=Path, metavar="FILE", help="keeps there what it was charged for"
        )
        parser.add_argument(
            "--per-minute", type=int, default=0, metavar="N", help="takes only N calls a minute"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        fake = FakeEndpoint(
            key=options["key"], ledger=options["ledger"], per_minute=options["per_minute"]
        )
        if options["texts"]:
            fake.known.learn(json.loads(options["texts"].read_text()))
        try:
            fake.start(port=options["port"])
        except (OSError, OverflowError) as error:
            raise CommandError(
                f"Port {options['port']} cannot be used: choose another with --port"
            ) from error
        self.stdout.write(
            SAID.format(
                url=fake.url,
                site=fake.site,
                models=", ".join(JUDGES),
                example=f"good-{TroubleKind.HTML}",
                kinds=", ".join(TroubleKind),
            )
        )
        self.stdout.flush()
        try:
            fake.wait()
        except KeyboardInterrupt:
            fake.stop()
