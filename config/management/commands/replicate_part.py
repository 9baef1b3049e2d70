"""`manage.py replicate_part PART DATA FOLDER`: one half of `replicate`, which starts it.

It fills the configured database, so it asks for one that is its own: an SQLite file in FOLDER.
"""

import json
from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from analysis.replication import study_replication
from annotation.corpora.crowdrag import BadCorpus
from annotation.corpora.importing import ImportRefused


class Command(BaseCommand):
    help = "Internal: one half of `replicate`, in its temporary database."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("part", choices=sorted(study_replication.PARTS))
        parser.add_argument("data", type=Path)
        parser.add_argument("folder", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        folder: Path = options["folder"]
        database = Path(settings.DATABASES["default"]["NAME"])
        if database.parent != folder or database.exists():
            raise CommandError(f"{database} is not a temporary database in {folder}.")
        try:
            results = study_replication.run(options["part"], options["data"], self._tell)
        except BadCorpus as error:
            raise CommandError(str(error)) from error
        except ImportRefused as refusal:
            lines = [str(refusal), *map(str, refusal.report.bad_lines[:3])]
            raise CommandError(" ".join(lines)) from refusal
        (folder / "found.json").write_text(json.dumps(asdict(results)))

    def _tell(self, share: float) -> None:
        self.stdout.write(f"{share:.3f}")
        self.stdout.flush()
