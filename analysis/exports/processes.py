"""Export of how each text was written: one row a text with measures, flags and views."""

from collections.abc import Iterator
from typing import Any

from django.db.models import QuerySet

from analysis.exports.encodings import Row
from analysis.exports.sources import Source
from analysis.inputs import judged
from annotation.models import Assignment
from writing.models import ProcessRecord
from writing.process.meanings import MEANINGS
from writing.review.publishing import key_of

COLUMNS = ("text", "worker", "topic", "style", "state", "verdict", "measures", "fault", "flags")


def processes(source: Source) -> Iterator[Row]:
    """Return the texts that were submitted and not rejected, by time of submission."""
    works = _works(source)
    for pks in judged.chunks(works.order_by("submitted_at", "pk"), source.step):
        found = {
            work.pk: work
            for work in works.filter(pk__in=pks).select_related(
                "study", "worker", "task__writing_task__topic", "writing__process"
            )
        }
        yield from (_row(found[pk]) for pk in pks if pk in found)


def _works(source: Source) -> QuerySet[Assignment]:
    return Assignment.objects.counting().filter(study=source.study, writing__isnull=False)


def _row(work: Assignment) -> Row:
    record: ProcessRecord | None = getattr(work.writing, "process", None)
    task = work.task.writing_task
    values: dict[str, Any] = record.values if record else {}
    flags = record.flags if record else []
    fault = record.fault if record else "This text is not measured yet."
    row: Row = {
        "text": key_of(work),
        "worker": work.worker.pseudonym,
        "topic": task.topic.key,
        "style": task.style,
        "state": work.state,
        "verdict": work.writing.verdict,
        "measures": record.version if record else None,
        "fault": fault,
        "flags": flags,
    }
    row |= {name: values.get(name, (None, None))[0] for name in MEANINGS}
    return row | {"viewed": record.viewed if record else {}}


def columns(source: Source) -> tuple[str, ...]:
    return (*COLUMNS, *MEANINGS, "viewed")


def in_cells(row: Row) -> Iterator[Row]:
    """The row as a CSV has it: the kinds of its flags, and seconds by passage."""
    flags = ";".join(f"{flag['kind']}={flag['value']:.6g}" for flag in row["flags"])
    viewed = ";".join(f"{passage}={seconds}" for passage, seconds in row["viewed"].items())
    yield row | {"flags": flags, "viewed": viewed}
