"""Submissions of a writing study for reviewers: the list in order, and one in detail.

Only reads.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from annotation.models import Assignment, ReviewDecision, Study

State = Assignment.State

# The name of a list -> the state of the submissions in it. Work to be redone is active.
LISTS = {
    "waiting": State.SUBMITTED,
    "redo": State.ACTIVE,
    "accepted": State.ACCEPTED,
    "rejected": State.REJECTED,
}
NAMES = {
    "waiting": "Waiting",
    "redo": "Changes requested",
    "accepted": "Accepted",
    "rejected": "Rejected",
}


@dataclass(frozen=True)
class FormAnswer:
    """An answer of the entry or exit form, in the words that the writer read."""

    question: str
    answer: str


@dataclass(frozen=True)
class Neighbours:
    """Submissions before and after one in its list.

    `place` counts from 1; it is 0 if the submission is not in the list.
    """

    before: int | None
    after: int | None
    place: int
    number: int


def submissions_of(study: Study) -> QuerySet[Assignment]:
    """All work that was handed in at least once, the oldest submission first."""
    rows = Assignment.objects.filter(_in("waiting", "redo", "accepted", "rejected"), study=study)
    rows = rows.filter(writing__isnull=False)
    rows = rows.select_related("worker", "writing", "task__writing_task__topic", "task__batch")
    return rows.order_by(F("submitted_at").asc(nulls_last=True), "pk")


def _in(*names: str) -> Q:
    """In one of the lists. Active work is in one only if a redo was asked for."""
    redone = ReviewDecision.objects.filter(
        assignment=OuterRef("pk"), decision=ReviewDecision.Decision.REDO
    )
    wanted = Q()
    for name in names:
        given_back = Q(Exists(redone)) if name == "redo" else Q()
        wanted |= Q(state=LISTS[name]) & given_back
    return wanted


def onboarding_places(study: Study) -> dict[int, str]:
    """Return the position of each onboarding submission of its writer, and the total: "2 of 3"."""
    rows = Assignment.objects.filter(
        Q(submitted_at__isnull=False) | Q(decisions__isnull=False),
        study__slug=study.slug,
        task__batch__onboarding=True,
    )
    number: Counter[int] = Counter()
    places = {}
    for pk, writer in rows.distinct().order_by("pk").values_list("pk", "worker"):
        number[writer] += 1
        places[pk] = f"{number[writer]} of {max(number[writer], study.onboarding_tasks)}"
    return places


def listed(study: Study, name: str, sought: str = "") -> QuerySet[Assignment]:
    """Return the submissions of one list, or of all lists for another name.

    `sought` selects those that contain it in topic, pseudonym or text.
    """
    rows = submissions_of(study)
    if name in LISTS:
        rows = rows.filter(state=LISTS[name])
    if sought:
        rows = rows.filter(
            Q(task__writing_task__topic__query__icontains=sought)
            | Q(worker__pseudonym__icontains=sought)
            | Q(writing__text__icontains=sought)
        )
    return rows


def neighbours(pks: Sequence[int], pk: int) -> Neighbours:
    """Return the neighbours of a submission in a list, or the first if it left the list."""
    if pk not in pks:
        first = pks[0] if pks else None
        return Neighbours(None, first, 0, len(pks))
    place = list(pks).index(pk)
    before = pks[place - 1] if place else None
    after = pks[place + 1] if place + 1 < len(pks) else None
    return Neighbours(before, after, place + 1, len(pks))


def following(pks: Sequence[int], pk: int) -> int | None:
    """Return the submission after this one, cyclically; None if it is the only one."""
    place = list(pks).index(pk)
    rest = [*pks[place + 1 :], *pks[:place]]
    return rest[0] if rest else None


def answers(spec: Sequence[dict[str, Any]], given: dict[str, Any]) -> list[FormAnswer]:
    """Return the answers to a form, in its order, without unanswered questions."""
    form_answers = []
    for field in spec:
        if (value := given.get(field["key"])) in (None, ""):
            continue
        labels = {option["code"]: option["label"] for option in field.get("options", [])}
        form_answers.append(FormAnswer(field["label"], labels.get(str(value), str(value))))
    return form_answers


def time_taken(assignment: Assignment) -> timedelta | None:
    if assignment.started_at is None or assignment.submitted_at is None:
        return None
    return assignment.submitted_at - assignment.started_at


def decisions_of(assignment: Assignment) -> list[ReviewDecision]:
    """Return the decisions about a submission, newest first."""
    return list(assignment.decisions.order_by("-pk"))
