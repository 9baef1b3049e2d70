"""A draft may have been kept with an amount that is no number, such as "NaN": no page of it could
compute with that, and no such document is taken any more. It becomes 0, or no budget."""

from decimal import Decimal, InvalidOperation

from django.db import migrations

INSTEAD = {"pay": "0", "hourly_wage": "0", "budget": None, "reward": "0"}
LARGEST = 10**9  # of money: more than any column has


def is_amount(value):
    try:
        return value is None or (amount := Decimal(str(value))).is_finite() and (
            amount.adjusted() >= -9 and abs(amount) < LARGEST or not amount
        )
    except InvalidOperation:
        return True  # another sort of place has this name


def mended(value, name=""):
    if isinstance(value, dict):
        return {key: mended(each, key) for key, each in value.items()}
    if isinstance(value, list):
        return [mended(each) for each in value]
    return INSTEAD[name] if name in INSTEAD and not is_amount(value) else value


def mend_done(done):
    name = done.get("path", "").rpartition("/")[2]
    return done | {key: mended(done[key], name) for key in ("before", "after") if key in done}


def mend(apps, schema_editor):
    Draft = apps.get_model("annotation", "Draft")
    for draft in Draft.objects.only("document").iterator():
        if (document := mended(draft.document)) != draft.document:
            Draft.objects.filter(pk=draft.pk).update(document=document)
    Revision = apps.get_model("annotation", "DraftRevision")
    for revision in Revision.objects.only("changes").iterator():
        if (changes := [mend_done(each) for each in revision.changes]) != revision.changes:
            Revision.objects.filter(pk=revision.pk).update(changes=changes)


class Migration(migrations.Migration):
    dependencies = [("annotation", "0041_uploads_make_degraded_copies")]
    operations = [migrations.RunPython(mend, migrations.RunPython.noop, elidable=True)]
