"""Names of answers, texts, items and tasks on pages."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.utils.translation import gettext

from annotation.corpora.text_names import response_name
from annotation.models import Assignment, Study, Task
from judging.banks.secrets import hidden_keys
from judging.items.kinds import item_kind
from judging.models import Item, ItemSlot, Question


def slot_name(slot: ItemSlot) -> str:
    """Return the name of the content of a slot."""
    if slot.response is not None:
        return response_name(slot.response)
    if slot.passage is not None:
        return slot.passage.title or slot.passage.key
    if slot.criterion is not None:
        return slot.criterion.name
    assert slot.segment is not None  # slot_holds_one_thing
    part = slot.segment
    return gettext("{kind} in line {line} of {response_name}").format(
        kind=part.get_kind_display(), line=part.line, response_name=response_name(part.response)
    )


def item_name(slots: Sequence[ItemSlot]) -> str:
    """Return the names of the contents of an item."""
    return " · ".join(slot_name(slot) for slot in slots if not _is_beside(slot))


def _is_beside(slot: ItemSlot) -> bool:
    """Return whether the slot holds a document beside the judged texts."""
    return slot.name.startswith("d") and slot.name[1:].isdigit()


def slots_of(items: Iterable[Item], study: Study) -> dict[int, list[ItemSlot]]:
    """Return the slots of items by id of the item, in nominal order and without long texts."""
    rows = ItemSlot.objects.filter(item__in=[item.pk for item in items]).order_by("position")
    rows = rows.select_related(
        "response__system", "passage", "criterion", "segment__response__system"
    ).defer(
        "response__text", "response__turns", "passage__text", "segment__text",
        "segment__response__text", "criterion__definition",
    )  # fmt: skip
    slots: dict[int, list[ItemSlot]] = {}
    hidden = hidden_keys(study)
    for row in rows:
        if row.criterion is not None and row.criterion.key in hidden:
            row.criterion.name = gettext("Secret entry")
        slots.setdefault(row.item_id, []).append(row)
    return slots


def work_name(work: Assignment) -> str:
    return task_name(work.study, work.task)


def task_name(study: Study, task: Task) -> str:
    """Return the questionnaire in its batch, or the topic and the style."""
    if study.kind == Study.Kind.WRITING:
        writing = task.writing_task
        return f"{writing.topic.query} · {writing.get_style_display().lower()}"
    return gettext("Questionnaire {number} of {name}").format(
        number=task.number, name=task.batch.name
    )


def answer_said(question: Question, raw: str) -> str:
    """Return the words for an answer as it was given on the screen."""
    for option in _options(question):
        if option["code"] == raw:
            return str(option["label"])
    return raw


def answer_meant(question: Question, kind: str, value: str, raw: str, slots: Sequence[Any]) -> str:
    """Return an answer independent of the order shown: of a choice, the nominal slot."""
    for option in _options(question):
        if option["code"] != raw:
            continue
        if option["role"] != "slot":
            return str(option["label"])
        chosen = next((slot for slot in slots if key_of(slot) == value), None)
        return letter_of(kind, chosen.name) if chosen else str(option["label"])
    return raw


def key_of(slot: ItemSlot) -> str:
    if slot.segment is not None:
        return f"{slot.segment.response.key}:{slot.segment.line}"
    return str(slot.content.key)  # type: ignore[union-attr]


def letter_of(kind: str, name: str) -> str:
    """Return the letter of a slot (A, B) where no side is known; of other kinds its name."""
    slot = item_kind(kind).slot(name)
    if slot is not None and slot.drawn:
        return name.upper()
    return item_kind(kind).label(name)


def _options(question: Question) -> list[dict[str, Any]]:
    options: list[dict[str, Any]] = question.scale.spec.get("options", [])
    return options
