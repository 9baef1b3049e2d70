"""`python manage.py import_writing_backup FILE`: what a writer's browser could not send."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from writing.log import backups
from writing.review import restoring


class Command(BaseCommand):
    help = (
        "Takes the backup file that a writer downloaded while the server was gone into the log of "
        "the assignment that it names. Run again, it changes nothing."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--submit", action="store_true", help="hand in the text of the file, too"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            with options["file"].open("rb") as file:
                backup = backups.read(file.read(backups.MOST_BYTES + 1))
            restored = restoring.restore(
                backup=backup, now=timezone.now(), submit=options["submit"]
            )
        except OSError as error:
            raise CommandError(f"{options['file']} cannot be read: {error.strerror}.") from error
        except (backups.BadBackup, restoring.CannotRestore) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{restored.assignment}")
        for sentence in restoring.sentences(restored):
            self.stdout.write(sentence)
