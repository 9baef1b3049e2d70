from django.db import migrations, models
from django.db.models import Count


def mark_compared(apps, schema_editor):
    """Mark those who coded every unit of a closed coding, as the pages computed until now."""
    Coding, Coder = apps.get_model("judging", "Coding"), apps.get_model("judging", "Coder")
    for coding in Coding.objects.filter(closed_at__isnull=False):
        n = coding.units.count()
        Coding.objects.filter(pk=coding.pk).update(closed_units=n)
        rows = Coder.objects.filter(coding=coding).annotate(done=Count("given"))
        done = [coder.pk for coder in rows if coder.done == n]
        Coder.objects.filter(pk__in=done).update(is_compared=True)


class Migration(migrations.Migration):
    dependencies = [("judging", "0038_words_of_entries_can_be_erased")]

    operations = [
        migrations.AddField("coder", "is_compared", models.BooleanField(default=False)),
        migrations.AddField(
            "coding", "closed_units", models.PositiveIntegerField(blank=True, null=True)
        ),
        migrations.RunPython(mark_compared, migrations.RunPython.noop),
    ]
