"""Keeps what a questionnaire said before its worker was asked to redo it.

Nothing is answered twice: the same work is open again, with its answers as they stand, and what
they were is put beside them. No frame reads the work until it is handed in once more.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from annotation import jobs
from annotation.fieldwork.review.reviewing import RedoBegun
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
    """What was decided on some questionnaires was to redo them, or to take that back.

    As many queries for a thousand as for one. Called with the work as it became, and locked, so
    that no answer comes between. Raises RedoBegun.
    """
    if reopened := [each for each in works if each.state == State.ACTIVE]:
        _keep(reopened)
    if waiting := [each for each in works if each.state == State.SUBMITTED]:
        _take_back(waiting)


def _keep(works: Sequence[Assignment]) -> None:
    """A row each; a taken back redo that is asked for again has the same answers."""
    answers, remarks = answers_of(works), _remarks_of(works)
    last = {pk: made[-1] for pk, made in _decisions(works).items()}
    kept = []
    for each in works:
        decision = last[each.pk]
        assert decision.submitted_at is not None  # of what was handed in
        kept.append(
            AnswersBefore(
                assignment=each,
                decision=decision,
                submitted_at=decision.submitted_at,
                answers=answers.get(each.pk, []),
                remarks=remarks.get(each.pk, {}),
                exit_answers=each.exit_answers,
            )
        )
    AnswersBefore.objects.bulk_create(kept)


def _take_back(works: Sequence[Assignment]) -> None:
    """Where the decision before this one was a redo, it is none any more: nothing was answered
    since, and so nothing is kept beside it. Of a redo that only ran out of time what was said
    before stays beside what was said since, which is looked at as work that was handed in is."""
    made = _decisions(works)
    lapsed = {pk for pk, each in made.items() if each[-1].decision == Decision.LAPSED}
    if lapsed:
        Examination.objects.filter(assignment__in=lapsed).delete()
        jobs.after_commit(_examine, sorted(lapsed))  # else the sweep does it
    before = {each[-2].pk for pk, each in made.items() if len(each) > 1 and pk not in lapsed}
    kept = list(AnswersBefore.objects.filter(decision__in=before).select_related("assignment"))
    if not kept:
        return
    mine = [each.assignment for each in kept]
    answers, remarks = answers_of(mine), _remarks_of(mine)
    for each in kept:
        work = each.assignment
        same = _sent(each.answers) == _sent(answers.get(work.pk, []))
        if not same or each.remarks != remarks.get(work.pk, {}):
            raise RedoBegun(work)
    AnswersBefore.objects.filter(pk__in=[each.pk for each in kept]).delete()


def _examine(works: Sequence[int]) -> None:
    for pk in works:
        examining.examine(pk=pk)


def _decisions(works: Sequence[Assignment]) -> dict[int, list[ReviewDecision]]:
    found: dict[int, list[ReviewDecision]] = defaultdict(list)
    for each in ReviewDecision.objects.filter(assignment__in=works).order_by("pk"):
        found[each.assignment_id].append(each)
    return found


def answers_of(works: Sequence[Assignment]) -> Answers:
    """What each says now, by its id."""
    found: Answers = defaultdict(list)
    rows = Judgment.objects.filter(assignment__in=works).order_by("pk")
    for row in rows.values("assignment", *COLUMNS):
        found[row.pop("assignment")].append(row)
    return found


def _remarks_of(works: Sequence[Assignment]) -> dict[int, dict[str, str]]:
    found: dict[int, dict[str, str]] = defaultdict(dict)
    rows = Presentation.objects.filter(assignment__in=works).exclude(comment="")
    for work, position, comment in rows.values_list("assignment", "position", "comment"):
        found[work][str(position)] = comment
    return found


def _sent(answers: Iterable[dict[str, Any]]) -> dict[tuple[Any, ...], tuple[Any, ...]]:
    """What tells whether anything was sent since: each page numbers what it sends."""
    return {
        tuple(each[name] for name in ("item", "question", "slot", "shown")): tuple(
            each[name] for name in ("raw", "comment", "changes", "number")
        )
        for each in answers
    }
