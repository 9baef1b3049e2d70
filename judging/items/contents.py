"""Contents of items: their slots and keys."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from annotation.models import Segment
from judging.items.kinds import item_kind
from judging.models import Item, ItemSlot


def slot_names(items: Iterable[Item]) -> dict[int, tuple[str, ...]]:
    """Return the names of each item's slots, in nominal order.

    Only kinds with different numbers of slots need a query.
    """
    every = list(items)
    names: dict[int, list[str]] = defaultdict(list)
    repeating = [item for item in every if item_kind(item.kind).repeats]
    for repeated_item in repeating:
        names[repeated_item.pk] = [slot.name for slot in repeated_item.imagined or ()]
    unknown = [item.pk for item in repeating if item.imagined is None]
    if unknown:
        slots = ItemSlot.objects.filter(item__in=unknown).order_by()
        for item, name in slots.values_list("item", "name"):
            names[item].append(name)
    return {
        item.pk: kind.in_order(names[item.pk])
        if (kind := item_kind(item.kind)).repeats
        else tuple(slot.name for slot in kind.slots)
        for item in every
    }


def key_of(content: Any) -> str:
    """Return the key of a content as an answer names it."""
    if isinstance(content, Segment):
        return f"{content.response.key}:{content.line}"
    return str(content.key)
