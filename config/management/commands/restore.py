"""`python manage.py restore`: restore a backup into an empty installation."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.fieldwork.consenting import repeating_withdrawals
from config.backups import BackupFailed, restoring


class Command(BaseCommand):
    help = "Restore a backup into an empty installation, while web, worker and beat are stopped."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("archive", type=Path, help="file written by `backup`")
        parser.add_argument(
            "--new-secret-key",
            action="store_true",
            help=(
                "accept another SECRET_KEY: personal links stop working, and everyone signs in "
                "again"
            ),
        )

    def handle(self, *, archive: Path, new_secret_key: bool, **options: Any) -> None:
        try:
            manifest, pending = restoring.restore(source=archive, is_secret_key_new=new_secret_key)
        except BackupFailed as error:
            raise CommandError(str(error)) from error
        rows = sum(table.rows for table in manifest.tables.values())
        self.stdout.write(
            f"Restored {rows:,} rows in {len(manifest.tables)} tables, as of {manifest.made_at}; "
            "counts and digests match."
        )
        if pending:
            self.stdout.write(
                f"The backup is of version {manifest.version}: run `manage.py upgrade` "
                f"({pending} migrations) before you start the server. It also repeats withdrawals."
            )
        else:
            repeated = repeating_withdrawals.repeat()
            self.stdout.write(f"Withdrawn since the backup and erased again: {repeated}.")
        self.stdout.write("Compare payments on Prolific (guide: Back up and restore).")
