"""Saving what raters answer. The hot path: two short reads and one upsert a saved page.

A repeated request changes nothing, an answer can be given anew until the work is submitted, and
nothing is taken for an assignment that is not the worker's, not active, or open in another tab.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any

from django.db import connection, transaction
from django.db.models import Count

from annotation import assigning
from annotation.models import Assignment
from annotation.refusals import Incomplete, NotAnAnswer, NotLive, OtherTab
from judging.drawing import draw_showings
from judging.kinds import item_kind
from judging.models import Judgment, Question, Rater, Showing, rater_of
from judging.scales import Answer, NotOnScale, canonical

COMMENT_LIMIT = 5000  # characters
TAB_LENGTH = 40  # characters kept of a tab's name
MOST_POSITIONS = 10_000  # no task has so many items; larger numbers no database column holds


@dataclass(frozen=True)
class Given:
    """One answer as it comes from a page. `slot` only for questions asked of each slot."""

    position: int
    question: str
    raw: str
    slot: str = ""
    milliseconds: int | None = None
    comment: str = ""


COLUMNS = (
    "rater_id",
    "item_id",
    "question_id",
    "slot",
    "shown",
    "assignment_id",
    "raw",
    "value",
    "score",
    "milliseconds",
    "comment",
    "changes",
    "first_at",
    "answered_at",
)


def questions_of(study_id: int) -> dict[str, Question]:
    """The questions of a study by key, with criterion and scale, in their order."""
    rows = Question.objects.filter(study=study_id).select_related("criterion", "scale")
    return {question.key: question for question in rows.order_by("position")}


@lru_cache(maxsize=64)
def _frozen_questions(study_id: int, created_at: datetime) -> dict[str, Question]:
    """The same, kept in memory: work is done on launched studies alone, and those are frozen.

    `created_at` tells a study from another one that once had its number.
    """
    return questions_of(study_id)


@dataclass(frozen=True)
class Shown:
    """An item as an assignment shows it; `contents`: slot name -> key of what stands there."""

    item: int
    kind: str
    order: str
    contents: dict[str, str]


@transaction.atomic
def record(
    *,
    assignment: Assignment,
    answers: Sequence[Given],
    now: datetime,
    tab: str | None = None,
    questions: dict[str, Question] | None = None,
    rater: Rater | None = None,
) -> int:
    """Save answers of an active assignment; return how many.

    Locks the assignment, so that a submission at the same moment is either before (NotLive) or
    after. Raises NotLive, OtherTab or NotAnAnswer; then nothing of this call is saved.
    """
    state, current_tab = _locked(assignment)
    if state != Assignment.State.ACTIVE:
        raise NotLive(state)
    if tab is not None and current_tab and tab[:TAB_LENGTH] != current_tab:
        raise OtherTab
    if questions is None:
        study = assignment.study
        questions = _frozen_questions(study.pk, study.created_at)
    shown = _shown(assignment, {each.position for each in answers})
    rater = rater or rater_of(assignment.worker)
    judgments = [
        _judgment(each, shown[each.position], questions, rater, assignment, now) for each in answers
    ]
    for some in _rounds(judgments):
        _upsert(some)
    _refuse_chosen_twice(judgments, rater)
    return len(judgments)


# The two reads of the hot path are SQL: making these queries took longer than answering them.
LOCKED = "SELECT state, tab FROM annotation_assignment WHERE id = %s"
SHOWN = """
SELECT s.position, s."order", s.item_id, i.kind, l.name,
       COALESCE(r.key, p.key, c.key, CAST(l.segment_id AS varchar(20)))
FROM judging_showing s
JOIN judging_item i ON i.id = s.item_id
JOIN judging_itemslot l ON l.item_id = s.item_id
LEFT JOIN annotation_response r ON r.id = l.response_id
LEFT JOIN annotation_passage p ON p.id = l.passage_id
LEFT JOIN judging_criterion c ON c.id = l.criterion_id
WHERE s.assignment_id = %s AND s.position IN ({positions})
"""


def _locked(assignment: Assignment) -> tuple[str, str]:
    """Lock the assignment for this transaction; return its state and the tab that may save."""
    lock = " FOR NO KEY UPDATE" if connection.features.has_select_for_update else ""
    with connection.cursor() as cursor:
        cursor.execute(LOCKED + lock, [assignment.pk])
        row = cursor.fetchone()
    if row is None:
        raise Assignment.DoesNotExist
    return row[0], row[1]


def _shown(assignment: Assignment, positions: set[int]) -> dict[int, Shown]:
    """The items at these positions, in one query and without their texts."""
    possible = [position for position in positions if 0 < position <= MOST_POSITIONS]
    found: dict[int, Shown] = {}
    with connection.cursor() as cursor:
        if possible:
            query = SHOWN.format(positions=", ".join(["%s"] * len(possible)))
            cursor.execute(query, [assignment.pk, *possible])
            for position, order, item, kind, name, key in cursor.fetchall():
                shown = found.setdefault(position, Shown(item, kind, order, {}))
                shown.contents[name] = key
    if missing := positions - set(found):
        first = min(missing)
        such = f"item {first}" if abs(first) <= MOST_POSITIONS else "such item"
        raise NotAnAnswer(f"There is no {such} in this task.")
    return found


def _judgment(
    given: Given,
    shown: Shown,
    questions: dict[str, Question],
    rater: Rater,
    assignment: Assignment,
    now: datetime,
) -> Judgment:
    question = questions.get(given.question)
    if question is None:
        raise NotAnAnswer("This question is not part of this task.")
    if len(given.comment) > COMMENT_LIMIT or "\x00" in given.comment:
        raise NotAnAnswer(f"A reason may have up to {COMMENT_LIMIT} characters.")
    kind = item_kind(shown.kind)
    if given.slot not in (kind.judged if question.arity == Question.Arity.SLOT else ("",)):
        raise NotAnAnswer("This answer is about a text that is not part of this item.")
    answer = _answer(given, question, shown, kind.places)
    return Judgment(
        rater=rater,
        item_id=shown.item,
        question=question,
        slot=given.slot,
        shown=shown.order,
        assignment=assignment,
        raw=answer.raw,
        value=answer.value,
        score=answer.score,
        milliseconds=given.milliseconds,
        comment=given.comment,
        first_at=now,
        answered_at=now,
    )


def _answer(given: Given, question: Question, shown: Shown, places: tuple[str, ...]) -> Answer:
    try:
        return canonical(
            spec=question.scale.spec,
            raw=given.raw,
            shown=tuple(shown.order.split(",")),
            places=places,
            contents=shown.contents,
        )
    except NotOnScale as error:
        raise NotAnAnswer(str(error)) from error


def _rounds(judgments: Iterable[Judgment]) -> list[list[Judgment]]:
    """In the order given, each answer to a question once a round.

    A page that was offline sends a changed mind in one request; PostgreSQL refuses to touch a row
    twice in one statement.
    """
    rounds: list[list[Judgment]] = []
    times: dict[tuple[int, int, str], int] = defaultdict(int)
    for judgment in judgments:
        key = (judgment.item_id, judgment.question_id, judgment.slot)
        if times[key] == len(rounds):
            rounds.append([])
        rounds[times[key]].append(judgment)
        times[key] += 1
    return rounds


def _upsert(judgments: Sequence[Judgment]) -> None:
    """Insert, or answer anew; the same answer again writes nothing.

    `changes` counts the answers that differ from the one before.
    """
    table = connection.ops.quote_name(Judgment._meta.db_table)
    row = f"({', '.join(['%s'] * len(COLUMNS))})"
    adapt = connection.ops.adapt_datetimefield_value
    size = 50  # rows a statement: SQLite takes some thousand parameters
    with connection.cursor() as cursor:
        for start in range(0, len(judgments), size):
            some = judgments[start : start + size]
            values: list[Any] = []
            for each in some:
                values += [getattr(each, name) for name in COLUMNS[:-2]]
                values += [adapt(each.first_at), adapt(each.answered_at)]
            cursor.execute(
                f"INSERT INTO {table} ({', '.join(COLUMNS)}) "
                f"VALUES {', '.join([row] * len(some))} "
                "ON CONFLICT (rater_id, item_id, question_id, slot, shown) DO UPDATE SET "
                f"changes = {table}.changes + (CASE WHEN {table}.raw = excluded.raw THEN 0 "
                "ELSE 1 END), raw = excluded.raw, value = excluded.value, "
                "score = excluded.score, milliseconds = excluded.milliseconds, "
                "comment = excluded.comment, assignment_id = excluded.assignment_id, "
                "answered_at = excluded.answered_at "
                f"WHERE {table}.raw <> excluded.raw OR {table}.comment <> excluded.comment "
                f"OR {table}.assignment_id <> excluded.assignment_id",
                values,
            )


def _refuse_chosen_twice(judgments: Sequence[Judgment], rater: Rater) -> None:
    """The best of a block cannot be its worst as well.

    Looks at what is saved by now, so that both may change places in one request.
    """
    choices = Judgment.objects.filter(
        rater=rater,
        item__in={
            each.item_id for each in judgments if each.question.arity == Question.Arity.CHOOSE
        },
        question__arity=Question.Arity.CHOOSE,
    )
    chosen = choices.values("item", "question__criterion", "shown", "value")
    if chosen.annotate(times=Count("pk")).filter(times__gt=1).exists():
        raise NotAnAnswer("You chose this text for the opposite. Please choose another one.")


@transaction.atomic
def comment(*, assignment: Assignment, position: int, text: str) -> None:
    """Keep a worker's remark on an item. Raises NotLive or NotAnAnswer."""
    if len(text) > COMMENT_LIMIT or "\x00" in text:
        raise NotAnAnswer(f"A comment may have up to {COMMENT_LIMIT} characters.")
    # Locked, or a remark could be written just after its worker withdrew and all was erased.
    state, _ = _locked(assignment)
    if state != Assignment.State.ACTIVE:
        raise NotLive(state)
    _shown(assignment, {position})
    Showing.objects.filter(assignment=assignment, position=position).update(comment=text)


def open_positions(*, assignment: Assignment) -> list[int]:
    """Positions of the items that still have open questions.

    Draws the items if nobody has looked at them yet: else nothing would seem open.
    """
    questions = questions_of(assignment.study_id)
    answered = set(
        Judgment.objects.filter(assignment=assignment).values_list("item", "question", "slot")
    )
    per_slot = [each.pk for each in questions.values() if each.arity == Question.Arity.SLOT]
    per_item = [each.pk for each in questions.values() if each.arity != Question.Arity.SLOT]
    positions = []
    for showing in draw_showings(assignment=assignment):
        wanted = {(showing.item_id, pk, "") for pk in per_item}
        judged = item_kind(showing.item.kind).judged
        wanted |= {(showing.item_id, pk, slot) for pk in per_slot for slot in judged}
        if wanted - answered:
            positions.append(showing.position)
    return positions


@transaction.atomic
def submit(
    *, assignment: Assignment, now: datetime, exit_answers: dict[str, Any] | None = None
) -> Assignment:
    """Hand in a questionnaire. Raises Incomplete with the positions that are open, or NotLive."""
    state, _ = _locked(assignment)
    positions = open_positions(assignment=assignment) if state == Assignment.State.ACTIVE else []
    if positions:
        raise Incomplete(positions)
    return assigning.submit(assignment=assignment, now=now, exit_answers=exit_answers)


def answered_counts(*, assignment: Assignment) -> dict[int, int]:
    """How many answers each item (by id) has."""
    rows = Judgment.objects.filter(assignment=assignment).values_list("item", flat=True)
    counts: dict[int, int] = defaultdict(int)
    for item in rows:
        counts[item] += 1
    return counts
