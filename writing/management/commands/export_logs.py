"""`python manage.py export_logs STUDY --out DIR --format idfx`: the logs of submitted texts."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.collecting import events_of
from annotation.eventlog import Event
from annotation.models import Assignment, Study
from writing import exports
from writing.replay import BrokenLog

ENDINGS = {"jsonl": "jsonl", "idfx": "idfx", "bigbro": "csv", "snapshots": "jsonl"}


class Command(BaseCommand):
    help = "Writes a file for each submitted text of the newest version of a study."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", help="slug of the study")
        parser.add_argument("--out", type=Path, required=True, help="a folder")
        parser.add_argument("--format", choices=list(ENDINGS), default="jsonl")
        parser.add_argument(
            "--interval", type=int, default=300, metavar="MS", help="between two snapshots"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        study = Study.objects.latest_versions().filter(slug=options["study"]).first()
        if study is None:
            raise CommandError(f"There is no study {options['study']}.")
        if options["interval"] < 1:
            raise CommandError("--interval must be at least 1 ms.")
        out: Path = options["out"]
        out.mkdir(parents=True, exist_ok=True)
        works = study.assignments.filter(submitted_at__isnull=False, writing__isnull=False)
        works = works.exclude(state=Assignment.State.WITHDRAWN)
        done = 0
        for work in works.select_related("worker", "study", "task__writing_task__topic"):
            name = f"{study.slug}-{work.pk}"
            try:
                text = _exported(work, name, options["format"], options["interval"])
            except BrokenLog as error:
                self.stderr.write(f"{name} is left out: {error}")
                continue
            path = out / f"{name}.{ENDINGS[options['format']]}"
            path.write_text(text, encoding="utf-8", newline="")
            done += 1
        self.stdout.write(f"{done} logs in {out}")


def _exported(work: Assignment, name: str, kind: str, interval: int) -> str:
    events: list[Event] = events_of(work)
    if kind == "jsonl":
        return exports.jsonl(events)
    if kind == "bigbro":
        return exports.bigbro(events, actor=work.worker.pseudonym)
    if kind == "idfx":
        session = {"participant": work.worker.pseudonym, "text": name}
        return exports.idfx(events, session=session)
    task = work.task.writing_task
    rows = exports.snapshots(
        events,
        response=name,
        topic=task.topic.key,
        style=task.style,
        begin=round(work.started_at.timestamp() * 1000) if work.started_at else 0,
        interval=interval,
    )
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
