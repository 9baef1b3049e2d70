"""The level of measurement belongs to the scale; a study that had set one hands it on."""

from django.db import migrations

LEVELS = ("nominal", "ordinal", "interval")


def hand_on(apps, schema_editor):
    Scale = apps.get_model("judging", "Scale")
    for scale in Scale.objects.filter(instrument__study__analysis__has_key="level"):
        level = scale.instrument.study.analysis["level"]
        if level in LEVELS and scale.kind == "options" and "level" not in scale.spec:
            scale.spec["level"] = level
            scale.save(update_fields=["spec"])


class Migration(migrations.Migration):
    dependencies = [
        ("judging", "0008_all_name_their_instrument"),
        ("annotation", "0001_initial"),
    ]

    operations = [migrations.RunPython(hand_on, migrations.RunPython.noop)]
