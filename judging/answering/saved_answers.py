"""Saved answers of an assignment, as its pages show and count them."""

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from annotation.fieldwork.work.prepared_statements import PreparedQuery
from annotation.models import Assignment
from judging.models import Judgment, Presentation

GIVEN = PreparedQuery(
    lambda assignment: Judgment.objects.filter(assignment=assignment).values_list(
        "item", "question__instrument", "question__optional",
        "question", "slot", "raw", "comment", "number",
    ),
    -1,
)  # fmt: skip


class SavedAnswer(NamedTuple):
    """A saved answer on a page."""

    raw: str
    comment: str
    number: int


class AssignmentAnswers(NamedTuple):
    """The answers of an assignment.

    Numbers of required answers by item and instrument, the highest number of all requests, and the
    answers by item, question and slot.
    """

    counts: dict[tuple[int, int], int]
    number: int
    given: dict[tuple[int, int, str], SavedAnswer]


def answers_of(
    *, assignment: Assignment, presentations: Iterable[Presentation]
) -> AssignmentAnswers:
    """Return the answers in one query; `presentations` are those of the assignment."""
    counts: dict[tuple[int, int], int] = defaultdict(int)
    number = max(
        [assignment.number, *(presentation.comment_number for presentation in presentations)]
    )
    saved_answers = {}
    for item, instrument, optional, question, slot, raw, comment, sent in GIVEN.fetch(
        assignment.pk
    ):
        counts[item, instrument] += not optional
        saved_answers[item, question, slot] = SavedAnswer(raw, comment, sent)
        number = max(number, sent)
    return AssignmentAnswers(counts, number, saved_answers)
