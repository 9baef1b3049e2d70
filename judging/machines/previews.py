"""Preview of a prompt about a real item."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import msgspec

from annotation.models import Study
from judging.items.notes import notes_read
from judging.machines.fields import fields_of, schema
from judging.machines.item_prompts import interviews, materials, messages
from judging.models import Item, ItemSlot, Prompt


@dataclass(frozen=True)
class PromptPreview:
    """Item `number` of `total`, from 1 on, in `order` 0 or 1; `schema` of a structured answer."""

    item: Item
    number: int
    total: int
    order: int
    orders: int
    messages: list[dict[str, str]]
    calls: int
    schema: str = ""

    @property
    def before(self) -> int:
        return max(1, self.number - 1)

    @property
    def after(self) -> int:
        return min(self.total, self.number + 1)


def preview(
    *,
    study: Study,
    prompt: Prompt,
    at_once: bool,
    structured: bool,
    number: int = 1,
    order: int = 0,
    hidden: Collection[str] = (),
) -> PromptPreview | None:
    """Return the preview, None if the study has no item to ask about. Raises BadPrompt.

    Items on criteria with `hidden` keys are left out.
    """
    interviews_of_study = interviews(study, at_once=at_once)
    items = Item.objects.filter(
        study=study, kind__in={interview.instrument.item_kind for interview in interviews_of_study}
    ).order_by("pk")
    if hidden:
        secret = ItemSlot.objects.filter(item__study=study, criterion__key__in=hidden)
        items = items.exclude(pk__in=secret.values("item"))
    total = items.count()
    number = min(max(number, 1), total)
    item = items.select_related("topic")[number - 1 :].first() if total else None
    material = materials([item]).get(item.pk) if item else None
    if item is None or material is None:
        return None
    mine = [
        interview
        for interview in interviews_of_study
        if interview.instrument.item_kind == item.kind
    ]
    order = min(max(order, 0), len(material.orders) - 1)
    shown = material.orders[order]
    shape: Any = schema(fields_of(mine[0].questions, material.page(shown))) if structured else None
    return PromptPreview(
        item=item,
        number=number,
        total=total,
        order=order,
        orders=len(material.orders),
        messages=messages(
            prompt=prompt,
            material=material,
            order=shown,
            interview=mine[0],
            notes=notes_read(mine[0].instrument, [item.pk]),
        ),
        calls=len(mine) * len(material.orders),
        schema=msgspec.json.format(msgspec.json.encode(shape)).decode() if shape else "",
    )
