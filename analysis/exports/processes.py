"""Rows of the writing process: one per text, with measures, flags and views."""

from collections.abc import Iterator
from typing import Any

from django.db.models import QuerySet

from analysis.exports.encodings import Row
from analysis.exports.export_column import NUMBER, STYLE, TEXT, TOPIC, WHOLE, WRITER, ExportColumn
from analysis.exports.source import ExportSource
from analysis.inputs import judged_items
from annotation.models import Assignment
from writing.models import ProcessRecord
from writing.process.meanings import MEANINGS
from writing.review.publishing import key_of

EXAMPLES = {
    "active_minutes": "10.9",
    "typing_pace": "43.8",
    "copy_pace": "52.1",
    "typed_share": "0.62",
    "elsewhere": "0",
}
PROCESSES = (
    ExportColumn(
        "text", TEXT, "which-heat-17",
        "key of the text; once accepted, key of its response",
    ),
    WRITER,
    TOPIC,
    STYLE,
    ExportColumn("state", TEXT, "accepted", "submitted or accepted"),
    ExportColumn(
        "verdict", TEXT, "equal",
        "whether the log rebuilds the text: equal, differs or incomplete",
    ),
    ExportColumn(
        "measures", WHOLE, "5",
        "version of the measures; before version 3, compositions counted as deleted and typed "
        "again",
    ),
    ExportColumn("fault", TEXT, "", "reason that the log could not be measured; else empty"),
    ExportColumn(
        "flags", "list of objects (text in CSV)", "pace=104.2",
        "measures beyond a limit; evidence, not a verdict. JSONL: kind, value, unit, limit and "
        "points (event and ms); CSV: kind=value, separated by semicolons",
        guide=(
            "measures beyond a limit: kind, value, unit, limit and points (event and ms); in CSV "
            "kind=value, separated by semicolons"
        ),
    ),
    *(
        ExportColumn(key, NUMBER, EXAMPLES.get(key, ""), meaning)
        for key, meaning in MEANINGS.items()
    ),
    ExportColumn(
        "viewed", "object (text in CSV)", "0=41.2;3=12.5",
        "seconds that each passage was visible, by passage number from 0. JSONL: an object; "
        "CSV: passage=seconds, separated by semicolons",
        guide=(
            "seconds that each passage was visible, by passage number from 0; in CSV "
            "passage=seconds, separated by semicolons"
        ),
    ),
)  # fmt: skip


def processes(source: ExportSource) -> Iterator[Row]:
    """Yield one row per submitted and not rejected text, by time of submission."""
    works = _works(source)
    for pks in judged_items.chunks(works.order_by("submitted_at", "pk"), source.step):
        record_by_pk = {
            work.pk: work
            for work in works.filter(pk__in=pks).select_related(
                "study", "worker", "task__writing_task__topic", "writing__process"
            )
        }
        yield from (_row(record_by_pk[pk]) for pk in pks if pk in record_by_pk)


def _works(source: ExportSource) -> QuerySet[Assignment]:
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


def in_cells(row: Row) -> Iterator[Row]:
    """Yield the row of the CSV: flags by kind, and seconds by passage."""
    flags = ";".join(f"{flag['kind']}={flag['value']:.6g}" for flag in row["flags"])
    viewed = ";".join(f"{passage}={seconds}" for passage, seconds in row["viewed"].items())
    yield row | {"flags": flags, "viewed": viewed}
