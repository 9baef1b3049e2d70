"""`python manage.py fake_endpoint`: run a simulated LLM endpoint."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from judging.calls.fake.judges import JUDGES
from judging.calls.fake.running import FakeEndpoint
from judging.calls.fake.troubles import TroubleKind

SAID = """\
Simulated LLM endpoint: {url} (Ctrl-C stops it)
Start Crowdwright with ENDPOINTS_INSIDE=1, then set up an LLM judge with this address and any key.
Models: {models}. To simulate an error, append its kind, as in {example} ({kinds}).
Calls and charges: {site}/fake/counts"""


class Command(BaseCommand):
    help = (
        "Run a simulated LLM endpoint on this computer to test LLM judges. Its answers are "
        "scripted and cost nothing."
    )
    requires_system_checks: list[str] = []  # it needs neither a database nor the site

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=8200, help="default: 8200")
        parser.add_argument("--key", default="", help="accept only this API key (default: any)")
        parser.add_argument(
            "--texts",
            type=Path,
            metavar="FILE",
            help="JSON object of texts and their quality (0: average)",
        )
        parser.add_argument(
            "--ledger", type=Path, metavar="FILE", help="file that records the charged calls"
        )
        parser.add_argument(
            "--per-minute",
            type=int,
            default=0,
            metavar="N",
            help="accept at most N calls per minute",
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
                f"Port {options['port']} isn't available. Choose another with --port."
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
