"""Draws and stores the order in which one worker sees items and slots."""

from collections import defaultdict
from dataclasses import dataclass
from itertools import count

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q

from annotation.models import Assignment, Task
from annotation.work.allocation import draw, generator
from judging.items.contents import slot_names
from judging.items.kinds import item_kind
from judging.models import Instrument, Item, ItemSlot, Presentation, TaskItem


@dataclass(frozen=True)
class Part:
    """Items of a questionnaire that the same instruments are asked of, in nominal order: the id of
    each and the names of its slots that change places."""

    items: list[tuple[int, tuple[str, ...]]]
    instruments: list[int]
    is_fixed: bool


def draw_presentations(*, assignment: Assignment) -> list[Presentation]:
    """The presentations of an assignment; drawn on first call, the same ever after.

    Parts follow one another as they were designed; the items of a part are drawn. Whatever is
    asked of an item follows at once, with the slots where they stood.

    The draw is seeded by the study's seed, the worker's pseudonym and the task's number, so that
    it can be checked.
    """
    return _stored(assignment) or _draw(assignment)


def _stored(assignment: Assignment) -> list[Presentation]:
    erased = Q(response__text="") | Q(segment__response__text="")
    slots = ItemSlot.objects.filter(erased, item=OuterRef("item"))
    rows = assignment.presentations.select_related("item").annotate(erased=Exists(slots))
    presentations: list[Presentation] = []
    for each in rows:
        each.is_erased = each.erased
        presentations.append(each)
    return presentations


@transaction.atomic
def _draw(assignment: Assignment) -> list[Presentation]:
    # Without the key, as everywhere: a stronger lock asked for later could meet another request.
    Assignment.objects.select_for_update(no_key=True).get(pk=assignment.pk)
    if presentations := _stored(assignment):
        return presentations
    study, task = assignment.study, assignment.task
    rng = generator(study.seed, assignment.worker.pseudonym, task.batch.number, task.number)
    is_fixed = study.presentation.get("item_order") == "fixed"
    position = count(1)
    Presentation.objects.bulk_create(
        Presentation(
            assignment=assignment,
            item_id=drawn.item,
            instrument_id=instrument,
            position=next(position),
            order=",".join(drawn.order),
        )
        for part in _parts(task)
        for drawn in draw(
            items=part.items,
            rng=rng,
            sides=study.presentation.get("sides") != "fixed",
            shuffle=not (is_fixed or part.is_fixed),
        )
        for instrument in part.instruments
    )
    return _stored(assignment)


def _parts(task: Task) -> list[Part]:
    """The parts of a questionnaire; all that is asked of an item stands together."""
    rows = TaskItem.objects.filter(task=task).select_related("item")
    asked: dict[Item, list[tuple[int, str]]] = defaultdict(list)
    for row in rows.annotate(item_order=F("instrument__item_order")):
        asked[row.item].append((row.instrument_id, row.item_order))
    names = slot_names(asked)
    parts: dict[tuple[tuple[int, str], ...], list[tuple[int, tuple[str, ...]]]] = defaultdict(list)
    for item, instruments in asked.items():
        drawn = item_kind(item.kind).drawn(names[item.pk])
        parts[tuple(instruments)].append((item.pk, drawn))
    return [
        Part(
            items,
            instruments=[pk for pk, _ in instruments],
            is_fixed=any(order == Instrument.ItemOrder.FIXED for _, order in instruments),
        )
        for instruments, items in parts.items()
    ]
