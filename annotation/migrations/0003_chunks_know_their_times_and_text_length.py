"""What a chunk is checked against without reading the events before and after it."""

from django.db import migrations, models
from django.db.models import F, Q


class Migration(migrations.Migration):
    dependencies = [("annotation", "0002_interaction_log_and_entry_form")]

    operations = [
        migrations.AddField(
            "logchunk", "first_ms", models.PositiveIntegerField(default=0), preserve_default=False
        ),
        migrations.AddField(
            "logchunk", "last_ms", models.PositiveIntegerField(default=0), preserve_default=False
        ),
        migrations.AddField("logchunk", "length_after", models.PositiveIntegerField(null=True)),
        migrations.AddConstraint(
            "logchunk",
            models.CheckConstraint(
                condition=Q(last_ms__gte=F("first_ms")), name="chunk_time_runs_forward"
            ),
        ),
        migrations.AddField("packedlog", "last_number", models.PositiveIntegerField(default=0)),
        migrations.AddField("packedlog", "last_seq", models.PositiveIntegerField(default=0)),
        migrations.AddField("packedlog", "last_ms", models.PositiveIntegerField(default=0)),
    ]
