"""Changes by a redo."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from annotation.models import Assignment
from judging.models import AnswersBefore, Judgment

Place = tuple[int, int, str]  # item, question, slot


@dataclass(frozen=True)
class ChangedAnswer:
    """A changed answer; '' for none."""

    item: int
    question: int
    slot: str
    before: str
    after: str


@dataclass(frozen=True)
class Redo:
    """A requested redo: the earlier `answers`, and the `changes` until the resubmission or now."""

    asked_by: str
    asked_at: datetime
    reason: str
    handed_in_at: datetime
    answers: int
    changes: list[ChangedAnswer]
    is_open: bool


def redos_of(work: Assignment) -> list[Redo]:
    """Return the redos, oldest first."""
    earlier = list(AnswersBefore.objects.filter(assignment=work).select_related("decision"))
    if not earlier:
        return []
    now = _raw(
        Judgment.objects.filter(assignment=work)
        .order_by("pk")
        .values("item", "question", "slot", "raw")
    )
    stood = [_raw(submission.answers) for submission in earlier]
    return [
        Redo(
            asked_by=submission.decision.reviewer,
            asked_at=submission.decision.decided_at,
            reason=submission.decision.reason,
            handed_in_at=submission.submitted_at,
            answers=sum(raw != "" for raw in before.values()),
            changes=_changes(before, after),
            is_open=submission is earlier[-1] and work.submitted_at is None,
        )
        for submission, before, after in zip(earlier, stood, [*stood[1:], now], strict=True)
    ]


def _raw(answers: Iterable[Any]) -> dict[Place, str]:
    return {
        (answer["item"], answer["question"], answer["slot"]): answer["raw"] for answer in answers
    }


def _changes(before: dict[Place, str], after: dict[Place, str]) -> list[ChangedAnswer]:
    return [
        ChangedAnswer(*place, before.get(place, ""), after.get(place, ""))
        for place in dict.fromkeys([*before, *after])
        if before.get(place, "") != after.get(place, "")
    ]
