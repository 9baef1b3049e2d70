"""A judging study made from an instrument, and its design written down as items and tasks."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any, TypeVar

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Model

from annotation.models import (
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
from annotation.studies.planning import draft_study, next_batch
from annotation.studies.wages import WORDS_PER_MINUTE, hourly, warnings
from judging.design.designers import Design, Material, Parameters, Text
from judging.design.designers import design as make_design
from judging.design.questionnaires import PlannedItem
from judging.instruments.files import BadInstrument, Instrument, as_json
from judging.items.keys import item_key, unit_of
from judging.items.kinds import Holds, ItemKind, Slot, item_kind
from judging.models import Criterion, Item, ItemSlot, Question, Scale, TaskItem

T = TypeVar("T")


@transaction.atomic
def create_study(
    *,
    slug: str,
    title: str,
    corpus: Corpus,
    instrument: Instrument,
    seed: int,
    created_by: User | None = None,
    contact: str = "",
    **settings: Any,
) -> Study:
    """Make a draft study; what the instrument says is copied, so that later edits of the
    instrument change no study. `contact` (who runs it, and where they can be reached) takes the
    place that the consent text leaves for it; `settings` are further fields of Study.

    Raises BadInstrument, or BadSetting for a field that no study can have.
    """
    defaults = {
        "minutes": instrument.defaults.minutes,
        "minimum_seconds": instrument.defaults.minimum_seconds,
    }
    study = draft_study(
        slug=slug,
        title=title,
        kind=Study.Kind.JUDGING,
        corpus=corpus,
        instrument=instrument.name,
        instructions=instrument.instructions,
        consent=instrument.consent,
        exit_form=as_json(instrument.exit_form),
        seed=seed,
        created_by=created_by,
        contact=contact,
        **(defaults | settings),
    )
    _ask(study=study, instrument=instrument)
    return study


def _ask(*, study: Study, instrument: Instrument) -> None:
    topics = dict(study.corpus.topics.values_list("key", "pk"))
    if unknown := {each.topic for each in instrument.criteria if each.topic} - set(topics):
        raise BadInstrument(
            f"Instrument {instrument.name} has criteria about topics that the corpus "
            f"{study.corpus.slug} does not have: {', '.join(sorted(unknown)[:5])}."
        )
    criteria = {
        spec.key: Criterion(
            study=study,
            key=spec.key,
            name=spec.name,
            definition=spec.definition,
            topic_id=topics.get(spec.topic),
        )
        for spec in instrument.criteria
    }
    scales = {
        spec.key: Scale(study=study, key=spec.key, kind=spec.kind, spec=as_json(spec))
        for spec in instrument.scales
    }
    Criterion.objects.bulk_create(criteria.values())
    Scale.objects.bulk_create(scales.values())
    Question.objects.bulk_create(
        Question(
            study=study,
            position=position,
            key=spec.key,
            criterion=criteria[spec.criterion],
            scale=scales[spec.scale],
            arity=spec.arity,
            text=spec.text,
            justification=spec.justification,
        )
        for position, spec in enumerate(instrument.questions, start=1)
    )


def material_of(*, study: Study, kind: str) -> Material:
    """What items of this kind can show, as the design sees it."""
    read: dict[Holds, Callable[[], list[Text]]] = {
        Holds.RESPONSE: lambda: texts_of(study.corpus),
        Holds.PASSAGE: lambda: _passages_of(study.corpus),
        Holds.CRITERION: lambda: _points_of(study),
    }
    return {each: read[each]() for each in {slot.holds for slot in item_kind(kind).slots}}


def _passages_of(corpus: Corpus) -> list[Text]:
    rows = Passage.objects.filter(topic__corpus=corpus).order_by("topic", "rank")
    found = rows.values_list("id", "topic_id", "rank", "text").iterator()
    return [
        Text(id=pk, topic=topic, rank=rank, words=len(text.split()))
        for pk, topic, rank, text in found
    ]


def _points_of(study: Study) -> list[Text]:
    """The criteria that items show: those that no question asks about."""
    rows = study.criteria.filter(questions=None).order_by("id")
    return [
        Text(id=each.pk, topic=each.topic_id, words=len(f"{each.name} {each.definition}".split()))
        for each in rows
    ]


def texts_of(corpus: Corpus) -> list[Text]:
    """The responses of a corpus as the design sees them, without those that were withdrawn."""
    rows = Response.objects.filter(corpus=corpus).exclude(text="").order_by("id")
    return [
        Text(id=pk, topic=topic, words=words, origin=origin, style=style)
        for pk, topic, words, origin, style in rows.values_list(
            "id", "topic_id", "words", "origin", "style"
        )
    ]


@dataclass(frozen=True)
class Preview:
    """What a design would be, before anything is written. Money in the study's currency."""

    topics: int
    items: int
    reversed_items: int
    questionnaires: int
    quota: int
    assignments: int
    judgments: int
    words_mean: float
    words_low: int
    words_high: int
    words_variation: float  # standard deviation / mean
    reading_minutes: float  # of a questionnaire at 238 words a minute
    minutes: int
    pay: float
    cost: float
    hourly_wage: float  # expected
    target: float

    def lines(self) -> list[str]:
        """For people."""
        return [
            f"{self.topics} topics, {self.items} items ({self.reversed_items} of them reversed), "
            f"{self.questionnaires} questionnaires x {self.quota} workers = "
            f"{self.assignments} assignments, {self.judgments} judgments",
            f"words per questionnaire: {self.words_low}-{self.words_high}, mean "
            f"{self.words_mean:.0f}, spread {self.words_variation:.1%} (sd / mean); careful "
            f"reading takes {self.reading_minutes:.0f} min, planned are {self.minutes}",
            f"pay {self.pay:.2f}, an expected wage of {self.hourly_wage:.2f} an hour; in all "
            f"{self.cost:.2f} without fees",
            *warnings(
                reading=self.reading_minutes,
                minutes=self.minutes,
                pay=self.pay,
                target=self.target,
            ),
        ]


def preview(*, study: Study, design: Design) -> Preview:
    """Counts, expected time, cost and wage of a design. Writes nothing."""
    words = design.words()
    quota = design.parameters.quota
    assignments = len(design.questionnaires) * quota
    pay = float(study.pay)
    return Preview(
        topics=len(design.topics),
        items=len(design.items),
        reversed_items=sum(item.reverse for item in design.items),
        questionnaires=len(design.questionnaires),
        quota=quota,
        assignments=assignments,
        judgments=len(design.items) * quota * _answers_an_item(study, design),
        words_mean=float(words.mean()),
        words_low=int(words.min()),
        words_high=int(words.max()),
        words_variation=float(words.std() / words.mean()) if words.mean() else 0.0,
        reading_minutes=float(words.mean()) / WORDS_PER_MINUTE,
        minutes=study.minutes,
        pay=pay,
        cost=assignments * pay,
        hourly_wage=hourly(pay=pay, minutes=study.minutes) or 0.0,
        target=float(study.hourly_wage),
    )


def _answers_an_item(study: Study, design: Design) -> int:
    kind = item_kind(design.parameters.kind)
    judged = len(kind.judged(kind.names(len(design.items[0].contents))))
    arities = study.questions.values_list("arity", flat=True)
    return sum(judged if arity == Question.Arity.SLOT else 1 for arity in arities)


@transaction.atomic
def write_design(*, study: Study, design: Design, name: str = "main") -> Batch:
    """Write a design as a draft batch of the study, ready to open."""
    batch = next_batch(study=study, name=name)
    Batch.objects.filter(pk=batch.pk).update(design=asdict(design.parameters))
    items = write_items(study=study, kind=design.parameters.kind, planned=design.items)
    sheets = [
        Questionnaire([items[index] for index in each], design.parameters.quota, int(words))
        for each, words in zip(design.questionnaires, design.words(), strict=True)
    ]
    write_questionnaires(batch=batch, sheets=sheets)
    return batch


def write_items(*, study: Study, kind: str, planned: Sequence[PlannedItem]) -> list[Item]:
    """Write items in their order; those that the study has already are used again."""
    of_kind = item_kind(kind)
    slots = [_slots(of_kind, each) for each in planned]
    named = _named({(slot.holds, pk) for each in slots for _, slot, pk in each})
    wanted = {
        item_key(of_kind, [named[slot.holds, pk] for _, slot, pk in each]): (plan, each)
        for plan, each in zip(planned, slots, strict=True)
    }
    known = set(study.items.values_list("key", flat=True))
    new = [
        Item(
            study=study,
            kind=kind,
            key=key,
            unit=unit_of(of_kind, plan.contents),
            topic_id=plan.topic,
        )
        for key, (plan, _) in wanted.items()
        if key not in known
    ]
    for some in _chunks(Item.objects.bulk_create(new, batch_size=1000), 1000):
        ItemSlot.objects.bulk_create(
            ItemSlot(item=item, name=name, position=position, **{f"{slot.holds}_id": pk})
            for item in some
            for position, (name, slot, pk) in enumerate(wanted[item.key][1], start=1)
        )
    written = {item.key: item for item in study.items.all()}
    return [written[key] for key in wanted]


def _slots(kind: ItemKind, planned: PlannedItem) -> list[tuple[str, Slot, int]]:
    """Name, slot and what stands there, in nominal order."""
    names = kind.names(len(planned.contents))
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
    """What each thing is called in the key of an item."""
    named: dict[tuple[Holds, int], list[str]] = {}
    for holds, (model, fields) in MODELS.items():
        pks = [pk for held, pk in contents if held == holds]
        rows = model._default_manager.filter(pk__in=pks).values_list("pk", *fields) if pks else ()
        named |= {(holds, pk): [str(part) for part in parts] for pk, *parts in rows}
    return named


@dataclass(frozen=True)
class Questionnaire:
    """Items in nominal order, the number of workers wanted, the words to read."""

    items: Sequence[Item]
    quota: int
    words: int
    key: str = ""


@transaction.atomic
def write_questionnaires(*, batch: Batch, sheets: Sequence[Questionnaire]) -> list[Task]:
    """Write questionnaires as tasks with their items, places and what workers meet there."""
    tasks = Task.objects.bulk_create(
        Task(
            batch=batch,
            number=number,
            quota=sheet.quota,
            words=sheet.words,
            **({"key": sheet.key} if sheet.key else {}),
        )
        for number, sheet in enumerate(sheets, start=1)
    )
    pairs = list(zip(tasks, sheets, strict=True))
    TaskItem.objects.bulk_create(
        (
            TaskItem(task=task, item=item, position=position)
            for task, sheet in pairs
            for position, item in enumerate(sheet.items, start=1)
        ),
        batch_size=1000,
    )
    TaskExposure.objects.bulk_create(
        (
            TaskExposure(task=task, unit=unit)
            for task, sheet in pairs
            for unit in sorted({item.unit for item in sheet.items})
        ),
        batch_size=1000,
    )
    _note_texts(tasks)
    add_places(tasks=tasks)
    return tasks


def _note_texts(tasks: Sequence[Task]) -> None:
    """Note which responses each task shows, so that nobody is given an own text."""
    Shows = Task.shows.through
    for some in _chunks(tasks, 100):
        rows = (
            TaskItem.objects.filter(task__in=some, item__slots__response__isnull=False)
            .order_by()
            .values_list("task", "item__slots__response")
            .distinct()
        )
        Shows.objects.bulk_create(
            (Shows(task_id=task, response_id=response) for task, response in rows), batch_size=1000
        )


def _chunks(rows: Sequence[T], size: int) -> Iterator[list[T]]:
    iterator = iter(rows)
    while some := list(islice(iterator, size)):
        yield some


def parameters_of(*, instrument: Instrument, seed: int, **wishes: Any) -> Parameters:
    """What a design is asked for: the figures of the instrument, but for the wishes that are not
    None (fields of Parameters)."""
    defaults = instrument.defaults
    figures = {
        "reversed_share": defaults.reversed_share,
        "depth": defaults.depth,
        "rounds": defaults.rounds,
        "items_per_questionnaire": defaults.items_per_questionnaire,
        "quota": defaults.quota,
    }
    wanted = {name: wish for name, wish in wishes.items() if wish is not None}
    return Parameters(
        seed=seed,
        kind=instrument.item_kind,
        designer=instrument.designer or item_kind(instrument.item_kind).designer,
        **(figures | wanted),
    )


def plan(*, study: Study, parameters: Parameters) -> Design:
    """The design of a study over its corpus; pure but for reading the corpus."""
    material = material_of(study=study, kind=parameters.kind)
    return make_design(material=material, parameters=parameters)
