"""The tables of the log are here already, with their new names: only the models come."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0011_the_log_goes_to_the_writing_app"),
        ("writing", "0003_attempts_to_measure_are_counted"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.CreateModel(
                    name="PackedLog",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        ("events", models.PositiveIntegerField()),
                        ("data", models.BinaryField()),
                        ("last_number", models.PositiveIntegerField(default=0)),
                        ("last_seq", models.PositiveIntegerField(default=0)),
                        ("last_ms", models.PositiveIntegerField(default=0)),
                        (
                            "log_bytes",
                            models.PositiveIntegerField(
                                default=0, help_text="as JSON; 0 where nobody counted"
                            ),
                        ),
                        ("arrivals", models.BinaryField(default=b"")),
                        (
                            "source",
                            models.CharField(
                                default="browser",
                                help_text="browser, or snapshots of an imported study",
                                max_length=10,
                            ),
                        ),
                        (
                            "assignment",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="packed_log",
                                to="annotation.assignment",
                            ),
                        ),
                    ],
                ),
                migrations.CreateModel(
                    name="LogChunk",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        ("number", models.PositiveIntegerField()),
                        ("first_seq", models.PositiveIntegerField()),
                        ("last_seq", models.PositiveIntegerField()),
                        ("first_ms", models.PositiveIntegerField()),
                        ("last_ms", models.PositiveIntegerField()),
                        ("length_after", models.PositiveIntegerField(null=True)),
                        ("log_bytes", models.PositiveIntegerField()),
                        ("data", models.BinaryField()),
                        ("received_at", models.DateTimeField()),
                        (
                            "assignment",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="log_chunks",
                                to="annotation.assignment",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["assignment", "number"],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("assignment", "number"),
                                name="chunk_number_once_per_assignment",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("number__gte", 1)), name="chunk_number_from_1"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("last_seq__gte", models.F("first_seq"))),
                                name="chunk_has_events",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("last_ms__gte", models.F("first_ms"))),
                                name="chunk_time_runs_forward",
                            ),
                        ],
                    },
                ),
            ],
        ),
    ]
