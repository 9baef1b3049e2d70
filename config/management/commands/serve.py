"""`python manage.py serve`: run web server and worker until Ctrl-C."""

import os
from argparse import ArgumentParser
from functools import partial
from importlib import import_module
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection, connections

from config.accounts import setting_up
from config.processes import accepts, check_port, is_loopback
from config.serving import (
    FORKS,
    ServerProcess,
    Supervisor,
    WebServerEnded,
    clock_part,
    web_part,
    worker_part,
)

NO_PROXY = (
    "Other computers can reach {host}, and no proxy protects this server: 40 slow connections "
    "could block every page. Listen on 127.0.0.1, or use a proxy that buffers requests (see "
    "docker-compose.yml and nginx.conf) and set BEHIND_PROXY=1."
)


class Command(BaseCommand):
    help = (
        "Run the web server and, in embedded mode (BROKER_URL=filesystem://), the worker and the "
        "scheduler. Ctrl-C stops them."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--host", default="127.0.0.1", help="address to listen on (default: 127.0.0.1)"
        )
        parser.add_argument("--port", type=int, default=8000, help="default: 8000")
        parser.add_argument(
            "--workers", type=int, default=1, help="web server processes (default: 1)"
        )
        parser.add_argument(
            "--threads", type=int, default=4, help="threads per process (default: 4)"
        )
        parser.add_argument("--no-migrate", action="store_true", help="skip database migrations")
        parser.add_argument(
            "--with-worker",
            action="store_true",
            help="with Redis, also run a worker and the scheduler",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        host, port = options["host"], options["port"]
        try:
            check_port(host, port)
        except OSError as error:
            raise CommandError(
                f"Port {port} of {host} isn't available ({error.strerror}). "
                "Choose another with --port."
            ) from error
        if not is_loopback(host) and not settings.PROXIES:
            raise CommandError(NO_PROXY.format(host=host))
        if not options["no_migrate"]:
            self._say("Preparing the database…")
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
            ready += f"\nCreate the first account: {first}"
        if FORKS:
            self._load(address)
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

    def _load(self, address: str) -> None:
        """Import what web server and worker need, once for both."""
        if "PUBLIC_URL" not in os.environ:
            settings.PUBLIC_URL = address
            settings.CSRF_TRUSTED_ORIGINS = [address]
        try:
            import_module("config.wsgi")
        except ImproperlyConfigured as error:
            raise CommandError(str(error)) from error
        connections.close_all()

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
                "With Redis, start the worker and the scheduler yourself (`celery -A "
                "config worker`, `celery -A config beat`), or add --with-worker."
            )
        return parts

    def _say(self, sentence: str) -> None:
        self.stdout.write(sentence)
        self.stdout.flush()
