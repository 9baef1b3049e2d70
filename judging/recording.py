"""Saving what raters answer. The hot path: three queries and one upsert a saved page.

A repeated request changes nothing, an answer can be given anew until the work is submitted, and
nothing is taken for an assignment that is not the worker's, not active, or open in another tab.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection, transaction

from annotation import assigning
from annotation.models import Assignment
from annotation.refusals import Incomplete, NotAnAnswer, NotLive, OtherTab
from judging.kinds import item_kind
from judging.models import ItemSlot, Judgment, Question, Rater, Showing, rater_of
from judging.scales import Answer, NotOnScale, canonical

COMMENT_LIMIT = 5000  # characters


@dataclass(frozen=True)
class Given:
    """One answer as it comes from a page. `slot` only for questions asked of each slot."""

    position: int
    question: str
    raw: str
    slot: str = ""
    milliseconds: int | None = None
    comment: str = ""


def questions_of(study_id: int) -> dict[str, Question]:
    """The questions of a study by key, with criterion and scale, in their order."""
    rows = Question.objects.filter(study=study_id).select_related("criterion", "scale")
    return {question.key: question for question in rows.order_by("position")}


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
    state, current_tab = (
        Assignment.objects.select_for_update(no_key=True)
        .values_list("state", "tab")
        .get(pk=assignment.pk)
    )
    if state != Assignment.State.ACTIVE:
        raise NotLive(state)
    if tab is not None and current_tab and tab != current_tab:
        raise OtherTab
    if questions is None:
        questions = questions_of(assignment.study_id)
    showings = _showings(assignment, {each.position for each in answers})
    contents = _contents(showings.values())
    rater = rater or rater_of(assignment.worker)
    judgments = [
        _judgment(each, showings, questions, contents, rater, assignment, now) for each in answers
    ]
    _refuse_chosen_twice(judgments, assignment)
    return _upsert(judgments)


def _showings(assignment: Assignment, positions: set[int]) -> dict[int, Showing]:
    rows = assignment.showings.filter(position__in=positions).select_related("item")
    found = {showing.position: showing for showing in rows}
    if missing := positions - set(found):
        raise NotAnAnswer(f"There is no item {min(missing)} in this task.")
    return found


def _contents(showings: Iterable[Showing]) -> dict[int, dict[str, str]]:
    """Per item: slot name -> key of what stands there."""
    contents: dict[int, dict[str, str]] = defaultdict(dict)
    slots = ItemSlot.objects.filter(item__in=[each.item_id for each in showings])
    for slot in slots.select_related("response", "passage", "segment", "criterion"):
        content: Any = slot.content
        contents[slot.item_id][slot.name] = getattr(content, "key", None) or str(content.pk)
    return contents


def _judgment(
    given: Given,
    showings: dict[int, Showing],
    questions: dict[str, Question],
    contents: dict[int, dict[str, str]],
    rater: Rater,
    assignment: Assignment,
    now: datetime,
) -> Judgment:
    showing = showings[given.position]
    question = questions.get(given.question)
    if question is None:
        raise NotAnAnswer("This question is not part of this task.")
    if len(given.comment) > COMMENT_LIMIT or "\x00" in given.comment:
        raise NotAnAnswer(f"A reason may have up to {COMMENT_LIMIT} characters.")
    kind = item_kind(showing.item.kind)
    if given.slot not in (kind.judged if question.arity == Question.Arity.SLOT else ("",)):
        raise NotAnAnswer("This answer is about a text that is not part of this item.")
    answer = _answer(given, question, showing, kind.places, contents[showing.item_id])
    return Judgment(
        rater=rater,
        item_id=showing.item_id,
        question=question,
        slot=given.slot,
        shown=showing.order,
        assignment=assignment,
        raw=answer.raw,
        value=answer.value,
        score=answer.score,
        milliseconds=given.milliseconds,
        comment=given.comment,
        first_at=now,
        answered_at=now,
    )


def _answer(
    given: Given,
    question: Question,
    showing: Showing,
    places: tuple[str, ...],
    contents: dict[str, str],
) -> Answer:
    try:
        return canonical(
            spec=question.scale.spec,
            raw=given.raw,
            shown=tuple(showing.order.split(",")),
            places=places,
            contents=contents,
        )
    except NotOnScale as error:
        raise NotAnAnswer(str(error)) from error


def _refuse_chosen_twice(judgments: Sequence[Judgment], assignment: Assignment) -> None:
    """The best of a block cannot be its worst as well."""
    for judgment in judgments:
        if judgment.question.arity != Question.Arity.CHOOSE:
            continue
        others = Judgment.objects.filter(
            rater=judgment.rater,
            item=judgment.item_id,
            value=judgment.value,
            question__arity=Question.Arity.CHOOSE,
            question__criterion=judgment.question.criterion_id,
        ).exclude(question=judgment.question)
        if others.exists():
            raise NotAnAnswer("You chose this text for the opposite. Please choose another one.")


def _upsert(judgments: Sequence[Judgment]) -> int:
    """Insert, or answer anew. `changes` counts only answers that differ from the one before."""
    if not judgments:
        return 0
    table = connection.ops.quote_name(Judgment._meta.db_table)
    names = [
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
    ]
    row = f"({', '.join(['%s'] * len(names))})"
    adapt = connection.ops.adapt_datetimefield_value
    size = 50  # rows a statement: SQLite takes some thousand parameters
    with connection.cursor() as cursor:
        for start in range(0, len(judgments), size):
            some = judgments[start : start + size]
            values: list[Any] = []
            for each in some:
                values += [getattr(each, name) for name in names[:-2]]
                values += [adapt(each.first_at), adapt(each.answered_at)]
            cursor.execute(
                f"INSERT INTO {table} ({', '.join(names)}) VALUES {', '.join([row] * len(some))} "
                "ON CONFLICT (rater_id, item_id, question_id, slot, shown) DO UPDATE SET "
                f"changes = {table}.changes + (CASE WHEN {table}.raw = excluded.raw THEN 0 "
                "ELSE 1 END), raw = excluded.raw, value = excluded.value, "
                "score = excluded.score, milliseconds = excluded.milliseconds, "
                "comment = excluded.comment, assignment_id = excluded.assignment_id, "
                "answered_at = excluded.answered_at",
                values,
            )
    return len(judgments)


def comment(*, assignment: Assignment, position: int, text: str) -> None:
    """Keep a worker's remark on an item. Raises NotLive or NotAnAnswer."""
    if len(text) > COMMENT_LIMIT or "\x00" in text:
        raise NotAnAnswer(f"A comment may have up to {COMMENT_LIMIT} characters.")
    saved = Showing.objects.filter(
        assignment=assignment, position=position, assignment__state=Assignment.State.ACTIVE
    ).update(comment=text)
    if not saved:
        assignment.refresh_from_db()
        if assignment.state != Assignment.State.ACTIVE:
            raise NotLive(assignment.state)
        raise NotAnAnswer(f"There is no item {position} in this task.")


def open_positions(*, assignment: Assignment) -> list[int]:
    """Positions of the items that still have open questions."""
    questions = questions_of(assignment.study_id)
    answered = set(
        Judgment.objects.filter(assignment=assignment).values_list("item", "question", "slot")
    )
    per_slot = [each.pk for each in questions.values() if each.arity == Question.Arity.SLOT]
    per_item = [each.pk for each in questions.values() if each.arity != Question.Arity.SLOT]
    positions = []
    for showing in assignment.showings.select_related("item"):
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
    Assignment.objects.select_for_update(no_key=True).get(pk=assignment.pk)
    if positions := open_positions(assignment=assignment):
        assignment.refresh_from_db()
        if assignment.state in Assignment.LIVE:
            raise Incomplete(positions)
    return assigning.submit(assignment=assignment, now=now, exit_answers=exit_answers)


def answered_counts(*, assignment: Assignment) -> dict[int, int]:
    """How many answers each item (by id) has."""
    rows = Judgment.objects.filter(assignment=assignment).values_list("item", flat=True)
    counts: dict[int, int] = defaultdict(int)
    for item in rows:
        counts[item] += 1
    return counts
