"""Contents of items: their slots and keys."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from annotation.models import Segment
from judging.items.kinds import ItemKind, item_kind
from judging.models import Item, ItemSlot, Question

SLOT_MARK = ":"  # between question and slot of an answer about one part: "support:s2"


def slot_names(items: Iterable[Item]) -> dict[int, tuple[str, ...]]:
    """Return the names of each item's slots, in nominal order.

    Only kinds with different numbers of slots need a query, once for an item in memory.
    """
    every = list(items)
    names: dict[int, list[str]] = defaultdict(list)
    repeating = [item for item in every if item_kind(item.kind).repeats]
    unknown = {item.pk for item in repeating if item.imagined is None and item.names is None}
    if unknown:
        slots = ItemSlot.objects.filter(item__in=unknown).order_by()
        for item, name in slots.values_list("item", "name"):
            names[item].append(name)
    for repeated_item in repeating:
        if repeated_item.imagined is not None:
            names[repeated_item.pk] = [slot.name for slot in repeated_item.imagined]
        elif repeated_item.pk in unknown:
            repeated_item.names = names[repeated_item.pk]
        else:
            names[repeated_item.pk] = repeated_item.names or []
    return {
        item.pk: kind.in_order(names[item.pk])
        if (kind := item_kind(item.kind)).repeats
        else tuple(slot.name for slot in kind.slots)
        for item in every
    }


def slots_asked(question: Question, kind: ItemKind, names: Iterable[str]) -> tuple[str, ...]:
    """Return the slots of an item that a question asks about one by one, or ('',)."""
    return kind.judged(names, question.about) if question.arity == Question.Arity.SLOT else ("",)


def key_of(content: Any) -> str:
    """Return the key of a content as an answer names it."""
    if isinstance(content, Segment):
        return f"{content.response.key}:{content.line}"
    return str(content.key)
