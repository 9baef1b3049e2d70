"""Choices for a known item: the texts of a topic, slot by slot."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.models import Passage, Response, Segment, Topic
from judging.items.keys import item_key
from judging.items.kinds import Holds, ItemKind, Slot

MOST = 500  # choices of a slot
EXCERPT = 80  # characters of a part


@dataclass(frozen=True)
class SlotChoice:
    """`value` are the parts of an item's key, with | between them."""

    value: str
    label: str
    text: str


@dataclass(frozen=True)
class PickedSlot:
    """A slot with its choices and the chosen one."""

    slot: Slot
    choices: Sequence[SlotChoice]
    chosen: SlotChoice | None

    @property
    def field(self) -> str:
        return f"slot-{self.slot.name}"


def can_be_picked(kind: ItemKind) -> bool:
    """Return whether the slots to pick are the same for all items of the kind."""
    return all(slot.optional for slot in kind.slots if slot.repeated)


def picked(
    kind: ItemKind, *, topic: Topic, criteria: Sequence[Mapping[str, Any]], sent: Mapping[str, str]
) -> list[PickedSlot]:
    """Return each slot with the choice that was sent."""
    slots = []
    for slot in kind.slots:
        if slot.repeated:
            continue
        choices = _choices(slot, topic, criteria)
        wanted = sent.get(f"slot-{slot.name}", "")
        chosen = next((choice for choice in choices if choice.value == wanted), None)
        slots.append(PickedSlot(slot, choices, chosen))
    return slots


def key_of(kind: ItemKind, slots: Sequence[PickedSlot]) -> str:
    """Return the key of the item, '' if it is incomplete or repeats a text."""
    values = [slot.chosen.value for slot in slots if slot.chosen]
    if len(values) < len(slots) or len(set(values)) < len(values):
        return ""
    return item_key(kind, [value.split("|") for value in values])


def _choices(slot: Slot, topic: Topic, criteria: Sequence[Mapping[str, Any]]) -> list[SlotChoice]:
    if slot.holds == Holds.CRITERION:
        return [
            SlotChoice(criterion["key"], criterion["name"] or criterion["key"], "")
            for criterion in criteria
        ][:MOST]
    if slot.holds == Holds.PASSAGE:
        passages = Passage.objects.filter(topic=topic).order_by("pk")[:MOST]
        return [
            SlotChoice(f"{topic.key}|{passage.key}", passage.key, passage.text)
            for passage in passages
        ]
    if slot.holds == Holds.SEGMENT:
        rows = Segment.objects.filter(response__topic=topic, kind=slot.part)
        parts = rows.select_related("response").order_by("response", "line")[:MOST]
        return [
            SlotChoice(
                f"{part.response.key}|{part.line}",
                f"{part.response.key}, {part.line}: {part.text[:EXCERPT]}",
                part.text,
            )
            for part in parts
        ]
    responses = Response.objects.with_text().filter(topic=topic).select_related("system")
    return [
        SlotChoice(
            response.key,
            f"{response.system.name if response.system else response.key} ({response.key})",
            response.text,
        )
        for response in responses.order_by("key")[:MOST]
    ]
