"""Items on which people's votes decide little, asked again: of experts, or of more people.

An item is decided in a question if one answer has at least three fifths of its votes there, and
undecided if that holds in fewer than five sevenths of its questions: the split of Gienapp et al.
(SIGIR 2025, Section 5.1 and Table 4), whose authors judged 30 such pairs themselves. The analysis
`differentiable` reports agreement on both parts.
"""

import hashlib
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, prod
from typing import NamedTuple

from django.db import connection, transaction
from django.db.models import BigIntegerField, Case, Count, Func, QuerySet, Sum, Value, When
from django.db.models.functions import Cast

from annotation.models import Assignment, Batch
from annotation.studies.creating import next_batch
from annotation.texts.sentences import Sentence
from judging.design.checking import deal_checks
from judging.design.designing import DesignedQuestionnaire, PlannedPage, write_questionnaires
from judging.designers.questionnaires import CannotDesign
from judging.models import Item, Judgment, Question, TaskItem

Page = tuple[int, int]  # the ids of an item and of the instrument that asks about it
BITS = 62  # of a sum that counts votes on several questions
MARGIN = 16  # times as many votes as an item can get
# Votes on each value: a row for all questions about an item takes half the time of a row for each.
ANSWERS = """
WITH votes AS ({votes}),
answers AS (SELECT item, slot, {answers} FROM votes GROUP BY item, slot),
asked AS (SELECT {sums} FROM (SELECT slot, {most} FROM answers GROUP BY slot) AS slots)
"""
# 3/5 of votes and 5/7 of questions, in whole numbers.
ANSWER = (
    "CASE WHEN SUM({n}) > 0 THEN 1 ELSE 0 END AS a{q}, "
    "CASE WHEN SUM({n}) > 0 AND 5 * MAX({n}) >= 3 * SUM({n}) THEN 1 ELSE 0 END AS d{q}"
)
UNDECIDED = """
SELECT item, {instrument} FROM answers CROSS JOIN asked
GROUP BY item, {asked} HAVING SUM({answered}) > 0 AND 7 * SUM({decided}) < 5 * ({asked})
"""


@dataclass(frozen=True)
class FollowUpSize:
    """Numbers of undecided items of a batch, and of the items and tasks of a follow-up."""

    undecided: int
    items: int
    tasks: int


class UndecidedPage(NamedTuple):
    """Ids of a page of a questionnaire, its item and its instrument."""

    pk: int
    item_id: int
    instrument_id: int


def undecided_pages(batch: Batch) -> list[UndecidedPage]:
    """Return the pages of a batch whose item is undecided, once each, in a fixed order.

    Submissions count that results count. An item without a vote is not undecided: it is missing.
    """
    rows = _pages(batch).order_by("-task__number", "pk")
    pages = {
        (item, instrument): UndecidedPage(pk, item, instrument)
        for pk, item, instrument in rows.values_list("pk", "item_id", "instrument_id")
    }
    return sorted(pages[page] for page in _undecided(batch) if page in pages)


@transaction.atomic
def ask_undecided(*, batch: Batch, items: int, votes: int, name: str) -> Batch:
    """Add a planned batch on at most `items` undecided items of a batch, drawn by the study's seed.

    Its tasks are as long as those of the batch. Raises CannotDesign.
    """
    sheets = _sheets(batch, undecided_pages(batch), items=items, votes=votes)
    further = next_batch(study=batch.study, name=name)
    Batch.objects.filter(pk=further.pk).update(design=batch.design)
    write_questionnaires(batch=further, sheets=sheets)
    deal_checks(batch=further)
    further.refresh_from_db()
    return further


def foreseen(*, batch: Batch, items: int, votes: int) -> FollowUpSize:
    """Return the size of `ask_undecided` without a change. Raises CannotDesign."""
    undecided = undecided_pages(batch)
    sheets = _sheets(batch, undecided, items=items, votes=votes)
    of_all = len({row.item_id for row in undecided})
    return FollowUpSize(of_all, sum(len(sheet.pages) for sheet in sheets), len(sheets))


def _sheets(
    batch: Batch, undecided: Sequence[UndecidedPage], *, items: int, votes: int
) -> list[DesignedQuestionnaire]:
    """Return the questionnaires of a follow-up, those of an arm together. Raises CannotDesign."""
    drawn = sorted(undecided, key=lambda row: _order(batch, row))[:items]
    if not drawn:
        raise CannotDesign(
            "none_undecided", Sentence("This batch has no undecided items with votes.")
        )
    counted = _pages(batch).order_by().values_list("task").annotate(n=Count("pk"))
    lengths: dict[int, int] = dict(counted)
    longest = max(lengths.values())
    complete = TaskItem.objects.select_related("item", "instrument", "task")
    by_pk = complete.in_bulk([row.pk for row in drawn])
    by_arm: dict[str, list[TaskItem]] = defaultdict(list)
    for row in (by_pk[row.pk] for row in drawn):
        by_arm[row.task.arm].append(row)
    sheets = []
    for arm, rows in by_arm.items():
        tasks = ceil(len(rows) / longest)
        for number in range(tasks):
            some = rows[number::tasks]  # tasks of equal length, give or take one
            words = sum(row.task.words / lengths[row.task_id] for row in some)
            pages = [PlannedPage(row.item, row.instrument) for row in some]
            sheets.append(
                DesignedQuestionnaire(pages=pages, quota=votes, words=round(words), arm=arm)
            )
    return sheets


def _pages(batch: Batch) -> "QuerySet[TaskItem]":
    return TaskItem.objects.filter(task__batch=batch, item__check_of=None)


def _undecided(batch: Batch) -> list[Page]:
    """Return the pages with votes that are undecided, by the submissions that count."""
    asked = Question.objects.filter(instrument__study=batch.study_id).order_by("pk")
    by_instrument: dict[int, list[int]] = defaultdict(list)
    for question, instrument in asked.values_list("pk", "instrument"):
        by_instrument[instrument].append(question)
    questions = [question for some in by_instrument.values() for question in some]
    if not questions:
        return []
    sums, counts = _packed(questions, most=_most_votes(batch))
    counting = Assignment.objects.counting().filter(task__batch=batch).order_by().values("pk")
    checks = Item.every.filter(study=batch.study_id, check_of__isnull=False).values("pk")
    votes = (
        Judgment.objects.filter(assignment__in=counting)
        .exclude(raw="")
        .exclude(item__in=checks)
        .order_by()
        .values("item", "slot", "value")
        .annotate(**sums)
    )
    statement, parameters = votes.query.sql_with_params()
    a = [f"a{question}" for question in questions]
    answers = ANSWERS.format(
        votes=statement,
        answers=", ".join(ANSWER.format(n=n, q=question) for question, n in counts.items()),
        sums=", ".join(f"SUM({name}) AS {name}" for name in a),
        most=", ".join(f"MAX({name}) AS {name}" for name in a),
    )
    undecided = " UNION ALL ".join(
        UNDECIDED.format(
            instrument=instrument,
            asked=" + ".join(f"asked.a{question}" for question in some),
            answered=" + ".join(f"answers.a{question}" for question in some),
            decided=" + ".join(f"d{question}" for question in some),
        )
        for instrument, some in by_instrument.items()
    )
    with connection.cursor() as cursor:
        cursor.execute(answers + undecided, parameters)
        return [(item, instrument) for item, instrument in cursor.fetchall()]


def _most_votes(batch: Batch) -> int:
    """Return more votes than any item of a batch has on an answer."""
    workers = Assignment.objects.counting().filter(task__batch=batch).order_by().values("task")
    pages = _pages(batch).order_by().values("item")
    counted = [rows.annotate(n=Count("pk")).order_by("-n") for rows in (workers, pages)]
    most: list[int] = [rows.values_list("n", flat=True).first() or 1 for rows in counted]
    return MARGIN * prod(most)


def _packed(questions: Sequence[int], *, most: int) -> tuple[dict[str, Func], dict[int, str]]:
    """Return sums that count the votes on several questions each, and SQL of each count."""
    bits = most.bit_length()
    at_once = max(BITS // bits, 1)
    sums: dict[str, Func] = {}
    counts: dict[int, str] = {}
    for first in range(0, len(questions), at_once):
        some, name = questions[first : first + at_once], f"n{first}"
        weights = [
            When(question=question, then=Value(1 << bits * place, BigIntegerField()))
            for place, question in enumerate(some)
        ]
        weight = Case(*weights, default=Value(0, BigIntegerField()))
        sums[name] = Cast(Sum(weight), BigIntegerField())
        counts |= {
            question: f"CAST(({name} >> {bits * place}) & {(1 << bits) - 1} AS integer)"
            for place, question in enumerate(some)
        }
    return sums, counts


def _order(batch: Batch, row: UndecidedPage) -> str:
    """Return a key that puts rows in an order at random, the same each time."""
    return hashlib.sha256(
        f"{batch.study.seed}:{row.item_id}:{row.instrument_id}".encode()
    ).hexdigest()
