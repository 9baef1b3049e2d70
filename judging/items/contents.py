"""Which slots the items have that somebody works on. Only reads."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from annotation.models import Segment
from judging.items.kinds import item_kind
from judging.models import Item, ItemSlot


def slot_names(items: Iterable[Item]) -> dict[int, tuple[str, ...]]:
    """The names of the slots of each item (by id), in nominal order.

    Where the kind has as many in each item it knows them; only for others they are looked up.
    """
    every = list(items)
    names: dict[int, list[str]] = defaultdict(list)
    repeating = [item for item in every if item_kind(item.kind).repeats]
    for each in repeating:
        names[each.pk] = [slot.name for slot in each.imagined or ()]
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
    """As the value of an answer that chooses it (judging.answering.locked_assignment)."""
    if isinstance(content, Segment):
        return f"{content.response.key}:{content.line}"
    return str(content.key)
