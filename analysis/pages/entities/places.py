"""Places of a study: one for each submission that a task needs, with its worker."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q, QuerySet
from django.utils.translation import gettext

from analysis.pages.entities.assignments import LISTING as WORKS
from analysis.pages.entities.names import task_name
from annotation.lists import BY_PERSON, ListColumn, ListFilter, RecordList, by_number
from annotation.models import Assignment, Place, Study
from annotation.texts.sentences import marked

BUSY = Q(assignment__state__in=Assignment.HOLDING)
# As the overview counts them (annotation.studies.progress).
STATES = {
    "done": (marked("done"), Q(assignment__state__in=Assignment.COUNTING)),
    "at-work": (marked("in progress"), Q(assignment__state__in=Assignment.LIVE)),
    "free": (marked("free"), Q(assignment=None) | ~BUSY),
}
NAMES = {value: words for value, (words, _) in STATES.items()}


@dataclass(frozen=True)
class PlaceRow:
    """Place in a list; `work` is its assignment, None where it is free."""

    place: Place
    name: str
    work: Assignment | None


def places_of(study: Study) -> "QuerySet[Place]":
    """Return the places of a study, in the order of batches and tasks."""
    rows = Place.objects.filter(task__batch__study=study)
    rows = rows.select_related("task__batch", "assignment__worker")
    if study.kind == Study.Kind.WRITING:
        rows = rows.select_related("task__writing_task__topic")
    return rows.order_by("task__batch__number", "task__number", "pk")


def shown(study: Study, places: Sequence[Place]) -> list[PlaceRow]:
    rows = []
    for place in places:
        work = place.assignment
        holds = work is not None and work.state in Assignment.HOLDING
        rows.append(PlaceRow(place, task_name(study, place.task), work if holds else None))
    return rows


def _state(_: Study, value: str) -> Q:
    return STATES[value][1] if value in STATES else Q(pk=None)


_task = by_number("task")


def _task_said(study: Study, value: str) -> str:
    place = places_of(study).filter(_task(study, value)).first()
    return task_name(study, place.task) if place else value


_of_works = {work_filter.name: work_filter for work_filter in WORKS.filters}
LISTING = RecordList(
    key="places",
    title=marked("Places"),
    rows=places_of,
    shown=shown,
    columns=lambda _: [
        ListColumn(gettext("Task")),
        ListColumn(gettext("Batch")),
        ListColumn(gettext("State")),
        ListColumn(gettext("Participant")),
    ],
    filters=(
        ListFilter("state", marked("State"), _state, NAMES, NAMES),
        ListFilter("task", marked("Task"), _task, _task_said),
        *(_of_works[name] for name in ("topic", "batch", "style", "arm")),
    ),
    search_in=("assignment__worker__pseudonym",),
    search_hint=BY_PERSON,
    search_ids=("assignment__worker__external_hash", "assignment__session_hash"),
)
