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
from math import ceil

from django.db import connection, transaction
from django.db.models import Count, IntegerField, QuerySet
from django.db.models.functions import Cast

from annotation.models import Assignment, Batch
from annotation.studies.creating import next_batch
from annotation.texts.sentences import Sentence
from judging.design.checking import deal_checks
from judging.design.designing import DesignedQuestionnaire, PlannedPage, write_questionnaires
from judging.designers.questionnaires import CannotDesign
from judging.models import Item, Judgment, Question, TaskItem

Page = tuple[int, int]  # the ids of an item and of the instrument that asks about it
# From the number of votes on each value, in whole numbers: 3/5 of votes and 5/7 of questions.
UNDECIDED = """
WITH votes(item, question, slot, value, n) AS ({votes}),
answers AS (
    SELECT item, question, slot, 5 * MAX(n) >= 3 * SUM(n) AS decided
    FROM votes GROUP BY item, question, slot
),
of_instrument(question, instrument) AS ({questions}),
asked AS (
    SELECT instrument, COUNT(*) AS questions
    FROM (SELECT DISTINCT question, slot FROM answers) AS once
    JOIN of_instrument USING (question) GROUP BY instrument
)
SELECT item, instrument FROM answers JOIN of_instrument USING (question)
JOIN asked USING (instrument)
GROUP BY item, instrument, questions
HAVING 7 * SUM(CASE WHEN decided THEN 1 ELSE 0 END) < 5 * questions
"""


@dataclass(frozen=True)
class FollowUpSize:
    """Numbers of undecided items of a batch, and of the items and tasks of a follow-up."""

    undecided: int
    items: int
    tasks: int


def undecided_pages(batch: Batch) -> list[TaskItem]:
    """Return the pages of a batch whose item is undecided, once each, in a fixed order.

    Submissions count that results count. An item without a vote is not undecided: it is missing.
    """
    undecided = _undecided(batch)
    rows = _pages(batch).order_by("-task", "pk").values_list("item_id", "instrument_id", "pk")
    pages = {(item, instrument): pk for item, instrument, pk in rows}
    shown = _pages(batch).filter(pk__in=[pages[page] for page in undecided if page in pages])
    return list(shown.order_by("pk"))


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
    batch: Batch, undecided: Sequence[TaskItem], *, items: int, votes: int
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
    """Return the pages with votes that are undecided, by the submissions that count.

    Votes are grouped before they are joined, and summed as integers instead of numerics: that
    takes two thirds of the time.
    """
    counting = Assignment.objects.counting().filter(task__batch=batch).order_by().values("pk")
    checks = Item.every.filter(study=batch.study_id, check_of__isnull=False).values("pk")
    votes = (
        Judgment.objects.filter(assignment__in=counting)
        .exclude(raw="")
        .exclude(item__in=checks)
        .order_by()
        .values_list("item", "question", "slot", "value")
        .annotate(n=Cast(Count("pk"), IntegerField()))
    )
    questions = Question.objects.filter(instrument__study=batch.study_id).order_by()
    counted, parameters = votes.query.sql_with_params()
    asked, of_study = questions.values_list("pk", "instrument").query.sql_with_params()
    with connection.cursor() as cursor:
        cursor.execute(UNDECIDED.format(votes=counted, questions=asked), (*parameters, *of_study))
        return [(item, instrument) for item, instrument in cursor.fetchall()]


def _order(batch: Batch, row: TaskItem) -> str:
    """Return a key that puts rows in an order at random, the same each time."""
    return hashlib.sha256(
        f"{batch.study.seed}:{row.item_id}:{row.instrument_id}".encode()
    ).hexdigest()
