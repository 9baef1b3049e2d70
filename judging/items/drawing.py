"""Draws and stores the order in which one worker sees items and slots."""

from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from annotation.models import Assignment
from annotation.work.allocation import draw, generator
from judging.items.contents import slot_names
from judging.items.kinds import item_kind
from judging.models import ItemSlot, Presentation, TaskItem


def draw_presentations(*, assignment: Assignment) -> list[Presentation]:
    """The presentations of an assignment; drawn on first call, the same ever after.

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
    settings, task = assignment.study.presentation, assignment.task
    rows = TaskItem.objects.filter(task=assignment.task_id).select_related("item")
    in_order = [row.item for row in rows]
    names = slot_names(in_order)
    items = [(item.pk, item_kind(item.kind).drawn(names[item.pk])) for item in in_order]
    shown = draw(
        items=items,
        rng=generator(
            assignment.study.seed, assignment.worker.pseudonym, task.batch.number, task.number
        ),
        sides=settings.get("sides") != "fixed",
        shuffle=settings.get("item_order") != "fixed",
    )
    Presentation.objects.bulk_create(
        Presentation(
            assignment=assignment,
            item_id=each.item,
            position=each.position,
            order=",".join(each.order),
        )
        for each in shown
    )
    return _stored(assignment)
