"""`python manage.py serve`: web server and worker together, until Ctrl-C."""

import os
from argparse import ArgumentParser
from functools import partial
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from config.accounts import setting_up
from config.processes import accepts, check_port, is_loopback
from config.serving import (
    ServerProcess,
    Supervisor,
    WebServerEnded,
    clock_part,
    web_part,
    worker_part,
)

NO_PROXY = (
    "Other machines can reach {host}, and this server has no proxy in front: 40 connections that "
    "send one byte of a form each would stop every page. Listen on 127.0.0.1, or put a proxy in "
    "front that reads whole requests first (docker-compose.yml does, with nginx.conf) and set "
    "BEHIND_PROXY=1."
)


class Command(BaseCommand):
    help = (
        "Runs the web server, and in the embedded mode (BROKER_URL=filesystem://) the worker and "
        "the clock too. Ctrl-C stops all of them."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address to listen at")
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--workers", type=int, default=1, help="web server processes")
        parser.add_argument("--threads", type=int, default=4, help="threads in each of them")
        parser.add_argument("--no-migrate", action="store_true", help="leave the database as it is")
        parser.add_argument(
            "--with-worker",
            action="store_true",
            help="with Redis too, run a worker and the clock here",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        host, port = options["host"], options["port"]
        try:
            check_port(host, port)
        except OSError as error:
            raise CommandError(
                f"Port {port} of {host} cannot be used ({error.strerror}): "
                "choose another with --port"
            ) from error
        if not is_loopback(host) and not settings.PROXIES:
            raise CommandError(NO_PROXY.format(host=host))
        if not options["no_migrate"]:
            self._say("Preparing the database…")  # a new one takes half a minute
            call_command("migrate", interactive=False, verbosity=0)
        needs_account = setting_up.is_needed()
        connection.close()
        settings.STATIC_ROOT.mkdir(parents=True, exist_ok=True)  # WhiteNoise warns without it

        # Links in pages, messages and what commands print name the port that is served, unless
        # told otherwise.
        address = f"http://localhost:{port}"
        (settings.VAR_DIR / "address").write_text(address)
        ready = f"Crowdwright runs at http://{host}:{port}/ (Ctrl-C stops it)"
        if needs_account:
            first = f"{address}/set-up/?token={setting_up.token()}"
            ready += f"\nNo account yet: {first} makes the first"
        supervisor = Supervisor(
            self._parts(options),
            env={"PUBLIC_URL": address, **os.environ},
            cwd=settings.BASE_DIR,
            say=self._say,
        )
        try:
            supervisor.run(
                is_ready=partial(accepts, "127.0.0.1" if host == "0.0.0.0" else host, port),
                ready=ready,
            )
        except WebServerEnded as ended:
            raise CommandError(str(ended)) from ended

    def _parts(self, options: dict[str, Any]) -> list[ServerProcess]:
        parts = [
            web_part(
                options["host"],
                options["port"],
                workers=options["workers"],
                threads=options["threads"],
            )
        ]
        if settings.CELERY_BROKER_URL == "filesystem://" or options["with_worker"]:
            clock = clock_part(settings.LOG_LEVEL, settings.VAR_DIR / "beat")
            parts += [worker_part(settings.LOG_LEVEL), clock]
        else:
            self._say(
                "With Redis the worker and the clock run on their own: `celery -A config worker`, "
                "`celery -A config beat`; or give --with-worker"
            )
        return parts

    def _say(self, sentence: str) -> None:
        self.stdout.write(sentence)
        self.stdout.flush()
