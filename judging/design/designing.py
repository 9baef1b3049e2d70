"""Creating a judging study from instruments, and writing its design as items and tasks."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any, TypeVar

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Model
from django.db.models.functions import Coalesce

from annotation.bulk_inserting import insert_all
from annotation.models import (
    Arm,
    Batch,
    Corpus,
    Passage,
    Response,
    Segment,
    Study,
    Task,
    TaskExposure,
)
from annotation.studies.batching import add_places
from annotation.studies.creating import draft_study, next_batch
from annotation.studies.translations import ORIGINAL
from judging.design.checking import copy_checks, deal_checks
from judging.design.copying_scores import freeze_scores
from judging.design.decided_pairs import DECIDED, stored
from judging.design.plans import Plan, arms_of, asked_in
from judging.design.previews import careful_minutes_of
from judging.designers.questionnaires import PlannedItem
from judging.instruments import combined
from judging.instruments.combined import own_instructions
from judging.instruments.copying import copy_instruments
from judging.instruments.entries import with_own_keys
from judging.instruments.files import as_json
from judging.instruments.schema import InstrumentFile
from judging.items.keys import item_key, unit_of
from judging.items.kinds import Holds, ItemKind, Slot, item_kind
from judging.models import Criterion, Instrument, Item, ItemSlot, TaskItem

T = TypeVar("T")


@transaction.atomic
def create_study(
    *,
    slug: str,
    title: str,
    corpus: Corpus,
    instruments: Sequence[InstrumentFile],
    seed: int,
    created_by: User | None = None,
    contact: str = "",
    **settings: Any,
) -> Study:
    """Create a draft study with copies of its instruments, asked in this order.

    Edited entries get the keys of their own texts. `contact` fills the place in the consent text;
    `settings` are further fields of Study.

    Raises BadInstrument, BadSetting for an invalid field, or NoScores.
    """
    instruments = [with_own_keys(instrument) for instrument in instruments]
    study = draft_study(
        slug=slug,
        title=title,
        corpus=corpus,
        seed=seed,
        created_by=created_by,
        contact=contact,
        **said_together(instruments, settings),
    )
    copy_instruments(study=study, files=instruments)
    if study.arms == Study.Arms.ONE:
        write_arms(study=study, files=instruments)
    copy_checks(study=study, files=instruments)
    freeze_scores(study=study, files=instruments)
    return study


def said_together(
    instruments: Sequence[InstrumentFile], settings: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the fields of a study with these instruments: their joint time, form and consent.

    The settings win over the instruments. With arms, the time is that of the longest and the least
    time that of the shortest.
    """
    are_arms = settings.get("arms") == Study.Arms.ONE
    defaults = [instrument.defaults for instrument in instruments]
    return {
        "minutes": (max if are_arms else sum)(each.minutes for each in defaults),
        "minimum_seconds": (min if are_arms else sum)(each.minimum_seconds for each in defaults),
        **settings,
        "kind": Study.Kind.JUDGING,
        "instrument": ", ".join(instrument.name for instrument in instruments),
        "instructions": combined.instructions_of(
            instruments,
            settings.get("language", ORIGINAL),
            numbered=settings.get("presentation") != Study.ONE_PAGE and not are_arms,
        ),
        "consent": combined.consent_of(instruments),
        "exit_form": as_json(combined.exit_form_of(instruments)),
    }


def write_arms(*, study: Study, files: Sequence[InstrumentFile]) -> None:
    """Create an arm of the study for each instrument."""
    Arm.objects.bulk_create(
        Arm(
            study=study,
            position=position,
            key=file.name,
            title=file.title,
            minutes=file.defaults.minutes,
            minimum_seconds=file.defaults.minimum_seconds,
            instructions=own_instructions(file, language=study.language),
            exit_fields=[field.key for field in file.exit_form],
        )
        for position, file in enumerate(files, start=1)
    )


@transaction.atomic
def write_plans(*, study: Study, plans: Sequence[Plan], name: str = "main") -> Batch:
    """Write the plans as a draft batch of the study, ready to open."""
    batch = next_batch(study=study, name=name)
    parameters = {
        instrument.key: asdict(plan.design.parameters)
        for plan in plans
        for instrument in plan.instruments
    }
    sheets = _mixed([list(_sheets(study, arm)) for arm in arms_of(plans)])
    is_single = len(parameters) == 1
    design = next(iter(parameters.values())) if is_single else {"instruments": parameters}
    more: dict[str, Any] = {"careful_minutes": careful_minutes_of(plans)}
    if decided := _decided(plans):
        more[DECIDED] = decided
    Batch.objects.filter(pk=batch.pk).update(design=design | more)
    write_questionnaires(batch=batch, sheets=sheets)
    deal_checks(batch=batch)
    return batch


def _sheets(study: Study, plans: Sequence[Plan]) -> Iterator["DesignedQuestionnaire"]:
    """Write the items of plans that share questionnaires, and yield the questionnaires."""
    written = [
        write_items(study=study, kind=plan.design.parameters.kind, planned=plan.design.items)
        for plan in plans
    ]
    for number in range(len(plans[0].design.questionnaires)):
        yield DesignedQuestionnaire(
            pages=[
                PlannedPage(written[plan][index], instrument)
                for plan, index, instrument in asked_in(plans, number)
            ],
            quota=plans[0].design.parameters.quota,
            words=sum(int(plan.design.words()[number]) for plan in plans),
            arm=plans[0].arm,
        )


def _mixed(arms: Sequence[Sequence["DesignedQuestionnaire"]]) -> list["DesignedQuestionnaire"]:
    """Interleave the questionnaires of all arms, so that a pilot of the first has every arm."""
    places = [((n + 0.5) / len(arm), sheet) for arm in arms for n, sheet in enumerate(arm)]
    return [sheet for _, sheet in sorted(places, key=lambda each: each[0])]


def _decided(plans: Sequence[Plan]) -> list[dict[str, Any]]:
    """Return the pairs decided by the rule on empty answers, once per kind of item."""
    parts = {}
    for plan in plans:
        if plan.design.decided:
            parameters = plan.design.parameters
            parts[parameters.kind] = stored(parameters.kind, parameters.quota, plan.design.decided)
    return list(parts.values())


def write_items(*, study: Study, kind: str, planned: Sequence[PlannedItem]) -> list[Item]:
    """Write items in their order; existing items of the study are used again."""
    of_kind = item_kind(kind)
    slots = [slots_of(of_kind, plan) for plan in planned]
    named = _named({(slot.holds, pk) for item_slots in slots for _, slot, pk in item_slots})
    wanted = {
        item_key(
            of_kind,
            [
                named[slot.holds, pk]
                for name, slot, pk in item_slots
                if not of_kind.named_by or name in of_kind.named_by
            ],
        ): (plan, item_slots)
        for plan, item_slots in zip(planned, slots, strict=True)
    }
    written = _of_keys(study, list(wanted))
    new = [
        Item(
            study=study,
            kind=kind,
            key=key,
            unit=unit_of(of_kind, plan.contents, names=plan.names),
            topic_id=plan.topic,
        )
        for key, (plan, _) in wanted.items()
        if key not in written
    ]
    made = insert_all(new)
    for some in _chunks(made, 10_000):
        insert_all(
            ItemSlot(item=item, name=name, position=position, **{f"{slot.holds}_id": pk})
            for item in some
            for position, (name, slot, pk) in enumerate(wanted[item.key][1], start=1)
        )
    written |= {item.key: item for item in made}
    return [written[key] for key in wanted]


def _of_keys(study: Study, keys: Sequence[str]) -> dict[str, Item]:
    """Return the study's items with these keys, which may be few of thousands."""
    rows = (study.items.filter(key__in=some) for some in _chunks(keys, 500))
    return {item.key: item for some in rows for item in some}


def slots_of(kind: ItemKind, planned: PlannedItem) -> list[tuple[str, Slot, int]]:
    """Return name, slot and content of each slot, in nominal order."""
    names = planned.names or kind.names(len(planned.contents))
    return [
        (name, slot, pk)
        for name, pk in zip(names, planned.contents, strict=True)
        if (slot := kind.slot(name)) is not None
    ]


MODELS: dict[Holds, tuple[type[Model], tuple[str, ...]]] = {
    Holds.RESPONSE: (Response, ("key",)),
    Holds.PASSAGE: (Passage, ("topic__key", "key")),
    Holds.SEGMENT: (Segment, ("response__key", "line")),
    Holds.CRITERION: (Criterion, ("key",)),
}


def _named(contents: set[tuple[Holds, int]]) -> dict[tuple[Holds, int], list[str]]:
    """Return the parts of each content in the key of an item."""
    named: dict[tuple[Holds, int], list[str]] = {}
    for holds, (model, fields) in MODELS.items():
        pks = [pk for held, pk in contents if held == holds]
        rows = model._default_manager.filter(pk__in=pks).values_list("pk", *fields) if pks else ()
        named |= {(holds, pk): [str(part) for part in parts] for pk, *parts in rows}
    # Two instruments may have criteria of the same key.
    pks = [pk for held, pk in contents if held == Holds.CRITERION]
    later = Criterion.objects.filter(pk__in=pks, instrument__position__gt=1)
    rows = later.values_list("pk", "instrument__key", "key") if pks else ()
    return named | {(Holds.CRITERION, pk): parts for pk, *parts in rows}


@dataclass(frozen=True)
class PlannedPage:
    """An item and the instrument that asks about it."""

    item: Item
    instrument: Instrument


@dataclass(frozen=True)
class DesignedQuestionnaire:
    """Pages in nominal order, the number of workers wanted, the words to read, its arm or ''."""

    pages: Sequence[PlannedPage]
    quota: int
    words: int
    key: str = ""
    arm: str = ""


@transaction.atomic
def write_questionnaires(*, batch: Batch, sheets: Sequence[DesignedQuestionnaire]) -> list[Task]:
    """Write questionnaires as tasks with their items, places and counts."""
    tasks = insert_all(
        Task(
            batch=batch,
            number=number,
            quota=sheet.quota,
            words=sheet.words,
            arm=sheet.arm,
            **({"key": sheet.key} if sheet.key else {}),
        )
        for number, sheet in enumerate(sheets, start=1)
    )
    pairs = list(zip(tasks, sheets, strict=True))
    insert_all(
        TaskItem(task=task, item=page.item, instrument=page.instrument, position=position)
        for task, sheet in pairs
        for position, page in enumerate(sheet.pages, start=1)
    )
    insert_all(
        TaskExposure(task=task, unit=unit)
        for task, sheet in pairs
        for unit in sorted({page.item.unit for page in sheet.pages})
    )
    _note_texts(tasks)
    add_places(tasks=tasks)
    return tasks


def _note_texts(tasks: Sequence[Task]) -> None:
    """Note the responses that each task shows: their authors must not judge them."""
    Shows = Task.shows.through
    for some in _chunks(tasks, 100):
        rows = (
            TaskItem.objects.filter(task__in=some)
            .annotate(shown=Coalesce("item__slots__response", "item__slots__segment__response"))
            .filter(shown__isnull=False)
            .order_by()
            .values_list("task", "shown")
            .distinct()
        )
        insert_all(Shows(task_id=task, response_id=response) for task, response in rows)


def _chunks(rows: Sequence[T], size: int) -> Iterator[list[T]]:
    iterator = iter(rows)
    while some := list(islice(iterator, size)):
        yield some
