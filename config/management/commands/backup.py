"""`python manage.py backup`: write everything of this installation into one archive."""

from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from time import sleep
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import Error, connection

from config.backups import BackupFailed, making


class Command(BaseCommand):
    help = "Back up the database and uploads into one archive, without the keys."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("target", type=Path, help="folder, or a file that doesn't exist yet")
        parser.add_argument("--keep", type=int, help="delete all but the newest N in the folder")
        parser.add_argument(
            "--daily", metavar="HH:MM", help="keep running, one backup a day at this time (UTC)"
        )

    def handle(self, *, target: Path, keep: int | None, daily: str | None, **options: Any) -> None:
        if (keep is not None or daily) and not target.is_dir():
            raise CommandError("--keep and --daily need a folder.")
        if keep is not None and keep < 1:
            raise CommandError("--keep must be at least 1.")
        if daily is None:
            try:
                self._back_up(target, keep)
            except BackupFailed as error:
                raise CommandError(str(error)) from error
            return
        try:
            at = time.fromisoformat(daily)
        except ValueError as error:
            raise CommandError("--daily must be a time such as 02:30.") from error
        while True:
            now = datetime.now(UTC)
            due = datetime.combine(now.date(), at, UTC)
            sleep((due + timedelta(days=due <= now) - now).total_seconds())
            try:
                self._back_up(target, keep)
            except (BackupFailed, Error) as error:  # tomorrow's may succeed
                self.stderr.write(f"No backup was made: {error}")
            connection.close()

    def _back_up(self, target: Path, keep: int | None) -> None:
        file, manifest = making.make(target=target, now=datetime.now(UTC))
        rows = sum(table.rows for table in manifest.tables.values())
        megabytes = file.stat().st_size / 1e6
        self.stdout.write(
            f"{file}: {rows:,} rows, {len(manifest.files) - 1} files of uploads, "
            f"{megabytes:,.1f} MB."
        )
        if keep:
            self.stdout.write(f"{making.prune(target, keep=keep)} older backups deleted.")
