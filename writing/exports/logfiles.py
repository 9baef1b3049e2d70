"""The logs of a study's submitted texts as files, in one of the formats. Only reads."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from annotation.models import Assignment, Study
from annotation.texts.translation import translated_error
from writing.exports import formats
from writing.exports.idfx import idfx
from writing.log.collecting import events_of
from writing.process.replay import BrokenLog

# Format -> the ending of its files.
ENDINGS = {"jsonl": "jsonl", "idfx": "idfx", "bigbro": "csv", "snapshots": "jsonl"}
INTERVAL = 300  # ms between two snapshots


@dataclass(frozen=True)
class LogFile:
    """A file, or (`fault`) why there is none of this text."""

    name: str
    text: str = ""
    fault: str = ""


def log_files(study: Study, kind: str, *, interval: int = INTERVAL) -> Iterator[LogFile]:
    """Yield a file for each submitted text, except for writers who withdrew."""
    works = study.assignments.filter(submitted_at__isnull=False, writing__isnull=False)
    works = works.exclude(state=Assignment.State.WITHDRAWN).order_by("pk")
    for work in works.select_related("worker", "study", "task__writing_task__topic"):
        name = f"{study.slug}-{work.pk}"
        try:
            text = _exported(work, name, kind, interval)
        except BrokenLog as error:
            yield LogFile(name, fault=translated_error(error))
        else:
            yield LogFile(f"{name}.{ENDINGS[kind]}", text)


def _exported(work: Assignment, name: str, kind: str, interval: int) -> str:
    events = events_of(work)
    if kind == "jsonl":
        return formats.jsonl(events)
    if kind == "bigbro":
        return formats.bigbro(events, actor=work.worker.pseudonym)
    if kind == "idfx":
        session = {
            "Participant": work.worker.pseudonym,
            "Text Language": work.study.language,
            "Session": name,
        }
        return idfx(events, session=session, begin=_begin(work))
    task = work.task.writing_task
    rows = formats.snapshots(
        events,
        response=name,
        topic=task.topic.key,
        style=task.style,
        begin=round(_begin(work).timestamp() * 1000),
        interval=interval,
    )
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _begin(work: Assignment) -> datetime:
    return work.started_at or datetime.fromtimestamp(0, UTC)
