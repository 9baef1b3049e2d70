"""`python manage.py import_crowdrag DIR`: the Crowd RAG Corpus 2025 and its judging study."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from annotation.importing import ImportRefused
from judging.crowdrag import HUMAN, BadCorpus
from judging.crowdrag_importing import STUDY, import_judging_study


class Command(BaseCommand):
    help = (
        "Imports the Crowd RAG Corpus 2025 (Gienapp et al., SIGIR 2025) from a folder: topics, "
        "passages and responses as the corpus crowdrag25, and the judging study with its workers, "
        f"questionnaires, assignments and votes as the study {STUDY}. Run again, it changes "
        "nothing."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path, metavar="DIR", help="the folder of its files")

    def handle(self, *args: Any, **options: Any) -> None:
        folder: Path = options["folder"]
        snapshots = folder / HUMAN
        total = {
            "snapshots": snapshots.stat().st_size if snapshots.is_file() else 0,
            "questionnaires": 450,
        }
        bars: dict[str, tqdm[Any]] = {}

        def step(what: str, n: int) -> None:
            if what not in bars:
                bars[what] = tqdm(total=total[what], desc=what, disable=None, leave=False)
            bars[what].update(n)

        try:
            report = import_judging_study(folder=folder, step=step)
        except BadCorpus as error:
            raise CommandError(str(error)) from error
        except ImportRefused as refusal:
            lines = [str(refusal), *map(str, refusal.report.bad_lines)]
            raise CommandError("\n".join(lines)) from refusal
        finally:
            for bar in bars.values():
                bar.close()
        for kind in sorted({*report.added, *report.unchanged}):
            added, unchanged = report.added[kind], report.unchanged[kind]
            self.stdout.write(f"{kind}: {added:,} added, {unchanged:,} unchanged")
        for note in report.notes:
            self.stdout.write(f"note: {note}")
