"""Looks at handed-in questionnaires and keeps what speaks about how they were done.

Nothing is refused by it: the worker has the code, a person decides (annotation.review.reviewing),
or a rule that the researcher turned on (`acting`).
"""

from collections.abc import Iterable

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from annotation.models import Assignment, Study
from judging.items.kinds import item_kind
from judging.models import Examination, Judgment
from judging.review import evidence
from judging.review.acting import act_on
from judging.review.checked import checks_of

HANDED_IN = (*Assignment.COUNTING, Assignment.State.REJECTED)


@transaction.atomic
def examine(*, pk: int) -> Examination | None:
    """Examine a questionnaire; None where it is gone or withdrawn meanwhile."""
    work = unexamined().filter(pk=pk).select_related("study").first()
    if work is None:
        return None
    given = _given(work)
    seconds = None
    if work.started_at is not None and work.submitted_at is not None:
        seconds = (work.submitted_at - work.started_at).total_seconds()
    marks = evidence.marks_of(
        given=given,
        seconds=seconds,
        minimum_seconds=work.study.minimum_seconds,
        checks=checks_of(work),
    )
    found, is_new = Examination.objects.update_or_create(
        assignment=work,
        defaults={
            "version": evidence.VERSION,
            "answers": len(given),
            "seconds": seconds,
            "marks": [mark.as_json() for mark in marks],
            "is_marked": bool(marks),
        },
    )
    if is_new:  # what was examined before has been decided on, or a person wants to
        act_on(found, now=timezone.now())
    return found


def unexamined() -> "QuerySet[Assignment]":
    """Questionnaires that were handed in and not examined yet, or by other rules."""
    work = Assignment.objects.filter(study__kind=Study.Kind.JUDGING, state__in=HANDED_IN)
    return work.filter(Q(examination=None) | ~Q(examination__version=evidence.VERSION))


def _given(work: Assignment) -> list[evidence.Given]:
    """The answers by choice; what is typed has no key. What is asked as a check is no judgment."""
    rows = Judgment.objects.filter(assignment=work, item__check_of=None)
    rows = rows.select_related("item", "question__scale")
    return [
        evidence.Given(row.item_id, key, _side(row))
        for row in rows.only("item__kind", "raw", "question__scale__spec", "question__scale__kind")
        if (key := _key(row.question.scale.spec, row.raw))
    ]


def _side(row: Judgment) -> str:
    """The place that an answer chooses, where two change places."""
    options = row.question.scale.spec.get("options", [])
    places = [slot.name for slot in item_kind(row.item.kind).slots if slot.drawn]
    chosen = next((o.get("slot") or "" for o in options if o["code"] == row.raw), "")
    return chosen if len(places) == 2 and chosen in places else ""


def _key(spec: dict[str, object], raw: str) -> str:
    options: Iterable[dict[str, str]] = spec.get("options", [])  # type: ignore[assignment]
    for place, option in enumerate(options, start=1):
        if option["code"] == raw:
            return str(place)
    return raw if spec.get("kind") == "range" else ""
