"""Copying attention, gold and training items with the instruments, and dealing them.

They follow the judged items; their place is drawn for each worker (judging.items.drawing). They do
not change how judged items are dealt.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np
from django.db import transaction

from annotation.fieldwork.work.item_order import generator
from annotation.models import Batch, Response, Segment, Study, Task
from judging.design.known_items import contents_of, expected_of
from judging.instruments.files import as_json
from judging.instruments.schema import InstrumentFile
from judging.items.keys import unit_of
from judging.items.kinds import item_kind
from judging.models import Check, Instrument, Item, ItemSlot, Role, TaskItem


@transaction.atomic
def copy_checks(*, study: Study, files: Sequence[InstrumentFile]) -> list[Check]:
    """Give a study the checks of its instruments. Raises BadInstrument."""
    instruments = {instrument.key: instrument for instrument in study.instruments.all()}
    positions = count(1)
    return Check.objects.bulk_create(
        Check(study=study, instrument=instruments[file.name], position=next(positions), **values)
        for file in files
        for values in _said(file, instruments[file.name])
    )


def _said(file: InstrumentFile, instrument: Instrument) -> Iterable[dict[str, Any]]:
    for attention in file.attention:
        yield {
            "role": Role.ATTENTION,
            "key": attention.key,
            "spec": as_json(attention),
            "expected": {answer.key: answer.answer for answer in attention.answers},
        }
    kind, corpus = item_kind(file.item_kind), instrument.study.corpus
    for role, items_of_role in ((Role.GOLD, file.gold), (Role.TRAINING, file.training)):
        criteria = (
            {criterion.key: criterion for criterion in instrument.criteria.all()}
            if items_of_role
            else {}
        )
        for known_item in items_of_role:
            contents = contents_of(known_item.item, kind=kind, corpus=corpus, criteria=criteria)
            expected = expected_of(known_item.answers, file=file, kind=kind, contents=contents)
            spec = as_json(known_item) | {
                "contents": [content.pk for content in contents.values()],
                "names": list(contents),
            }
            yield {"role": role, "key": known_item.key, "spec": spec, "expected": expected}


@dataclass(frozen=True)
class CheckPage:
    """A check in a questionnaire, and the item whose texts an attention item has."""

    task: Task
    check: Check
    like: Item | None


@transaction.atomic
def deal_checks(*, batch: Batch) -> None:
    """Put checks into the questionnaires of a batch, the same for the same seed.

    Attention and training items come into each; of the gold items of an instrument its wanted
    number, and none whose texts the questionnaire has already.
    """
    study = batch.study
    checks = list(study.checks.select_related("instrument").order_by("position"))
    if not checks:
        return
    rows = TaskItem.objects.filter(task__batch=batch).select_related("item").order_by("position")
    checks_by_instrument: dict[int, list[TaskItem]] = defaultdict(list)
    for row in rows:
        checks_by_instrument[row.task_id].append(row)
    pages = [
        page
        for task in batch.tasks.order_by("number")
        for page in _dealt(study, batch, task, checks, checks_by_instrument[task.pk])
    ]
    _write(
        study,
        batch,
        pages,
        {pk: len(last_checks) for pk, last_checks in checks_by_instrument.items()},
    )


def _dealt(
    study: Study, batch: Batch, task: Task, checks: Sequence[Check], asked: Sequence[TaskItem]
) -> Iterable[CheckPage]:
    rng = generator(study.seed, "checks", batch.number, task.number)
    units = {row.item.unit for row in asked}
    gold: dict[int, list[Check]] = defaultdict(list)
    for check in checks:
        if check.role == Role.GOLD and _unit(check) not in units:
            gold[check.instrument_id].append(check)
    drawn = {
        check.pk
        for checks_of_instrument in gold.values()
        for check in _some(
            checks_of_instrument,
            checks_of_instrument[0].instrument.checked_with.get("gold", 1),
            rng,
        )
    }
    for check in checks:
        if check.role == Role.GOLD and check.pk not in drawn:
            continue
        like = None
        if check.role == Role.ATTENTION:
            texts = [row.item for row in asked if row.instrument_id == check.instrument_id]
            if not texts:
                continue
            like = texts[rng.integers(len(texts))]
        yield CheckPage(task, check, like)


def _some(found: Sequence[Check], number: int, rng: np.random.Generator) -> list[Check]:
    chosen = rng.permutation(len(found))[:number]
    return [found[index] for index in sorted(chosen)]


def _unit(check: Check) -> str:
    kind, spec = item_kind(check.instrument.item_kind), check.spec
    return unit_of(kind, spec["contents"], names=spec.get("names", ()))


def _write(study: Study, batch: Batch, pages: Sequence[CheckPage], last: dict[int, int]) -> None:
    like = {page.like.pk for page in pages if page.like}
    slots: dict[int, list[ItemSlot]] = defaultdict(list)
    for slot in ItemSlot.objects.filter(item__in=like).order_by("position"):
        slots[slot.item_id].append(slot)
    made = [
        [_copy(slot) for slot in slots[page.like.pk]] if page.like else _slots(page.check)
        for page in pages
    ]
    topics = _topics(page.check for page in pages)
    items = Item.every.bulk_create(
        (
            Item(
                study=study,
                kind=page.check.instrument.item_kind,
                key=f"{_name(page.check)}:{batch.number}.{page.task.number}",
                unit=f"check:{page.check.pk}:{page.task.pk}",
                topic_id=page.like.topic_id if page.like else topics[page.check.pk],
                check_of=page.check,
            )
            for page in pages
        ),
        batch_size=1000,
    )
    for item, inside in zip(items, made, strict=True):
        for slot in inside:
            slot.item = item
    ItemSlot.objects.bulk_create((slot for inside in made for slot in inside), batch_size=1000)
    TaskItem.objects.bulk_create(
        (
            TaskItem(
                task=page.task,
                item=item,
                instrument=page.check.instrument,
                position=_next(last, page.task.pk),
            )
            for page, item in zip(pages, items, strict=True)
        ),
        batch_size=1000,
    )
    _note_texts(pages)


def _name(check: Check) -> str:
    return f"{check.role}:{check.instrument.key}:{check.key}"


def _next(last: dict[int, int], task: int) -> int:
    last[task] = last.get(task, 0) + 1
    return last[task]


def _copy(slot: ItemSlot) -> ItemSlot:
    return ItemSlot(
        name=slot.name,
        position=slot.position,
        response_id=slot.response_id,
        passage_id=slot.passage_id,
        segment_id=slot.segment_id,
        criterion_id=slot.criterion_id,
    )


def _slots(check: Check) -> list[ItemSlot]:
    kind, contents = item_kind(check.instrument.item_kind), check.spec["contents"]
    names = check.spec.get("names") or kind.names(len(contents))
    return [
        ItemSlot(name=name, position=position, **{f"{slot.holds}_id": pk})
        for position, (name, pk) in enumerate(zip(names, contents, strict=True), start=1)
        if (slot := kind.slot(name)) is not None
    ]


def _topics(checks: Iterable[Check]) -> dict[int, int]:
    """Return the topic of each known item: that of the first content with a topic."""
    topic_by_check: dict[int, int] = {}
    for check in checks:
        if check.role == Role.ATTENTION or check.pk in topic_by_check:
            continue
        for slot in _slots(check):
            content = slot.segment.response if slot.segment else slot.content
            if (topic := getattr(content, "topic_id", None)) is not None:
                topic_by_check[check.pk] = topic
                break
    return topic_by_check


def _note_texts(pages: Sequence[CheckPage]) -> None:
    """Note the authors of known items, who must not judge them; an attention item shows no text."""
    known_pages = [page for page in pages if page.check.role != Role.ATTENTION]
    shown: dict[int, set[int]] = {}
    for check in {page.check.pk: page.check for page in known_pages}.values():
        slots = _slots(check)
        parts = Segment.objects.filter(pk__in=[s.segment_id for s in slots if s.segment_id])
        whole = Response.objects.filter(pk__in=[s.response_id for s in slots if s.response_id])
        shown[check.pk] = {
            *parts.values_list("response", flat=True),
            *whole.values_list("pk", flat=True),
        }
    Shows = Task.shows.through
    Shows.objects.bulk_create(
        (
            Shows(task_id=task, response_id=response)
            for task, response in sorted(
                {(page.task.pk, pk) for page in known_pages for pk in shown[page.check.pk]}
            )
        ),
        batch_size=1000,
        ignore_conflicts=True,
    )
