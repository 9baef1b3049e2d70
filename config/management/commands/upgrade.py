"""`python manage.py upgrade`: migrate the database, behind a maintenance page if need be."""

import time
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandParser
from django.db import connection

from annotation.fieldwork.consenting import repeating_withdrawals
from annotation.models import ServiceMark
from config import maintenance
from config.migration_kinds import pending

DRAIN = 5.0  # seconds in which each process sees the mark and ends the requests that it has


class Command(BaseCommand):
    help = (
        "Apply the migrations of this release. Online migrations run while people work; during "
        "offline ones, web processes show a maintenance page until they run this release."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--plan", action="store_true", help="only list the pending migrations")

    def handle(self, *, plan: bool, **options: Any) -> None:
        steps = pending()
        offline = [step for step in steps if not step.is_online]
        for step in steps:
            self.stdout.write(f"{'online ' if step.is_online else 'offline'}  {step.name}")
        if not steps:
            self.stdout.write("The database is up to date.")
        elif offline:
            self.stdout.write(f"{len(offline)} of {len(steps)} migrations need a maintenance page.")
        else:
            self.stdout.write(f"{len(steps)} migrations run while people work.")
        if plan:
            return
        has_marks = ServiceMark._meta.db_table in connection.introspection.table_names()
        is_behind_page = bool(offline) and has_marks
        if is_behind_page:
            maintenance.begin()
            time.sleep(DRAIN)
        # If it fails, the page stays: run `upgrade` again.
        call_command("migrate", interactive=False, verbosity=0)
        if is_behind_page:
            maintenance.end(was_offline=True)
        elif steps:
            maintenance.end(was_offline=False)
        else:
            self._end_interrupted()
        # Of an older backup that was restored before.
        if repeated := repeating_withdrawals.repeat():
            self.stdout.write(f"Withdrawn since the backup and erased again: {repeated}.")

    def _end_interrupted(self) -> None:
        """End the page of an upgrade that was killed after its last migration."""
        ServiceMark.objects.filter(name=maintenance.MARK, value=maintenance.CHANGING).update(
            value=maintenance.release()
        )
