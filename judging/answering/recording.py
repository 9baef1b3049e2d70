"""Saving answers. The hot path: one read and one upsert a saved page.

A repeated request changes nothing, an answer can be changed until the submission, and no answer is
saved to an assignment of another worker, in another state, or open in another tab.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple, get_args

from django.db import DEFAULT_DB_ALIAS, connection, connections, transaction
from django.db.models import Count, F
from django.db.models.functions import Greatest

from annotation.fieldwork.work import assigning
from annotation.fieldwork.work.ordering_requests import TAB_LENGTH, is_newest
from annotation.fieldwork.work.prepared_statements import fetch
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


class JudgmentRow(NamedTuple):
    """A judgment to save; the fields are columns of the table."""

    rater_id: int
    item_id: int
    question_id: int
    slot: str
    shown: str
    assignment_id: int
    raw: str
    value: str
    score: float | None
    milliseconds: int | None
    comment: str
    changes: int
    first_at: Any
    answered_at: Any
    number: int


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
        return Recorded(_late(unwritten), work.assignment)


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
    if len(_rounds(rows)) > 1 or any(_chosen_among(answers, work, questions)):
        return None
    written = _upsert_if_unchanged(rows, work)
    if written is None:
        recent_reads.forget(token)
        return None
    return Recorded(
        _late([row for row in rows if row.number and row.number not in written]), work.assignment
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


def upsert(rows: Iterable[JudgmentRow]) -> set[int]:
    """Save judgments of an assignment; return the numbers of those that were written."""
    return {number for some in _rounds(rows) for number in _upsert(some)}


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


def _rounds(rows: Iterable[JudgmentRow]) -> list[list[JudgmentRow]]:
    """Return the rows in rounds with one answer to a question each.

    An offline page sends a changed answer in one request; PostgreSQL refuses to touch a row twice
    in one statement.
    """
    rounds: list[list[JudgmentRow]] = []
    times: dict[tuple[int, int, str], int] = defaultdict(int)
    for row in rows:
        key = (row.item_id, row.question_id, row.slot)
        if times[key] == len(rounds):
            rounds.append([])
        rounds[times[key]].append(row)
        times[key] += 1
    return rounds


ROWS_A_STATEMENT = 50  # SQLite takes some thousand parameters
FEW_ROWS = 3  # psycopg keeps a parsed statement of up to 50 parameters; arrays cost more to send
# A late answer writes nothing, nor does the same one again; an answer without a number is the
# newest. `changes` counts those that differ from the one before.
UPSERT = f"""
INSERT INTO judging_judgment AS j ({", ".join(JudgmentRow._fields)}) {{rows}}
ON CONFLICT (rater_id, item_id, question_id, slot, shown) DO UPDATE SET
changes = j.changes + (CASE WHEN j.raw = excluded.raw THEN 0 ELSE 1 END), raw = excluded.raw,
value = excluded.value, score = excluded.score, milliseconds = excluded.milliseconds,
comment = excluded.comment, assignment_id = excluded.assignment_id,
answered_at = excluded.answered_at,
number = CASE WHEN excluded.number = 0 THEN j.number ELSE excluded.number END
WHERE excluded.number > j.number OR excluded.number = 0 AND (j.raw <> excluded.raw
OR j.comment <> excluded.comment OR j.assignment_id <> excluded.assignment_id)
RETURNING number
"""
TYPES = {int: "bigint", str: "text", float: "float8"}
SHARED = {"rater_id": "bigint", "assignment_id": "bigint", "changes": "int"} | dict.fromkeys(
    ("first_at", "answered_at"), "timestamptz"
)  # one value for all rows of a request
OWN = {
    name: TYPES[next(each for each in TYPES if each in (get_args(kind) or (kind,)))]
    for name, kind in JudgmentRow.__annotations__.items()
    if name not in SHARED
}
# One text for any number of rows, so that psycopg parses it and PostgreSQL plans it once.
UNNESTED = UPSERT.format(
    rows="SELECT "
    + ", ".join(f"%s::{SHARED[name]}" if name in SHARED else name for name in JudgmentRow._fields)
    + f" FROM unnest({', '.join(f'%s::{kind}[]' for kind in OWN.values())}) AS r({', '.join(OWN)})"
)


# The condition is read again after waiting for a lock, so no change in between is overlooked.
GUARDED = """
WITH unchanged AS (
    SELECT id FROM annotation_assignment
    WHERE id = %s AND xmin = CAST(CAST(CAST(%s AS bigint) AS text) AS xid) FOR NO KEY UPDATE
), saved AS ({upsert})
SELECT EXISTS (SELECT FROM unchanged), ARRAY(SELECT number FROM saved)
"""
CASTS = {name: SHARED.get(name) or OWN[name] for name in JudgmentRow._fields}
GUARDED_UNNESTED = GUARDED.format(
    upsert=UNNESTED.replace(f" AS r({', '.join(OWN)})", f" AS r({', '.join(OWN)}), unchanged")
)
GUARDED_ROW = f"({', '.join(f'%s::{kind}' for kind in CASTS.values())})"
GUARDED_FEW = {
    n: GUARDED.format(
        upsert=UPSERT.format(
            rows=f"SELECT r.* FROM (VALUES {', '.join([GUARDED_ROW] * n)}) AS r, unchanged"
        )
    )
    for n in range(1, FEW_ROWS + 1)
}


def _upsert_if_unchanged(rows: Sequence[JudgmentRow], work: LockedAssignment) -> set[int] | None:
    """Insert or replace answers; return the numbers written, or None after a change."""
    if len(rows) > FEW_ROWS:
        query, values = GUARDED_UNNESTED, _columns(rows)
    else:
        query, values = GUARDED_FEW[len(rows)], [value for row in rows for value in row]
    ((is_unchanged, numbers),) = fetch(query, [work.assignment, work.version, *values])
    return set(numbers) if is_unchanged else None


def _columns(rows: Sequence[JudgmentRow]) -> list[Any]:
    """Return the parameters of `UNNESTED`."""
    shared = [getattr(rows[0], name) for name in JudgmentRow._fields if name in SHARED]
    columns = [[getattr(row, name) for row in rows] for name in OWN]
    # Options have whole scores, ranges floats: psycopg sends no list of both.
    place = list(OWN).index("score")
    columns[place] = [None if score is None else float(score) for score in columns[place]]
    return [*shared, *columns]


def _upsert(rows: Sequence[JudgmentRow]) -> set[int]:
    """Insert or replace answers; return the numbers of the rows that were written."""
    if connection.vendor == "postgresql" and len(rows) > FEW_ROWS:
        return {number for (number,) in fetch(UNNESTED, _columns(rows))}
    written = set()
    row = f"({', '.join(['%s'] * len(JudgmentRow._fields))})"
    for start in range(0, len(rows), ROWS_A_STATEMENT):
        some = rows[start : start + ROWS_A_STATEMENT]
        values = [value for values_of_row in some for value in values_of_row]
        query = UPSERT.format(rows="VALUES " + ", ".join([row] * len(some)))
        written |= {number for (number,) in fetch(query, values)}
    return written


def _late(unwritten: Sequence[JudgmentRow]) -> list[int]:
    """Return the numbers of answers with a newer one; the others were sent twice."""
    if not unwritten:
        return []
    key = ("rater_id", "item_id", "question_id", "slot", "shown")
    items = {row.item_id for row in unwritten}
    saved_numbers = Judgment.objects.filter(rater=unwritten[0].rater_id, item__in=items)
    newest = {
        tuple(key_values): number
        for *key_values, number in saved_numbers.values_list(*key, "number")
    }
    return [
        row.number
        for row in unwritten
        if newest.get(tuple(getattr(row, name) for name in key), 0) > row.number
    ]


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
