"""Design of a follow-up batch on the cells of a bank that no person has graded."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import F, Q

from annotation.models import Batch, Study
from annotation.texts.sentences import Sentence
from judging.banks.entries_at import confirmed_at
from judging.design.designing import write_plans
from judging.design.material import material_of, point
from judging.design.plans import plans_from
from judging.designers.questionnaires import CannotDesign
from judging.designers.texts import DesignParameters, DesignText, Material
from judging.items.kinds import Holds
from judging.models import Bank, Criterion, Instrument, ItemSlot, TaskItem
from judging.raters.cells import entry_keys, known_texts

OF_ONE_BATCH = ("topics", "chosen_topics")  # settings that the next round does not inherit


@dataclass(frozen=True)
class RoundSize:
    """Cells, tasks and places of the next round."""

    cells: int
    tasks: int
    places: int


@transaction.atomic
def ask_unknown(*, batch: Batch, name: str) -> Batch:
    """Add a planned batch on the ungraded cells, with the design settings of `batch`.

    This moves the study to the current revisions of its banks. Raises CannotDesign.
    """
    study = Study.every.select_for_update(no_key=True).get(pk=batch.study_id)
    for instrument in _instruments(study):
        _follow(instrument)
    plans = plans_from(
        _instruments(study), seed=study.seed, material=_material,
        arms=study.arms == Study.Arms.ONE, as_in=_wishes(batch), cells="unknown",
    )  # fmt: skip
    made = write_plans(study=study, plans=plans, name=name)
    made.refresh_from_db()
    return made


def foreseen(*, batch: Batch) -> RoundSize:
    """Return the size of the batch that `ask_unknown` would add. Raises CannotDesign."""
    with transaction.atomic():
        made = ask_unknown(batch=batch, name="foreseen")
        tasks = list(made.tasks.values_list("quota", flat=True))
        made_items = TaskItem.objects.filter(task__batch=made, item__check_of=None).values("item")
        cells = ItemSlot.objects.filter(item__in=made_items, criterion__isnull=False).count()
        transaction.set_rollback(True)
    return RoundSize(cells, len(tasks), sum(tasks))


def asks_earlier_bank(study: Study) -> bool:
    """Return whether one of the study's banks has changed since the study's revision of it."""
    rows = study.instruments.exclude(bank=None)
    return rows.exclude(bank__revision=F("bank_revision")).exists()


def _instruments(study: Study) -> list[Instrument]:
    """Return the instruments of a study that use a bank. Raises CannotDesign if there are none."""
    rows = list(study.instruments.exclude(bank=None).select_related("study__corpus", "bank"))
    if not rows:
        sentence = Sentence("This study doesn't use a bank.")
        raise CannotDesign("no_bank", sentence)
    return rows


def _follow(instrument: Instrument) -> None:
    """Add new bank entries to an instrument, and set its revision to that of the bank."""
    bank = Bank.objects.select_for_update(no_key=True, of=("self",)).get(instruments=instrument)
    present = set(entry_keys(bank, instrument=instrument).values())
    topics = set(instrument.study.items.order_by().values_list("topic", flat=True).distinct())
    new = [row for row in confirmed_at(bank) if row.topic_id in topics and row.key not in present]
    short = Criterion._meta.get_field("name").max_length or 0
    Criterion.objects.bulk_create(
        Criterion(
            instrument=instrument, key=row.key, name=row.text[:short], definition=row.text,
            topic_id=row.topic_id,
        )
        for row in new
    )  # fmt: skip
    Instrument.objects.filter(pk=instrument.pk).update(bank_revision=bank.revision)


def _material(instrument: Instrument, parameters: DesignParameters) -> Material:
    """Return the study's texts and entries, with the texts already graded on each entry."""
    study, bank = instrument.study, instrument.bank
    assert bank is not None  # guaranteed by _instruments
    topics = set(study.items.order_by().values_list("topic", flat=True).distinct())
    known = _known_or_waiting(bank, study)
    in_use = {row.key for row in confirmed_at(bank)}
    keys = entry_keys(bank, instrument=instrument)
    points = [
        point(
            pk=row.pk, topic=row.topic_id, name=row.name, definition=row.definition,
            known=frozenset(known[keys[row.pk]]),
        )
        for row in instrument.criteria.filter(questions=None, topic__in=topics).order_by("pk")
        if keys[row.pk] in in_use
    ]  # fmt: skip
    whole = material_of(instrument=instrument, systems=parameters.systems)
    texts: dict[Holds, Sequence[DesignText]] = {
        holds: [text for text in rows if text.topic in topics]
        for holds, rows in whole.items()
        if holds != Holds.CRITERION
    }
    return texts | {Holds.CRITERION: points}


def _known_or_waiting(bank: Bank, study: Study) -> dict[str, set[int]]:
    """Return the texts of each entry that a person has graded or that an open task asks for."""
    known: dict[str, set[int]] = defaultdict(set)
    for key, texts in known_texts(bank).items():
        known[key] |= texts
    waiting = TaskItem.objects.filter(
        Q(task__batch__state__in=Batch.RUNNING) | Q(task__batch__study=study),
        item__study__purpose=Study.Purpose.STUDY,
        instrument__bank=bank,
    ).exclude(task__batch__state=Batch.State.CLOSED)
    entries, texts_of_items = defaultdict(list), {}
    slots = ItemSlot.objects.filter(item__in=waiting.values("item")).order_by()
    columns = ("item", "criterion", "passage", "response")
    for item, criterion, passage, response in slots.values_list(*columns).iterator():
        if criterion is None:
            texts_of_items[item] = passage or response
        else:
            entries[item].append(criterion)
    keys = entry_keys(bank)
    for item, criteria in entries.items():
        for criterion in criteria:
            known[keys[criterion]].add(texts_of_items[item])
    return known


def _wishes(batch: Batch) -> Batch:
    """Return an unsaved copy of a batch's design settings for all topics of the study."""
    design = {name: value for name, value in batch.design.items() if name not in OF_ONE_BATCH}
    of_each = batch.design.get("instruments", {})
    if of_each:
        design["instruments"] = {
            key: {name: value for name, value in figures.items() if name not in OF_ONE_BATCH}
            for key, figures in of_each.items()
        }
    return Batch(study=batch.study, design=design)
