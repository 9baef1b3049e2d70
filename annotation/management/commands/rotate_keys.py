"""`python manage.py rotate_keys`: re-encrypt personal data with a new PSEUDONYM_KEY."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.fieldwork.recruiting.rotating_keys import rotate
from annotation.refusals import Refusal


class Command(BaseCommand):
    help = "Re-encrypt personal data after PSEUDONYM_KEY changed. Stop the server first."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--old-key-file", type=Path, required=True, help="file with the previous key"
        )

    def handle(self, *, old_key_file: Path, **options: Any) -> None:
        try:
            old = old_key_file.read_text().strip()
        except (OSError, UnicodeDecodeError) as error:
            raise CommandError(f"Can't read the old key: {error}") from error
        try:
            done = rotate(old=old)
        except Refusal as error:
            raise CommandError(str(error)) from error
        self.stdout.write(
            "Re-encrypted: " + ", ".join(f"{n} {noun}" for noun, n in done.items()) + "."
        )
