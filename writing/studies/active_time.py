"""Active time of writers, measured from their logs. Only reads."""

from collections.abc import Collection

from django.dispatch import receiver

from annotation import signals
from annotation.models import Study
from annotation.studies.wages import ActiveTime
from writing.models import ProcessRecord


@receiver(signals.active_times)
def active_times(
    *, study: Study, only: Collection[int] | None = None, **_: object
) -> dict[int, ActiveTime] | None:
    """Active time as docs/methods/process.md has it; of what was not measured nothing is known."""
    if study.kind != Study.Kind.WRITING:
        return None
    records = ProcessRecord.objects.filter(writing__assignment__study=study, fault="")
    if only is not None:
        records = records.filter(writing__assignment__in=only)
    minutes = records.values_list("writing__assignment", "values__active_minutes")
    return {pk: ActiveTime(60 * record[0]) for pk, record in minutes if record and record[0]}
