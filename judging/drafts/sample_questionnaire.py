"""First questionnaire of a document with a sample of its corpus, never saved."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from typing import Any

from annotation.fieldwork.work.preview_assignments import imagined_task, imagined_work
from annotation.models import Assignment, Corpus, Study
from annotation.studies.creating import imagined_study
from annotation.studies.drafts.columns import columns_of
from annotation.studies.drafts.kinds import instruments_of
from annotation.studies.drafts.page_samples import MADE_UP, PageSample
from annotation.studies.drafts.schema import Document
from judging.answering.unanswered import Questions
from judging.design.designing import said_together, slots_of
from judging.design.material import material_in, point
from judging.design.plans import Plan, asked_in, plans_from
from judging.designers.questionnaires import PlannedItem
from judging.designers.texts import DesignText
from judging.instruments import copying
from judging.instruments.copying import InstrumentRows
from judging.instruments.schema import InstrumentFile
from judging.items.drawing import imagined, in_drawn_order
from judging.items.keys import unit_of
from judging.items.kinds import Holds, item_kind
from judging.models import Criterion, Instrument, Item, ItemSlot, Presentation, TaskItem


@dataclass(frozen=True)
class SampleQuestionnaire:
    """Pages of a worker who has just started."""

    assignment: Assignment
    presentations: list[Presentation]
    questions: Questions


def questionnaire(*, document: Document, sample: PageSample, now: datetime) -> SampleQuestionnaire:
    """Return the questionnaire. Raises BadSetting, BadInstrument, CannotDesign."""
    files: list[InstrumentFile] = instruments_of(document)
    study = _study(document, files, corpus=sample.topic.corpus_id)
    rows_by_instrument = _asked(study, files)
    plans = plans_from(
        rows_by_instrument,
        seed=document.design.seed,
        material=lambda each, _: material_in(
            sample, kind=item_kind(each.item_kind), points=_points(rows_by_instrument[each])
        ),
        arms=study.arms == Study.Arms.ONE,
    )
    assignment = imagined_work(imagined_task(study), now=now)
    criteria = [criterion for rows in rows_by_instrument.values() for criterion in rows.criteria]
    rows = _rows(assignment, plans, sample, criteria)
    items = {row.item_id: row.item for row in rows}
    presentations = imagined(
        in_drawn_order(rows, assignment),
        assignment,
        items=items,
        asked={
            instrument.pk: [question.key for question in whole.questions]
            for instrument, whole in rows_by_instrument.items()
        },
    )
    units = {item.unit for item in items.values()}
    assignment.task.item_counts = Counter(unit.partition(":")[0] for unit in units)
    return SampleQuestionnaire(
        assignment,
        presentations,
        {
            one.pk: {question.key: question for question in rows_by_instrument[one].questions}
            for one in rows_by_instrument
        },
    )


def _study(document: Document, files: Sequence[InstrumentFile], *, corpus: int | None) -> Study:
    settings = columns_of(document)
    named: dict[str, Any] = {name: settings.pop(name) for name in ("slug", "title", "seed")}
    return imagined_study(
        **named,
        corpus=Corpus(pk=corpus, slug=document.corpus),
        contact=document.contact,
        **said_together(files, settings),
    )


def _asked(study: Study, files: Sequence[InstrumentFile]) -> dict[Instrument, InstrumentRows]:
    """Return the instruments with their unsaved questions; no criterion has a topic."""
    copying.check_names(files)
    pks, positions = count(MADE_UP), count(1)
    rows_by_instrument = {}
    for instrument, file in zip(
        copying.instruments_of(study=study, files=files), files, strict=True
    ):
        instrument.pk = next(pks)
        whole = copying.asked_by(instrument, file, topics={}, positions=positions)
        for part in (*whole.criteria, *whole.questions):
            part.pk = next(pks)
        rows_by_instrument[instrument] = whole
    return rows_by_instrument


def _points(asked: InstrumentRows) -> list[DesignText]:
    """Return the criteria on items: those without a question about them."""
    about = {question.criterion.pk for question in asked.questions}
    return [
        point(pk=criterion.pk, topic=None, name=criterion.name, definition=criterion.definition)
        for criterion in asked.criteria
        if criterion.pk not in about
    ]


def _rows(
    assignment: Assignment,
    plans: Sequence[Plan],
    sample: PageSample,
    criteria: Sequence[Criterion],
) -> list[TaskItem]:
    """Return the pages of the first questionnaire in nominal order, for `drawing`."""
    contents: dict[Holds, Callable[[], dict[int, Any]]] = {
        Holds.RESPONSE: lambda: {response.pk: response for response in sample.responses},
        Holds.PASSAGE: lambda: {passage.pk: passage for passage in sample.passages},
        Holds.SEGMENT: lambda: {part.segment.pk: part.segment for part in sample.parts},
        Holds.CRITERION: lambda: {criterion.pk: criterion for criterion in criteria},
    }
    kinds = {plan.design.parameters.kind for plan in plans}
    held = {slot.holds for kind in kinds for slot in item_kind(kind).slots}
    things = {holds: contents[holds]() for holds in held}
    items: dict[tuple[str, tuple[int, ...]], Item] = {}
    rows = []
    for position, (at, index, instrument) in enumerate(asked_in(plans, 0), start=1):
        design = plans[at].design
        planned, kind = design.items[index], design.parameters.kind
        key = (kind, planned.contents)  # what two instruments ask of one thing is one item
        if key not in items:
            items[key] = _item(kind, planned, pk=MADE_UP + len(items), sample=sample, things=things)
        row = TaskItem(
            task=assignment.task, item=items[key], instrument=instrument, position=position
        )
        row.item_order = instrument.item_order  # type: ignore[attr-defined]  # as drawing annotates
        rows.append(row)
    return rows


def _item(
    kind: str,
    planned: PlannedItem,
    *,
    pk: int,
    sample: PageSample,
    things: dict[Holds, dict[int, Any]],
) -> Item:
    of_kind = item_kind(kind)
    unit = unit_of(of_kind, planned.contents, names=planned.names)
    item = Item(pk=pk, kind=kind, unit=unit, topic=sample.topic)
    item.imagined = [
        ItemSlot(item=item, name=name, position=n, **{slot.holds: things[slot.holds][held]})
        for n, (name, slot, held) in enumerate(slots_of(of_kind, planned), start=1)
    ]
    for shown in item.imagined:
        of_slot = of_kind.slot(shown.name)
        if of_slot is not None and of_slot.sections_only:
            shown.imagined_parts = [
                part.segment
                for part in sample.parts
                if part.segment.response_id == shown.response_id
            ]
    return item
