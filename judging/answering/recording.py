"""Saving answers. The hot path: one read and one upsert a saved page.

A repeated request changes nothing, an answer can be changed until the submission, and no answer is
saved to an assignment of another worker, in another state, or open in another tab.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple

from django.db import DEFAULT_DB_ALIAS, connection, connections, transaction
from django.db.models import Count, F
from django.db.models.functions import Greatest

from annotation.fieldwork.work import assigning
from annotation.fieldwork.work.ordering_requests import TAB_LENGTH, is_newest
from annotation.fieldwork.work.refusals import (
    Incomplete,
    NotAnAnswer,
    NotLive,
    OtherTab,
    Superseded,
)
from annotation.models import Assignment, Study, Worker
from annotation.texts.sentences import Sentence
from judging.answering.locked_assignment import (
    LockedAssignment,
    PresentedItem,
    RecentReads,
    lock,
    require,
)
from judging.answering.scales import CanonicalAnswer, NotOnScale, canonical
from judging.answering.unanswered import Questions, open_questions
from judging.answering.upserting import JudgmentRow, late, rounds, upsert, upsert_if_unchanged
from judging.items.contents import slots_asked
from judging.items.drawing import draw_presentations
from judging.items.kinds import item_kind
from judging.models import Judgment, Presentation, Question, Rater, rater_of

COMMENT_LIMIT = 5000  # characters
recent_reads = RecentReads()


class GivenAnswer(NamedTuple):
    """An answer from a page; `slot` only for questions asked of each slot."""

    position: int
    question: str
    raw: str
    slot: str = ""
    milliseconds: int | None = None
    comment: str = ""
    number: int = 0


def questions_of(study_id: int) -> Questions:
    """Return the questions of a study, with instrument, criterion and scale, in order."""
    rows = Question.objects.filter(study=study_id)
    questions: Questions = defaultdict(dict)
    for row in rows.select_related("instrument", "criterion", "scale").order_by("position"):
        questions[row.instrument_id][row.key] = row
    return dict(questions)


@lru_cache(maxsize=64)
def frozen_questions(study_id: int, made: Any) -> Questions:
    """Return the same from memory: launched studies do not change.

    `made`, the study's time, identifies it, because ids may be used again.
    """
    return questions_of(study_id)


class Recorded(NamedTuple):
    """Numbers of late answers, and the assignment."""

    late: list[int]
    assignment: int


def record(
    *,
    answers: Sequence[GivenAnswer],
    now: datetime,
    token: str | None = None,
    assignment: Assignment | None = None,
    tab: str | None = None,
    questions: Questions | None = None,
) -> Recorded:
    """Save answers to the active assignment of a token (or this one).

    Late are answers of which a newer one was saved before, which counts. Locks the assignment, so
    that a simultaneous submission is either before (NotLive) or after. Raises UnknownLink,
    NotLive, OtherTab or NotAnAnswer; then no answer of this call is saved.
    """
    if token is not None and _is_alone():
        recorded = _record_at_once(answers=answers, token=token, tab=tab, now=now)
        if recorded is not None:
            return recorded
    positions = {answer.position for answer in answers}
    pk = None if assignment is None else assignment.pk
    with transaction.atomic():
        work = lock(positions=positions, token=token, pk=pk)
        if work.state != Assignment.State.ACTIVE:
            raise NotLive(work.state)
        if _is_other_tab(work, tab):
            raise OtherTab
        require(work, positions)
        if questions is None:
            questions = frozen_questions(work.study, work.study_made)
        unwritten = save(answers, work=work, questions=questions, now=now)
        if not work.is_begun:
            _note_work(work, now)
        return Recorded(late(unwritten), work.assignment)


def _is_alone() -> bool:
    """Return whether a statement is a transaction of its own, in PostgreSQL."""
    own = connections[DEFAULT_DB_ALIAS]  # looked up once, because it takes microseconds
    return own.vendor == "postgresql" and not own.in_atomic_block


def _is_other_tab(work: LockedAssignment, tab: str | None) -> bool:
    return tab is not None and bool(work.tab) and tab[:TAB_LENGTH] != work.tab


def _record_at_once(
    *, answers: Sequence[GivenAnswer], token: str, tab: str | None, now: datetime
) -> Recorded | None:
    """Read, check, then lock and save in one statement, unless the assignment changed since.

    That is two round trips to PostgreSQL instead of four, and one for further answers to an item:
    the read is kept, because the statement checks that it still holds. Return None if something is
    to be refused, created or checked under the lock, or if the assignment changed; then nothing is
    saved.
    """
    positions = {answer.position for answer in answers}
    work = recent_reads.read(token=token, positions=positions)
    if (
        not answers
        or work.state != Assignment.State.ACTIVE
        or _is_other_tab(work, tab)
        or work.rater is None
        or not work.is_begun
        or positions - set(work.shown)
    ):
        recent_reads.forget(token)
        return None
    questions = frozen_questions(work.study, work.study_made)
    try:
        rows = [_row(answer, work, questions, work.rater, now) for answer in answers]
    except NotAnAnswer:  # the lock decides: the task may have ended since the read
        recent_reads.forget(token)
        return None
    if len(rounds(rows)) > 1 or any(_chosen_among(answers, work, questions)):
        return None
    written = upsert_if_unchanged(rows, work)
    if written is None:
        recent_reads.forget(token)
        return None
    return Recorded(
        late([row for row in rows if row.number and row.number not in written]), work.assignment
    )


def save(
    answers: Sequence[GivenAnswer], *, work: LockedAssignment, questions: Questions, now: datetime
) -> list[JudgmentRow]:
    """Save answers to a locked assignment; return the numbered rows that were not written.

    Raises NotAnAnswer.
    """
    rater = work.rater or _first_answer(work).pk
    rows = rows_of(answers, work=work, rater=rater, questions=questions, now=now)
    written = upsert(rows)
    refuse_chosen_twice(answers, work=work, rater=rater, questions=questions)
    return [row for row in rows if row.number and row.number not in written]


def rows_of(
    answers: Iterable[GivenAnswer],
    *,
    work: LockedAssignment,
    rater: int,
    questions: Questions,
    now: datetime,
) -> list[JudgmentRow]:
    """Return the judgments to save. Raises NotAnAnswer."""
    at = connection.ops.adapt_datetimefield_value(now)
    return [_row(answer, work, questions, rater, at) for answer in answers]


def refuse_chosen_twice(
    answers: Iterable[GivenAnswer], *, work: LockedAssignment, rater: int, questions: Questions
) -> None:
    """Check saved answers: the best of a block is not its worst as well. Raises NotAnAnswer."""
    if apart := {shown.item for shown in _chosen_among(answers, work, questions)}:
        _refuse_chosen_twice(rater, apart)


def _chosen_among(
    answers: Iterable[GivenAnswer], work: LockedAssignment, questions: Questions
) -> Iterator[PresentedItem]:
    """Yield the items of answers that choose a slot which no other answer may choose."""
    for answer in answers:
        shown = work.shown[answer.position]
        is_choice = questions[shown.instrument][answer.question].arity == Question.Arity.CHOOSE
        if is_choice and item_kind(shown.kind).distinct_choices:
            yield shown


def _first_answer(work: LockedAssignment) -> Rater:
    team = Study.every.values_list("team", flat=True).get(pk=work.study)
    return rater_of(Worker.objects.get(pk=work.worker), team=team)


def _note_work(work: LockedAssignment, now: datetime) -> None:
    assignment = Assignment.objects.select_related("study").get(pk=work.assignment)
    assigning.note_work(assignment=assignment, now=now)


def _row(
    given: GivenAnswer, work: LockedAssignment, questions: Questions, rater: int, at: Any
) -> JudgmentRow:
    shown = work.shown[given.position]
    question = questions.get(shown.instrument, {}).get(given.question)
    if question is None:
        raise NotAnAnswer(Sentence("This question isn't part of this task."), "unknown_question")
    if len(given.comment) > COMMENT_LIMIT or "\x00" in given.comment:
        too_long = Sentence("Your reason can have up to {limit} characters.", limit=COMMENT_LIMIT)
        raise NotAnAnswer(too_long, "long_comment")
    kind = item_kind(shown.kind)
    if given.slot not in slots_asked(question, kind, shown.contents):
        elsewhere = Sentence("This answer is about a text that isn't on this page.")
        raise NotAnAnswer(elsewhere, "unknown_slot")
    answer = _answer(given, question, shown)
    return JudgmentRow(
        rater_id=rater,
        item_id=shown.item,
        question_id=question.pk,
        slot=given.slot,
        shown=shown.order,
        assignment_id=work.assignment,
        raw=answer.raw,
        value=answer.value,
        score=answer.score,
        milliseconds=given.milliseconds,
        comment=given.comment,
        changes=0,
        first_at=at,
        answered_at=at,
        number=given.number,
    )


def _answer(given: GivenAnswer, question: Question, shown: PresentedItem) -> CanonicalAnswer:
    if question.optional and not given.raw.strip():
        return CanonicalAnswer(raw="", value="")  # taken back
    try:
        return canonical(
            spec=question.scale.spec,
            raw=given.raw,
            shown=tuple(shown.order.split(",")),
            places=shown.places,
            contents=shown.contents,
        )
    except NotOnScale as error:
        raise NotAnAnswer(error.said, "off_scale") from error


def _refuse_chosen_twice(rater: int, items: set[int]) -> None:
    """Check that the best of a block is not its worst as well.

    Reads the saved answers, so that both may change places in one request.
    """
    choices = Judgment.objects.filter(
        rater=rater, item__in=items, question__arity=Question.Arity.CHOOSE
    )
    chosen = choices.values("item", "question__criterion", "shown", "value")
    if chosen.annotate(times=Count("pk")).filter(times__gt=1).exists():
        raise NotAnAnswer(
            Sentence(
                "You already chose this text for the opposite question. Please choose another one."
            ),
            "chosen_twice",
        )


@transaction.atomic
def comment(*, assignment: Assignment, position: int, text: str, number: int = 0) -> bool:
    """Save a remark on an item, unless a newer one is saved; return whether it counts.

    Raises NotLive or NotAnAnswer.
    """
    if len(text) > COMMENT_LIMIT or "\x00" in text:
        raise NotAnAnswer(
            Sentence("Your comment can have up to {limit} characters.", limit=COMMENT_LIMIT),
            "long_comment",
        )
    # Locked, or a remark could be written just after its worker withdrew and all was erased.
    work = lock(positions=[position], pk=assignment.pk)
    if work.state != Assignment.State.ACTIVE:
        raise NotLive(work.state)
    require(work, [position])
    presentation = Presentation.objects.filter(assignment=assignment, position=position)
    late = presentation.filter(comment_number__gt=number) if number else presentation.none()
    if late.exists():
        return False
    presentation.update(comment=text, comment_number=Greatest(F("comment_number"), number))
    return True


def open_positions(*, assignment: Assignment) -> list[int]:
    """Return the positions of the pages with open questions.

    Draws the items before the first look: otherwise no page would seem open.
    """
    return _open_among(draw_presentations(assignment=assignment), assignment=assignment)[0]


def _open_among(
    presentations: Sequence[Presentation], *, assignment: Assignment
) -> tuple[list[int], bool]:
    """Return the positions with open questions, and whether there is any answer."""
    study = assignment.study
    questions = frozen_questions(study.pk, study.created_at)
    answered = set(
        Judgment.objects.filter(assignment=assignment).values_list("item", "question", "slot")
    )
    wanting = open_questions(presentations, questions=questions, answered=answered)
    return list(wanting), bool(answered)


@transaction.atomic
def submit(
    *,
    assignment: Assignment,
    now: datetime,
    exit_answers: dict[str, Any] | None = None,
    number: int = 0,
) -> Assignment:
    """Submit a questionnaire that `require_complete` accepts.

    Raises Incomplete, Superseded, NotLive, or UnknownLink for another kind of study.
    """
    active = lock(pk=assignment.pk).state == Assignment.State.ACTIVE
    if active and not is_newest(assignment=assignment, number=number):
        raise Superseded
    return assigning.submit(assignment=assignment, now=now, exit_answers=exit_answers)


def require_complete(*, assignment: Assignment) -> None:
    """Check that all questions are answered. Raises Incomplete with the open positions.

    A questionnaire of withdrawn texts alone has no questions.
    """
    presentations = draw_presentations(assignment=assignment)
    positions, is_answered = _open_among(presentations, assignment=assignment)
    is_all_erased = bool(presentations) and all(
        presentation.is_erased for presentation in presentations
    )
    if positions or not (is_answered or is_all_erased):
        raise Incomplete(positions)
