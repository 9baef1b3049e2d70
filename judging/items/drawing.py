"""Drawing and storing the order of items and slots for a worker."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from types import MappingProxyType
from typing import Any

import numpy as np
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q

from annotation.bulk_inserting import insert_all
from annotation.fieldwork.work.item_order import draw, generator
from annotation.fieldwork.work.prepared_statements import PreparedQuery
from annotation.models import Assignment, Study
from annotation.models.corpus import erased_text
from judging.items.contents import slot_names
from judging.items.kinds import item_kind
from judging.models import Instrument, Item, ItemRole, ItemSlot, Presentation, Question, TaskItem

ERASED = (  # of a slot
    erased_text("response__")
    | erased_text("segment__response__")
    | Q(criterion__name="", criterion__definition="")
)
STORED = PreparedQuery(
    lambda assignment: (
        Presentation.objects.filter(assignment=assignment)
        .select_related("item__check_of")
        .annotate(  # type: ignore[no-redef]  # the model declares what this query fills
            is_erased=Exists(ItemSlot.objects.filter(ERASED, item=OuterRef("item")))
        )
        .order_by("position")
    ),
    -1,
)
WITHDRAWN = PreparedQuery(
    lambda assignment: Presentation.objects.filter(
        Exists(ItemSlot.objects.filter(ERASED, item=OuterRef("item"))), assignment=assignment
    ).values_list("pk"),
    -1,
)


@dataclass(frozen=True)
class QuestionnairePart:
    """Items of a questionnaire with the same instruments, in nominal order, with moving slots."""

    items: list[tuple[int, tuple[str, ...]]]
    instruments: list[int]
    is_fixed: bool


@dataclass(frozen=True)
class ItemOnPage:
    """An item for a worker: the order of its slots, and its instruments."""

    item: int
    order: tuple[str, ...]
    instruments: list[int]


def draw_presentations(*, assignment: Assignment) -> list[Presentation]:
    """Return the presentations of an assignment, drawn on the first call.

    Parts keep their designed order; the items of a part are drawn. All questions on an item follow
    at once, with its slots in the same order.

    The draw is seeded by the study's seed, the worker's pseudonym and the task's number, so that
    it can be checked.
    """
    return _stored(assignment) or _draw(assignment)


def _stored(assignment: Assignment) -> list[Presentation]:
    presentations = STORED.fetch(assignment.pk)
    for presentation in presentations:
        presentation.assignment = assignment
    return presentations


def withdrawn_count(*, assignment: int) -> int:
    """Return how many presentations of an assignment have a withdrawn text."""
    return len(WITHDRAWN.fetch(assignment))


@transaction.atomic
def _draw(assignment: Assignment) -> list[Presentation]:
    # Without the key, as everywhere: a stronger lock asked for later could meet another request.
    Assignment.objects.select_for_update(no_key=True).get(pk=assignment.pk)
    if assignment.presentations.exists():
        return _stored(assignment)
    rows, erased = _asked_with_erased(assignment)
    items = {row.item_id: row.item for row in rows}
    shown = _shown(rows, assignment)
    orders = question_orders(_asked_keys(assignment), assignment)
    presentations = presentations_of(shown, assignment, orders)
    for presentation in Presentation.objects.bulk_create(presentations):
        presentation.item, presentation.is_erased = (
            items[presentation.item_id],
            presentation.item_id in erased,
        )
    return presentations


@transaction.atomic
def draw_all(*, assignments: Sequence[Assignment]) -> dict[int, list[Presentation]]:
    """Draw the presentations of assignments that have none, by ID; each as drawn alone."""
    read = _asked_of({assignment.task_id for assignment in assignments})
    fixed: dict[int, list[ItemOnPage]] = {}
    drawn: dict[int, list[Presentation]] = {}
    for assignment in assignments:
        task = assignment.task_id
        shown = fixed.get(task) or _shown(read[task][0], assignment)
        if _is_fixed(read[task][0], assignment):
            fixed[task] = shown
        orders = question_orders(_asked_keys(assignment), assignment)
        drawn[assignment.pk] = presentations_of(shown, assignment, orders)
    insert_all(row for rows in drawn.values() for row in rows)
    for assignment in assignments:
        rows, erased = read[assignment.task_id]
        items = {row.item_id: row.item for row in rows}
        for presentation in drawn[assignment.pk]:
            presentation.item = items[presentation.item_id]
            presentation.is_erased = presentation.item_id in erased
    return drawn


def _is_fixed(rows: Sequence[TaskItem], assignment: Assignment) -> bool:
    """Return whether all workers are shown the same."""
    order = assignment.study.presentation.get("item_order")
    has_checks = any(row.item.check_of is not None for row in rows)
    return order == "fixed" and not _changes_sides(assignment) and not has_checks


def looked_at(*, assignment: Assignment) -> list[Presentation]:
    """Return the presentations of an imagined assignment, unsaved."""
    rows, erased = _asked_with_erased(assignment)
    items = {row.item_id: row.item for row in rows}
    asked_keys = _asked_keys(assignment)
    return imagined(
        _shown(rows, assignment), assignment, items=items, erased=erased, asked=asked_keys
    )


def _asked_with_erased(assignment: Assignment) -> tuple[list[Any], set[int]]:
    """Return the contents of a questionnaire, and its items with a withdrawn text."""
    return _asked_of({assignment.task_id})[assignment.task_id]


def _asked_of(tasks: Collection[int]) -> dict[int, tuple[list[Any], set[int]]]:
    """Return the same by task."""
    slots = ItemSlot.objects.filter(ERASED, item=OuterRef("item"))
    task_items = TaskItem.objects.filter(task__in=tasks).select_related("item__check_of")
    task_items = task_items.annotate(item_order=F("instrument__item_order"), erased=Exists(slots))
    asked: dict[int, tuple[list[Any], set[int]]] = {task: ([], set()) for task in tasks}
    for row in task_items.order_by("position"):
        rows, erased = asked[row.task_id]
        rows.append(row)
        if row.erased:
            erased.add(row.item_id)
    return asked


def _shown(rows: Sequence[TaskItem], assignment: Assignment) -> list[ItemOnPage]:
    """Return all items of a questionnaire, with its checks."""
    shown = in_drawn_order([row for row in rows if row.item.check_of is None], assignment)
    checks = [row for row in rows if row.item.check_of is not None]
    if checks:
        shown = with_checks(
            shown,
            checks,
            rng=generator(*_seed(assignment), "checks"),
            sides=_changes_sides(assignment),
            trained=_trained(assignment),
        )
    return shown


def _seed(assignment: Assignment) -> tuple[int, str, int, int]:
    study, task = assignment.study, assignment.task
    return study.seed, assignment.worker.pseudonym, task.batch.number, task.number


def _changes_sides(assignment: Assignment) -> bool:
    return bool(assignment.study.presentation.get("sides") != "fixed")


def in_drawn_order(rows: Sequence[TaskItem], assignment: Assignment) -> list[ItemOnPage]:
    """Return the judged items of a questionnaire in the order drawn for a worker.

    `rows` are in nominal order; each has the `item_order` of its instrument.
    """
    rng = generator(*_seed(assignment))
    is_fixed = assignment.study.presentation.get("item_order") == "fixed"
    return [
        ItemOnPage(drawn.item, drawn.order, part.instruments)
        for part in _parts(rows)
        for drawn in draw(
            items=part.items,
            rng=rng,
            sides=_changes_sides(assignment),
            shuffle=not (is_fixed or part.is_fixed),
        )
    ]


def _asked_keys(assignment: Assignment) -> dict[int, list[str]]:
    """Return the keys of the questions by instrument, where their order is drawn."""
    if assignment.study.question_order != Study.QuestionOrder.DRAWN:
        return {}
    keys: dict[int, list[str]] = defaultdict(list)
    rows = Question.objects.filter(study=assignment.study_id).order_by("position")
    for instrument, key in rows.values_list("instrument", "key"):
        keys[instrument].append(key)
    return keys


def question_orders(
    asked: Mapping[int, Sequence[str]], assignment: Assignment
) -> dict[int, list[str]]:
    """Return the drawn order of the questions of each instrument; {} if it is fixed.

    Seeded without the task, so that a worker has the same order in all tasks of a study.
    """
    study = assignment.study
    if study.question_order != Study.QuestionOrder.DRAWN:
        return {}
    rng = generator(study.seed, assignment.worker.pseudonym, "questions")
    return {
        instrument: [keys[place] for place in rng.permutation(len(keys))]
        for instrument, keys in asked.items()
    }


def presentations_of(
    shown: Sequence[ItemOnPage],
    assignment: Assignment,
    question_orders: Mapping[int, list[str]] = MappingProxyType({}),
) -> list[Presentation]:
    """Return unsaved presentations."""
    position = count(1)
    return [
        Presentation(
            assignment=assignment,
            item_id=page.item,
            instrument_id=instrument,
            position=next(position),
            order=",".join(page.order),
            question_order=question_orders.get(instrument, []),
        )
        for page in shown
        for instrument in page.instruments
    ]


def imagined(
    shown: Sequence[ItemOnPage],
    assignment: Assignment,
    *,
    items: Mapping[int, Item],
    erased: Collection[int] = (),
    asked: Mapping[int, Sequence[str]] = MappingProxyType({}),
) -> list[Presentation]:
    """Return unsaved presentations without ids.

    `erased` are items with a withdrawn text, `asked` the keys of questions by instrument.
    """
    presentations = presentations_of(shown, assignment, question_orders(asked, assignment))
    for presentation in presentations:
        presentation.pk, presentation.item = -presentation.position, items[presentation.item_id]
        presentation.is_erased = presentation.item_id in erased
    return presentations


def _trained(assignment: Assignment) -> bool:
    """Return whether the worker has seen the study's training items before."""
    met = Presentation.objects.filter(
        assignment__worker=assignment.worker_id, assignment__study=assignment.study_id
    )
    return met.filter(item__check_of__role=ItemRole.TRAINING).exists()


def with_checks(
    shown: Sequence[ItemOnPage],
    checks: Sequence[TaskItem],
    *,
    rng: np.random.Generator,
    sides: bool,
    trained: bool,
) -> list[ItemOnPage]:
    """Return the pages of a worker with the checks between them.

    1. Training items come first, in their order, unless the worker has had them.
    2. The others come after an item that is drawn for each, never before the first.
    """
    names = slot_names(row.item for row in checks)
    items = [(row.pk, item_kind(row.item.kind).drawn(names[row.item_id])) for row in checks]
    orders = {d.item: d.order for d in draw(items=items, rng=rng, sides=sides)}
    pages = {row.pk: ItemOnPage(row.item_id, orders[row.pk], [row.instrument_id]) for row in checks}
    first = [] if trained else [pages[row.pk] for row in checks if row.role == ItemRole.TRAINING]
    later = [pages[row.pk] for row in checks if row.role != ItemRole.TRAINING]
    after: dict[int, list[ItemOnPage]] = defaultdict(list)
    places = rng.permutation(np.resize(np.arange(len(shown)), max(len(shown), len(later))))
    for page, place in zip(later, places.tolist(), strict=False):
        after[place].append(page)
    return [
        *first,
        *(presentation for n, page in enumerate(shown) for presentation in (page, *after[n])),
    ]


def _parts(rows: Iterable[Any]) -> list[QuestionnairePart]:
    """Return the parts of a questionnaire, which keep the questions on an item together."""
    items_by_instruments: dict[Item, list[tuple[int, str]]] = defaultdict(list)
    for row in rows:
        items_by_instruments[row.item].append((row.instrument_id, row.item_order))
    names = slot_names(items_by_instruments)
    parts: dict[tuple[tuple[int, str], ...], list[tuple[int, tuple[str, ...]]]] = defaultdict(list)
    for item, instruments in items_by_instruments.items():
        drawn = item_kind(item.kind).drawn(names[item.pk])
        parts[tuple(instruments)].append((item.pk, drawn))
    return [
        QuestionnairePart(
            items,
            instruments=[pk for pk, _ in instruments],
            is_fixed=any(order == Instrument.ItemOrder.FIXED for _, order in instruments),
        )
        for instruments, items in parts.items()
    ]
