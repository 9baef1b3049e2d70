"""Submissions of a study at Prolific, beside their assignments."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Q, QuerySet
from django.utils.translation import gettext

from analysis.pages.entities.names import work_name
from annotation.fieldwork.recruiting.prolific import study_status
from annotation.lists import BY_PERSON, ListColumn, ListFilter, RecordList
from annotation.models import Assignment, PlatformSubmission, Study
from annotation.texts.sentences import marked

Status = PlatformSubmission.Status


@dataclass(frozen=True)
class SubmissionRow:
    """Submission in a list; `work` is None where no assignment belongs to it."""

    submission: PlatformSubmission
    work: Assignment | None
    name: str


def submissions_of(study: Study) -> "QuerySet[PlatformSubmission]":
    """Return the submissions of a study, the newest first."""
    rows = PlatformSubmission.objects.filter(platform_study__study=study)
    rows = rows.select_related("platform_study", "worker", "assignment__task__batch")
    if study.kind == Study.Kind.WRITING:
        rows = rows.select_related("assignment__task__writing_task__topic")
    return rows.order_by("-pk")


def shown(study: Study, submissions: Sequence[PlatformSubmission]) -> list[SubmissionRow]:
    rows = []
    for submission in submissions:
        work = submission.assignment
        if work is not None:
            work.study = study
        rows.append(SubmissionRow(submission, work, work_name(work) if work else ""))
    return rows


def _remark(_: Study, value: str) -> Q:
    kinds = study_status.REMARKS
    return kinds[value].where if value in kinds else Q(pk=None)


def _remark_said(_: Study, value: str) -> str:
    kinds = study_status.REMARKS
    return gettext(kinds[value].sentence).rstrip(".") if value in kinds else value


def _statuses(_: Study) -> Mapping[str, str]:
    return {status.value: str(status.label) for status in Status}


def _status_said(_: Study, value: str) -> str:
    return str(Status(value).label) if value in Status.values else value


LISTING = RecordList(
    key="submissions",
    title=marked("Submissions on Prolific"),
    rows=submissions_of,
    shown=shown,
    columns=lambda _: [
        ListColumn(gettext("Participant"), "worker__pseudonym"),
        ListColumn(gettext("On Prolific"), "status"),
        ListColumn(gettext("Since"), "changed_at"),
        ListColumn(gettext("Code")),
        ListColumn(gettext("Submission")),
        ListColumn(gettext("State in Crowdwright")),
        ListColumn(gettext("Prolific study")),
    ],
    filters=(
        ListFilter("status", marked("On Prolific"), "status", _status_said, _statuses),
        ListFilter("at", marked("Prolific study"), "platform_study__external_id"),
        ListFilter("remark", marked("Flags"), _remark, _remark_said),
    ),
    search_in=("worker__pseudonym",),
    search_hint=BY_PERSON,
    search_ids=("person_hash", "session_hash"),
)
