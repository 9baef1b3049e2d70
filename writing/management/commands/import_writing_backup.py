"""`python manage.py import_writing_backup FILE`: import a backup of a writer's browser."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.clock import database_now
from writing.log import backups
from writing.review import restoring


class Command(BaseCommand):
    help = (
        "Import a backup file that a writer downloaded while the server was unreachable into the "
        "log of its assignment. A repeated import changes nothing."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="backup file of a writer")
        parser.add_argument("--submit", action="store_true", help="also submit the text")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            with options["file"].open("rb") as file:
                backup = backups.read(file.read(backups.MOST_BYTES + 1))
            restored = restoring.restore(
                backup=backup, now=database_now(), submit=options["submit"]
            )
        except OSError as error:
            raise CommandError(f"Can't read {options['file']}: {error.strerror}.") from error
        except (backups.BadBackup, restoring.CannotRestore) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{restored.assignment}")
        for sentence in restoring.sentences(restored):
            self.stdout.write(sentence)
