"""Examining submitted questionnaires and storing the evidence.

Nothing is rejected here: a person decides (annotation.fieldwork.review.reviewing), or a rule that
the researcher turned on (`acting`).
"""

from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F, Q, QuerySet

from annotation.clock import database_now
from annotation.models import Assignment, Study
from judging.answering.recording import frozen_questions
from judging.items.kinds import item_kind
from judging.models import AnswersBefore, Examination
from judging.review import evidence
from judging.review.acting import act_on
from judging.review.active_times import away, measured
from judging.review.check_results import ExaminedJudgment, checks_of_each, said_in_each

AT_ONCE = 100  # questionnaires of an import
HANDED_IN = (*Assignment.COUNTING, Assignment.State.REJECTED)


@transaction.atomic
def examine(*, pk: int) -> Examination | None:
    """Examine a questionnaire; None if it is deleted or withdrawn meanwhile."""
    work = unexamined().filter(pk=pk).select_related("study").first()
    if work is None:
        return None
    examination, is_new = Examination.objects.update_or_create(
        assignment=work, defaults=_findings([work])[work.pk]
    )
    if is_new:  # what was examined before has been decided on, or a person wants to
        act_on(examination, now=database_now())
    return examination


@transaction.atomic
def examine_new(*, study: Study, pks: Sequence[int]) -> None:
    """Examine submissions of an import as `examine` does; others stay as they are."""
    new = unexamined().filter(study=study, examination=None)
    for first in range(0, len(pks), AT_ONCE):
        works = list(new.filter(pk__in=pks[first : first + AT_ONCE]).order_by("pk"))
        for work in works:
            work.study = study  # read once, not with every row
        findings = _findings(works)
        examinations = [Examination(assignment=work, **findings[work.pk]) for work in works]
        try:
            with transaction.atomic():
                made = Examination.objects.bulk_create(examinations)
        except IntegrityError:  # the sweep examined one meanwhile
            for work in works:
                examine(pk=work.pk)
            continue
        for examination in made:
            act_on(examination, now=database_now())


def _findings(works: Sequence[Assignment]) -> dict[int, dict[str, Any]]:
    """Return the fields of the examinations of questionnaires of one study."""
    said = said_in_each(works)
    checks = checks_of_each(works, said)
    before = AnswersBefore.objects.filter(assignment__in=works)
    redone = set(before.values_list("assignment", flat=True))
    spans = {
        work.pk: (work.started_at, work.submitted_at)
        for work in works
        if work.started_at is not None and work.submitted_at is not None
    }
    active_times = measured(spans)
    findings = {}
    for work in works:
        examined_answers = _given(work, said[work.pk])
        seconds, active = None, active_times.get(work.pk)
        if work.pk in spans:
            begun, submitted = spans[work.pk]
            lay = away(work) if work.pk in redone else timedelta()
            seconds = (submitted - begun - lay).total_seconds()
        marks = evidence.marks_of(
            given=examined_answers,
            seconds=seconds,
            minimum_seconds=work.study.minimum_seconds,
            checks=checks[work.pk],
        )
        findings[work.pk] = {
            "version": evidence.VERSION,
            "answers": len(examined_answers),
            "seconds": seconds,
            "submitted_at": work.submitted_at,
            "active_seconds": active and active.seconds,
            "active_whole": active is not None and active.whole,
            "marks": [mark.as_json() for mark in marks],
            "is_marked": bool(marks),
        }
    return findings


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
    judged = [judgment for judgment in said if judgment.check is None]
    answers = {(judgment.question, judgment.kind, judgment.raw) for judgment in judged}
    keys = {(question, raw): _key(specs[question], raw) for question, _, raw in answers}
    sides = {
        (question, kind, raw): _side(specs[question], kind, raw) for question, kind, raw in answers
    }
    return [
        evidence.ExaminedAnswer(
            judgment.item, key, sides[judgment.question, judgment.kind, judgment.raw]
        )
        for judgment in judged
        if (key := keys[judgment.question, judgment.raw])
    ]


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
