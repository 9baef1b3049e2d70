"""Tasks of a study, with their places and how many of these are done."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext

from analysis.pages.entities.names import task_name
from analysis.pages.entities.places import LISTING as PLACES
from annotation.lists import ListColumn, ListFilter, RecordList, by_number
from annotation.models import Assignment, Study, Task
from annotation.texts.sentences import marked


@dataclass(frozen=True)
class TaskRow:
    task: Task
    name: str
    places: int
    done: int


def tasks_of(study: Study) -> "QuerySet[Task]":
    """Return the tasks of a study, in the order of batches."""
    rows = Task.objects.filter(batch__study=study).select_related("batch")
    if study.kind == Study.Kind.WRITING:
        rows = rows.select_related("writing_task__topic")
    return rows.order_by("batch__number", "number")


def shown(study: Study, tasks: Sequence[Task]) -> list[TaskRow]:
    counting = Q(places__assignment__state__in=Assignment.COUNTING)
    rows = Task.objects.filter(pk__in=[task.pk for task in tasks]).order_by()
    rows = rows.annotate(places_in_all=Count("places"), done=Count("places", filter=counting))
    counts = rows.values_list("pk", "places_in_all", "done")
    counts_by_task = {pk: (places, done) for pk, places, done in counts}
    return [TaskRow(task, task_name(study, task), *counts_by_task[task.pk]) for task in tasks]


_batch = by_number("batch__number", digits=8)
_of_places = {place_filter.name: place_filter for place_filter in PLACES.filters}
LISTING = RecordList(
    key="tasks",
    title=marked("Tasks"),
    rows=tasks_of,
    shown=shown,
    columns=lambda _: [
        ListColumn(gettext("Task"), "number"),
        ListColumn(gettext("Batch"), "batch__number"),
        ListColumn(gettext("Done"), number=True),
        ListColumn(gettext("Places"), number=True),
    ],
    filters=(ListFilter("batch", marked("Batch"), _batch, _of_places["batch"].label),),
)
