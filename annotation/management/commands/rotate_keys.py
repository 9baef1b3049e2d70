"""Brings platform ids, personal addresses and what recognises people to a new PSEUDONYM_KEY."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.fieldwork.recruiting.rotating_keys import rotate
from annotation.refusals import Refusal


class Command(BaseCommand):
    help = "After a change of PSEUDONYM_KEY, with the server stopped: seal everything with it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--old-key-file", type=Path, required=True, help="the key before")

    def handle(self, *, old_key_file: Path, **options: Any) -> None:
        try:
            old = old_key_file.read_text().strip()
        except (OSError, UnicodeDecodeError) as error:
            raise CommandError(f"The old key cannot be read: {error}") from error
        try:
            done = rotate(old=old)
        except Refusal as error:
            raise CommandError(str(error)) from error
        self.stdout.write(
            ", ".join(f"{n} {noun}" for noun, n in done.items()) + " have the new key."
        )
