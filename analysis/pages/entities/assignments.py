"""Assignments of a study, with their workers and states."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.db.models import Count, F, Q, QuerySet
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.formats import date_format
from django.utils.translation import gettext

from analysis.pages.entities.flags import Standard, marks_of
from analysis.pages.entities.names import work_name
from annotation.lists import BY_PERSON, ListColumn, ListFilter, RecordList, by_number
from annotation.models import Assignment, Batch, ReviewDecision, Study
from annotation.studies.active_time import active_times
from annotation.texts.sentences import marked
from judging.models import Judgment
from writing.models import Writing
from writing.review import terms
from writing.review.progress import in_range, texts_of

State = Assignment.State
# As the queue and the overview call them.
SAID = {
    State.SUBMITTED.value: marked("waiting"),
    State.ACTIVE.value: marked("in progress"),
    State.EXPIRED.value: marked("timed out"),
}
YEARS = range(1970, 9001)  # that databases know in every time zone
HELD_PLACE = Q(place__isnull=False)
# What a page counts that is no single state -> how it is called, and which assignments it is.
COUNTED = {
    "saved": (
        marked("with saved work"),
        Q(worked_at__isnull=False) | Q(submitted_at__isnull=False),
    ),
    "handed-in": (marked("submitted"), Q(submitted_at__isnull=False)),
    "done": (marked("done"), HELD_PLACE & Q(state__in=Assignment.COUNTING)),
    "at-work": (marked("in progress"), HELD_PLACE & Q(state__in=Assignment.LIVE)),
    "working": (marked("in progress"), Q(state__in=Assignment.LIVE)),
    "texts": (
        marked("with a submitted text"),
        Q(state__in=Assignment.HANDED_IN, writing__isnull=False),
    ),
    "counting": (marked("counted in analyses"), Q(state__in=Assignment.COUNTING)),
    "decided-on": (marked("approved or rejected"), Q(state__in=[State.ACCEPTED, State.REJECTED])),
    "kept": (marked("submitted and not withdrawn"), Q(state__in=Assignment.HANDED_IN)),
    "left": (
        marked("returned, timed out or withdrawn"),
        Q(state__in=[State.RETURNED, State.EXPIRED, State.WITHDRAWN]),
    ),
}
MEASURED = {
    "paid": marked("known (paid submissions)"),
    "untimed": marked("unknown (paid submissions)"),
}
SIGNED = {
    "yes": marked("signed Prolific link"),
    "no": marked("unsigned Prolific link"),
}
RECORDS = {
    "equal": marked("the log matches the text"),
    "differs": marked("the log doesn't match the text"),
    "incomplete": marked("the log is incomplete"),
}


@dataclass(frozen=True)
class ListedAssignment:
    """Assignment in a list; `answers` is None where none are counted."""

    work: Assignment
    name: str
    active: float | None  # seconds
    answers: int | None
    marks: int
    last: ReviewDecision | None


def works_of(study: Study) -> "QuerySet[Assignment]":
    """Return the assignments of a study, the newest first."""
    rows = Assignment.objects.filter(study=study).select_related("worker", "task__batch", "tester")
    if study.kind == Study.Kind.WRITING:
        rows = rows.select_related("task__writing_task__topic", "writing__process")
    else:
        rows = rows.select_related("examination", "agreement_with_others")
    return rows.order_by("-pk")


def shown(study: Study, works: Sequence[Assignment]) -> list[ListedAssignment]:
    """Return the rows of assignments, with a constant number of queries."""
    pks = [work.pk for work in works]
    active = active_times(study, only=pks)
    answers = answers_of(pks) if study.kind == Study.Kind.JUDGING else {}
    last, standard = last_decisions(pks), Standard.of(study)
    rows = []
    for work in works:
        work.study = study
        time = active.get(work.pk)
        rows.append(
            ListedAssignment(
                work,
                work_name(work),
                time.seconds if time and time.seconds else None,
                answers.get(work.pk, 0) if study.kind == Study.Kind.JUDGING else None,
                len(marks_of(work, standard)),
                last.get(work.pk),
            )
        )
    return rows


def answers_of(works: Sequence[int]) -> dict[int, int]:
    """Return the number of answers of each assignment, in whatever state."""
    given = Judgment.objects.filter(assignment__in=works, item__check_of=None)
    given = given.exclude(raw="").order_by()
    return dict(given.values_list("assignment").annotate(n=Count("pk")))


def last_decisions(works: Sequence[int]) -> dict[int, ReviewDecision]:
    rows = ReviewDecision.objects.filter(assignment__in=works).order_by("pk")
    return {row.assignment_id: row for row in rows}


def _state(study: Study, value: str) -> Q:
    if value in COUNTED:
        return COUNTED[value][1]
    timed = Q(state__in=Assignment.COUNTING, submitted_at__gt=F("started_at"))
    if value == "timed":
        return timed
    if value == "fast":
        least = timedelta(seconds=study.minimum_seconds)
        return timed & Q(submitted_at__lt=F("started_at") + least)
    if value == "paid":
        return Q(pk__in=Assignment.objects.filter(study=study).paid().values("pk"))
    return Q(state=value)


def _state_said(_: Study, value: str) -> str:
    others = {
        "timed": gettext("submitted with known duration"),
        "fast": gettext("submitted very fast"),
        "paid": "paid",
    }
    if value in SAID:
        return gettext(SAID[value])
    return gettext(COUNTED[value][0]) if value in COUNTED else others.get(value, value)


def _states(study: Study) -> Mapping[str, str]:
    return {
        state.value: gettext(SAID[state.value]) if state.value in SAID else state.label.lower()
        for state in State
    }


def _topic(study: Study, value: str) -> Q:
    if study.kind == Study.Kind.WRITING:
        return Q(task__writing_task__topic__key=value)
    from judging.models import TaskItem

    items = TaskItem.objects.filter(item__study=study, item__topic__key=value)
    return Q(task__in=items.values("task"))


def topic_said(study: Study, value: str) -> str:
    query = study.corpus.topics.filter(key=value).values_list("query", flat=True).first()
    return f"“{query or value}”"


_batch = by_number("task__batch__number", digits=8)


def _batch_said(study: Study, value: str) -> str:
    if not value.isdecimal() or len(value) > 9:
        return value
    return study.batches.filter(number=value).values_list("name", flat=True).first() or value


def _arm_said(study: Study, value: str) -> str:
    return study.arm_rows.filter(key=value).values_list("title", flat=True).first() or value


def _record(_: Study, value: str) -> Q:
    texts = Writing.objects.filter(verdict=value)
    return Q(state__in=Assignment.HANDED_IN, writing__in=texts)


def _marked(study: Study, _: str) -> Q:
    if study.kind == Study.Kind.JUDGING:
        return Q(examination__is_marked=True) | (
            Standard.of(study).where & Q(state__in=Assignment.HANDED_IN)
        )
    flagged = ~Q(writing__process__flags=[]) & Q(writing__process__fault="")
    flagged &= Q(writing__process__isnull=False)
    texts = Q(writing__isnull=False, state__in=Assignment.HANDED_IN)
    return (flagged | terms.is_marked(study)) & texts


def _length(study: Study, _: str) -> Q:
    if study.kind != Study.Kind.WRITING:
        return Q(pk=None)
    return Q(pk__in=[text.work for text in in_range(study, texts_of(study))])


def _since(_: Study, value: str) -> Q:
    """Return the condition of work submitted in open batches after a moment."""
    since = _moment(value)
    if since is None:
        return Q(pk=None)
    return Q(submitted_at__gt=since, task__batch__state=Batch.State.OPEN)


def _since_said(_: Study, value: str) -> str:
    since = _moment(value)
    if since is None:
        return value
    return gettext("in open batches after {moment} UTC").format(
        moment=date_format(since, "j M, H:i")
    )


def _moment(value: str) -> datetime | None:
    try:
        parsed = parse_datetime(value)
        if parsed is None or timezone.is_naive(parsed):
            return None
        moment = parsed.astimezone(UTC)
    except (ValueError, OverflowError):  # the latter of a day beside the first or the last
        return None
    return moment if moment.year in YEARS else None


def _signed(_: Study, value: str) -> Q:
    if value not in SIGNED:
        return Q(pk=None)
    return Q(worker__platform="prolific", signed=value == "yes")


def _measured(study: Study, value: str) -> Q:
    """Return the condition of work with a known active time, paid or not."""
    if value in MEASURED:
        paid = Assignment.objects.filter(study=study).paid().values_list("pk", flat=True)
        active = active_times(study)
        measured = {pk for pk in paid if pk in active and active[pk].seconds > 0}
        return Q(pk__in=measured if value == "paid" else set(paid) - measured)
    timed = [text.work for text in texts_of(study) if text.active_seconds is not None]
    return Q(pk__in=timed)


def _measured_said(_: Study, value: str) -> str:
    return gettext(MEASURED.get(value, marked("known")))


def _columns(study: Study) -> list[ListColumn]:
    writes = study.kind == Study.Kind.WRITING
    return [
        ListColumn(gettext("Assignment")),
        ListColumn(gettext("Participant"), "worker__pseudonym"),
        ListColumn(gettext("State"), "state"),
        ListColumn(gettext("Agreed"), "started_at"),
        ListColumn(gettext("Submitted"), "submitted_at"),
        ListColumn(gettext("Active time"), number=True),
        *([] if writes else [ListColumn(gettext("Answers"), number=True)]),
        ListColumn(gettext("Flags"), number=True),
        ListColumn(gettext("Last decision")),
    ]


LISTING = RecordList(
    key="works",
    title=marked("Assignments"),
    rows=works_of,
    shown=shown,
    columns=_columns,
    filters=(
        ListFilter("state", marked("State"), _state, _state_said, _states),
        ListFilter("worker", marked("Participant"), "worker__pseudonym"),
        ListFilter("topic", marked("Topic"), _topic, topic_said),
        ListFilter("batch", marked("Batch"), _batch, _batch_said),
        ListFilter("style", marked("Style"), "task__writing_task__style"),
        ListFilter("arm", marked("Arm"), "task__arm", _arm_said),
        ListFilter("record", marked("Record"), _record, RECORDS),
        ListFilter("length", marked("Words"), _length, lambda *_: gettext("requested length")),
        ListFilter("measured", marked("Active time"), _measured, _measured_said),
        ListFilter("since", marked("Submitted"), _since, _since_said),
        ListFilter("signed", marked("Arrived through"), _signed, SIGNED),
        ListFilter("marked", marked("Flags"), _marked, lambda *_: gettext("flagged")),
    ),
    search_in=("worker__pseudonym",),
    search_hint=BY_PERSON,
    search_ids=("worker__external_hash", "session_hash"),
)
