"""Examining submitted questionnaires and storing the evidence.

Nothing is rejected here: a person decides (annotation.fieldwork.review.reviewing), or a rule that
the researcher turned on (`acting`).
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import F, Q, QuerySet

from annotation.clock import database_now
from annotation.models import Assignment, Study
from judging.answering.recording import frozen_questions
from judging.items.kinds import item_kind
from judging.models import Examination
from judging.review import evidence
from judging.review.acting import act_on
from judging.review.active_times import away, measured
from judging.review.check_results import ExaminedJudgment, checks_of, said_in

HANDED_IN = (*Assignment.COUNTING, Assignment.State.REJECTED)


@transaction.atomic
def examine(*, pk: int) -> Examination | None:
    """Examine a questionnaire; None if it is deleted or withdrawn meanwhile."""
    work = unexamined().filter(pk=pk).select_related("study").first()
    if work is None:
        return None
    judgments = said_in(work)
    examined_answers = _given(work, judgments)
    seconds, active = None, None
    if work.started_at is not None and work.submitted_at is not None:
        seconds = (work.submitted_at - work.started_at - away(work)).total_seconds()
        span = work.started_at, work.submitted_at
        active = measured({work.pk: span}, said={work.pk: _last_on_pages(judgments)})[work.pk]
    marks = evidence.marks_of(
        given=examined_answers,
        seconds=seconds,
        minimum_seconds=work.study.minimum_seconds,
        checks=checks_of(work, judgments),
    )
    examination, is_new = Examination.objects.update_or_create(
        assignment=work,
        defaults={
            "version": evidence.VERSION,
            "answers": len(examined_answers),
            "seconds": seconds,
            "submitted_at": work.submitted_at,
            "active_seconds": active and active.seconds,
            "active_whole": active is not None and active.whole,
            "marks": [mark.as_json() for mark in marks],
            "is_marked": bool(marks),
        },
    )
    if is_new:  # what was examined before has been decided on, or a person wants to
        act_on(examination, now=database_now())
    return examination


def unexamined() -> "QuerySet[Assignment]":
    """Return submissions without an examination by these rules since they were submitted."""
    work = Assignment.objects.filter(study__kind=Study.Kind.JUDGING, state__in=HANDED_IN)
    examined = Q(examination__version=evidence.VERSION, examination__submitted_at=F("submitted_at"))
    return work.exclude(examined)


def _given(work: Assignment, said: Iterable[ExaminedJudgment]) -> list[evidence.ExaminedAnswer]:
    """Return the answers by option; typed ones have no key. Checks are no judgments."""
    questions = frozen_questions(work.study_id, work.study.created_at)
    specs = {
        question.pk: question.scale.spec
        for some in questions.values()
        for question in some.values()
    }
    return [
        evidence.ExaminedAnswer(
            judgment.item, key, _side(specs[judgment.question], judgment.kind, judgment.raw)
        )
        for judgment in said
        if judgment.check is None and (key := _key(specs[judgment.question], judgment.raw))
    ]


def _last_on_pages(said: Iterable[ExaminedJudgment]) -> list[datetime]:
    """Return the time of the last answer on each page."""
    last: dict[tuple[int, int], datetime] = {}
    for judgment in said:
        page = (judgment.item, judgment.instrument)
        last[page] = max(judgment.at, last.get(page, judgment.at))
    return [*last.values()]


def _side(spec: dict[str, Any], kind: str, raw: str) -> str:
    """Return the place that an answer chooses, if two places are drawn."""
    places = [slot.name for slot in item_kind(kind).slots if slot.drawn]
    chosen = next((o.get("slot") or "" for o in spec.get("options", []) if o["code"] == raw), "")
    return chosen if len(places) == 2 and chosen in places else ""


def _key(spec: dict[str, object], raw: str) -> str:
    options: Iterable[dict[str, str]] = spec.get("options", [])  # type: ignore[assignment]
    for place, option in enumerate(options, start=1):
        if option["code"] == raw:
            return str(place)
    return raw if spec.get("kind") == "range" else ""
