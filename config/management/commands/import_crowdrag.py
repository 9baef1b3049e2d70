"""`python manage.py import_crowdrag DIR`: import the Crowd RAG Corpus 2025 and its studies."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from tqdm import tqdm

from annotation.corpora.crowdrag import HUMAN, BadCorpus
from annotation.corpora.crowdrag_importing import CORPUS, CrowdragReport, Step
from annotation.corpora.importing import ImportRefused
from annotation.management.owners import add_owner_option, owners_of
from annotation.models import Corpus, Study
from annotation.people.access import sharing
from config import memory
from judging.crowdrag.importing import STUDY as JUDGING
from judging.crowdrag.importing import import_judging_study
from judging.crowdrag.model_importing import import_model_raters
from writing.studies.crowdrag_importing import STUDY as WRITING
from writing.studies.crowdrag_importing import CorpusLogs, import_writing_study


class Command(BaseCommand):
    help = (
        "Import the Crowd RAG Corpus 2025 (Gienapp et al., SIGIR 2025): topics, passages and "
        f"responses as corpus crowdrag25, its judging study as {JUDGING}, and its writing study, "
        f"with the history of every text, as {WRITING}. If the folder contains "
        "llm_ratings.jsonl.gz, the paper's LLM is imported as two raters. A repeated import "
        "changes nothing."
    )

    requires_system_checks = ["models"]  # that of the addresses would import every page

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "folder", type=Path, metavar="DIR", help="folder with the files of the corpus"
        )
        only = parser.add_mutually_exclusive_group()
        only.add_argument(
            "--judging-only", action="store_true", help="import only the judging study"
        )
        only.add_argument(
            "--writing-only", action="store_true", help="import only the writing study"
        )
        add_owner_option(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        folder: Path = options["folder"]
        owners = owners_of(options["owner"])
        bars = _Bars(folder)
        try:
            with memory.uncollected(), transaction.atomic():
                for report in _import(folder, options, bars.step):
                    self._tell(report)
                for made in (
                    *Corpus.objects.filter(slug=CORPUS),
                    *Study.objects.filter(slug__in=[JUDGING, WRITING]),
                ):
                    sharing.begin(of=made, owners=owners)
        except BadCorpus as error:
            raise CommandError(str(error)) from error
        except ImportRefused as refusal:
            lines = [str(refusal), *map(str, refusal.report.bad_lines)]
            raise CommandError("\n".join(lines)) from refusal
        finally:
            bars.close()

    def _tell(self, report: CrowdragReport) -> None:
        for kind in sorted({*report.added, *report.unchanged}):
            added, unchanged = report.added[kind], report.unchanged[kind]
            self.stdout.write(f"{kind}: {added:,} added, {unchanged:,} unchanged")
        for note in report.notes:
            self.stdout.write(f"note: {note}")


def _import(folder: Path, options: dict[str, Any], step: Step) -> list[CrowdragReport]:
    """Both studies, or the one that is asked for; the judging study first."""
    reports = []
    logs = None if options["judging_only"] else CorpusLogs()
    if not options["writing_only"]:
        note = logs.note if logs else None
        reports.append(import_judging_study(folder=folder, step=step, note=note))
        study = Study.objects.get(slug=JUDGING)
        reports.append(import_model_raters(study=study, folder=folder))
    if logs is not None:
        reports.append(import_writing_study(folder=folder, step=step, logs=logs))
    return reports


class _Bars:
    """A progress bar for each thing that is being done, on a terminal."""

    def __init__(self, folder: Path) -> None:
        snapshots = folder / HUMAN
        size = snapshots.stat().st_size if snapshots.is_file() else 0
        self._total = {"snapshots": size, "questionnaires": 450, "texts": 903, "measures": 903}
        self._bars: dict[str, tqdm[Any]] = {}

    def step(self, kind: str, n: int) -> None:
        if kind not in self._bars:
            self._bars[kind] = tqdm(total=self._total[kind], desc=kind, disable=None, leave=False)
        self._bars[kind].update(n)

    def close(self) -> None:
        for bar in self._bars.values():
            bar.close()
