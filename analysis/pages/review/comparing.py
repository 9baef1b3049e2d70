"""Compare each questionnaire with the others on its items, and store its agreement.

A list of a thousand questionnaires is sorted by it. A submission, a rejection or a withdrawal makes
its task due again.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from datetime import datetime

from django.db.models import Exists, OuterRef, Q

from analysis.models import AgreementWithOthers
from analysis.stats.agreement.rater_agreement import TooFewShared, agreement_with_others
from annotation.models import Assignment, Study
from judging.models import Judgment, TaskItem

Key = tuple[int, int, str]  # item, question, slot
AT_ONCE = 100  # questionnaires whose works a sweep compares


def uncompared() -> list[int]:
    """Return some of the tasks whose work changed since its last comparison."""
    works = Assignment.objects.filter(
        study__kind=Study.Kind.JUDGING, state__in=Assignment.HANDED_IN
    )
    beside = Assignment.objects.filter(task=OuterRef("task"))
    since = OuterRef("agreement_with_others__compared_at")
    moved = beside.filter(
        Q(submitted_at__gt=since) | Q(ended_at__gt=since) | Q(decisions__decided_at__gt=since)
    )
    stale = works.filter(Q(agreement_with_others=None) | Q(Exists(moved)))
    return sorted(set(stale.order_by("pk").values_list("task", flat=True)[:AT_ONCE]))


def compare(*, task: int, now: datetime) -> int:
    """Compare all submissions of a questionnaire and return how many there are."""
    works = dict(
        Assignment.objects.filter(task=task, state__in=Assignment.HANDED_IN).values_list(
            "pk", "state"
        )
    )
    answers = _answers(task, works)
    counts_by_key: dict[Key, Counter[str]] = defaultdict(Counter)
    for (_, state), mine in answers.items():
        if state in Assignment.COUNTING:
            for key, value in mine.items():
                counts_by_key[key][value] += 1
    rows = [
        _row(
            work,
            answers.get((work, state), {}),
            counts_by_key,
            counts=state in Assignment.COUNTING,
            now=now,
        )
        for work, state in works.items()
    ]
    AgreementWithOthers.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["assignment"],
        update_fields=["value", "low", "high", "items", "votes", "compared_at"],
    )
    # Who withdrew meanwhile has none: their answers are erased.
    gone = AgreementWithOthers.objects.filter(assignment__task=task)
    gone.exclude(assignment__state__in=Assignment.HANDED_IN).delete()
    return len(rows)


def _answers(task: int, works: Iterable[int]) -> dict[tuple[int, str], dict[Key, str]]:
    """Return the choices of each assignment and its state, also in tasks that share an item."""
    items = TaskItem.objects.filter(task=task, item__check_of=None).values("item")
    rows = Judgment.objects.filter(
        Q(assignment__state__in=Assignment.COUNTING) | Q(assignment__in=list(works)),
        item__in=items,
        question__scale__kind="options",
    ).exclude(raw="")
    answers: dict[tuple[int, str], dict[Key, str]] = defaultdict(dict)
    for work, state, item, question, slot, value in rows.order_by("pk").values_list(
        "assignment", "assignment__state", "item", "question", "slot", "value"
    ):
        answers[work, state][item, question, slot] = value
    return answers


def _row(
    work: int,
    mine: dict[Key, str],
    said: dict[Key, Counter[str]],
    *,
    counts: bool,
    now: datetime,
) -> AgreementWithOthers:
    shared: dict[int, tuple[int, int]] = {}
    for key, value in mine.items():
        same = said[key][value] - counts
        others = said[key].total() - counts
        before = shared.get(key[0], (0, 0))
        shared[key[0]] = (before[0] + same, before[1] + others)
    row = AgreementWithOthers(
        assignment_id=work,
        items=sum(others > 0 for _, others in shared.values()),
        votes=sum(others for _, others in shared.values()),
        compared_at=now,
    )
    try:
        agreement = agreement_with_others(shared)
    except TooFewShared:
        return row
    row.value, row.low, row.high = agreement.value, agreement.low, agreement.high
    return row
