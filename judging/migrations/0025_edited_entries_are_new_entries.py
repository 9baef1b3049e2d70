"""A nugget's key is the md5 of its own text; grades by an older key go to an entry of their own.

A study copied entries with the keys that they had before they were edited. Its own workers and
models read the new text, so their answers stay. Labels that were imported named the entry by the
key of its earlier text, which is not known any more: they move to an entry “Earlier wording”, with
the old key and items of its own.
"""

import hashlib
import re
from typing import Any

from django.db import migrations

DIGEST = re.compile(r"/[0-9a-f]{32}\Z")
KIND = "passage_criterion"
NAME_LENGTH = 200


def own_key(criterion: Any) -> str:
    if not DIGEST.search(criterion.key):
        return str(criterion.key)
    text = criterion.definition or criterion.name
    if criterion.definition and not criterion.definition.startswith(criterion.name):
        text = f"{criterion.name}\n\n{criterion.definition}"
    digest = hashlib.md5(text.strip().encode(), usedforsecurity=False).hexdigest()
    return f"{criterion.key.rpartition('/')[0]}/{digest}"


def separate_wordings(apps: Any, schema_editor: Any) -> None:
    Criterion = apps.get_model("judging", "Criterion")
    entries = Criterion.objects.filter(instrument__item_kind=KIND, questions=None)
    for entry in entries.select_related("instrument").order_by("pk"):
        key = own_key(entry)
        others = Criterion.objects.filter(instrument=entry.instrument_id, key=key)
        if key == entry.key or others.exists():
            continue
        before = entry.key
        Criterion.objects.filter(pk=entry.pk).update(key=key)
        separate(apps, entry, before=before, now=key)


def separate(apps: Any, entry: Any, *, before: str, now: str) -> None:
    """Name the items of an entry by its new key, and move imported labels to items of the old."""
    Item, ItemSlot = apps.get_model("judging", "Item"), apps.get_model("judging", "ItemSlot")
    Judgment = apps.get_model("judging", "Judgment")
    judges = apps.get_model("judging", "MachineJudge").objects.filter(
        study=entry.instrument.study_id
    )
    earlier = None
    for item in Item.objects.filter(kind=KIND, slots__criterion=entry.pk).order_by("pk"):
        key = item.key
        Item.objects.filter(pk=item.pk).update(key=key.replace(before, now, 1))
        imported = Judgment.objects.filter(item=item.pk, assignment=None)
        imported = imported.exclude(rater__in=judges.values("rater"))
        if not imported.exists():
            continue
        earlier = earlier or earlier_entry(entry, before)
        slots = list(ItemSlot.objects.filter(item=item.pk).order_by("position"))
        passage = next(slot.passage_id for slot in slots if slot.passage_id)
        item.pk, item.key = None, key
        item.unit = f"{KIND}:c{earlier.pk}|p{passage}"
        item.save()
        for slot in slots:
            slot.pk, slot.item_id = None, item.pk
            if slot.criterion_id:
                slot.criterion_id = earlier.pk
            slot.save()
        imported.update(item=item.pk)


def earlier_entry(entry: Any, key: str) -> Any:
    name = f"Earlier wording of: {entry.name}"[:NAME_LENGTH]
    return type(entry).objects.create(
        instrument_id=entry.instrument_id, key=key, name=name, topic_id=entry.topic_id
    )


class Migration(migrations.Migration):
    dependencies = [("judging", "0024_instruments_have_a_version")]

    operations = [migrations.RunPython(separate_wordings, migrations.RunPython.noop)]
