"""Storing the answers of a questionnaire before its redo.

The same submission is open again with its answers, and a copy of them is stored. No analysis reads
the submission until it is submitted again.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from annotation import jobs
from annotation.fieldwork.review.reviewing import redo_begun
from annotation.models import Assignment, ReviewDecision
from judging.models import AnswersBefore, Examination, Judgment, Presentation
from judging.review import examining

State = Assignment.State
Decision = ReviewDecision.Decision
COLUMNS = (
    "item", "question", "slot", "shown", "raw", "value", "score", "milliseconds", "comment",
    "changes", "number", "first_at", "answered_at",
)  # fmt: skip
Answers = dict[int, list[dict[str, Any]]]


def follow(works: Sequence[Assignment]) -> None:
    """Store the answers when a redo is requested; delete the copy when it is taken back.

    The number of queries does not grow with the submissions, which are locked. Raises CannotReview.
    """
    if reopened := [work for work in works if work.state == State.ACTIVE]:
        _keep(reopened)
    if waiting := [work for work in works if work.state == State.SUBMITTED]:
        _take_back(waiting)


def _keep(works: Sequence[Assignment]) -> None:
    """Store a row each; a redo that was taken back and requested again has the same answers."""
    answers, remarks = answers_of(works), _remarks_of(works)
    last = {pk: made[-1] for pk, made in _decisions(works).items()}
    rows_before = []
    for work in works:
        decision = last[work.pk]
        assert decision.submitted_at is not None  # of what was handed in
        rows_before.append(
            AnswersBefore(
                assignment=work,
                decision=decision,
                submitted_at=decision.submitted_at,
                answers=answers.get(work.pk, []),
                remarks=remarks.get(work.pk, {}),
                exit_answers=work.exit_answers,
            )
        )
    AnswersBefore.objects.bulk_create(rows_before)


def _take_back(works: Sequence[Assignment]) -> None:
    """Delete the copies of redos that were taken back before any answer.

    Copies of redos that ran out of time stay beside the later answers, which are examined.
    """
    made = _decisions(works)
    lapsed = {pk for pk, decisions in made.items() if decisions[-1].decision == Decision.LAPSED}
    if lapsed:
        Examination.objects.filter(assignment__in=lapsed).delete()
        jobs.after_commit(_examine, sorted(lapsed))  # else the sweep does it
    before = {
        decisions[-2].pk
        for pk, decisions in made.items()
        if len(decisions) > 1 and pk not in lapsed
    }
    earlier = list(AnswersBefore.objects.filter(decision__in=before).select_related("assignment"))
    if not earlier:
        return
    mine = [submission.assignment for submission in earlier]
    answers, remarks = answers_of(mine), _remarks_of(mine)
    for saved in earlier:
        work = saved.assignment
        same = _sent(saved.answers) == _sent(answers.get(work.pk, []))
        if not same or saved.remarks != remarks.get(work.pk, {}):
            raise redo_begun(work)
    AnswersBefore.objects.filter(pk__in=[saved.pk for saved in earlier]).delete()


def _examine(works: Sequence[int]) -> None:
    for pk in works:
        examining.examine(pk=pk)


def _decisions(works: Sequence[Assignment]) -> dict[int, list[ReviewDecision]]:
    decisions: dict[int, list[ReviewDecision]] = defaultdict(list)
    for review_decision in ReviewDecision.objects.filter(assignment__in=works).order_by("pk"):
        decisions[review_decision.assignment_id].append(review_decision)
    return decisions


def answers_of(works: Sequence[Assignment]) -> Answers:
    """Return the current answers by submission."""
    answers: Answers = defaultdict(list)
    rows = Judgment.objects.filter(assignment__in=works).order_by("pk")
    for row in rows.values("assignment", *COLUMNS):
        answers[row.pop("assignment")].append(row)
    return answers


def _remarks_of(works: Sequence[Assignment]) -> dict[int, dict[str, str]]:
    remarks: dict[int, dict[str, str]] = defaultdict(dict)
    rows = Presentation.objects.filter(assignment__in=works).exclude(comment="")
    for work, position, comment in rows.values_list("assignment", "position", "comment"):
        remarks[work][str(position)] = comment
    return remarks


def _sent(answers: Iterable[dict[str, Any]]) -> dict[tuple[Any, ...], tuple[Any, ...]]:
    """Return the answers with their request numbers, which show whether any was sent since."""
    return {
        tuple(answer[name] for name in ("item", "question", "slot", "shown")): tuple(
            answer[name] for name in ("raw", "comment", "changes", "number")
        )
        for answer in answers
    }
