"""A study has instruments: first nothing names its instrument yet."""

import django.db.models.deletion
from django.db import migrations, models


def instrument_of(model_name: str, related_name: str) -> migrations.AddField:
    return migrations.AddField(
        model_name=model_name,
        name="instrument",
        field=models.ForeignKey(
            db_index=False,
            null=True,
            on_delete=django.db.models.deletion.CASCADE,
            related_name=related_name,
            to="judging.instrument",
        ),
    )


def study_of(model_name: str, related_name: str) -> migrations.AlterField:
    """It goes once the instrument is there; without a value it can come back."""
    return migrations.AlterField(
        model_name=model_name,
        name="study",
        field=models.ForeignKey(
            db_index=False,
            null=True,
            on_delete=django.db.models.deletion.CASCADE,
            related_name=related_name,
            to="annotation.study",
        ),
    )


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0007_arrivals_prove_who_they_are"),
        ("judging", "0005_raters_are_crowd_experts_or_models"),
    ]

    operations = [
        migrations.CreateModel(
            name="Instrument",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "position",
                    models.PositiveSmallIntegerField(
                        help_text="1 is what a questionnaire begins with"
                    ),
                ),
                ("key", models.CharField(max_length=100)),
                ("title", models.CharField(max_length=200)),
                ("item_kind", models.CharField(max_length=30)),
                ("designer", models.CharField(max_length=30)),
                ("design", models.JSONField(blank=True, default=dict)),
                (
                    "item_order",
                    models.CharField(
                        choices=[("drawn", "drawn for each worker"), ("fixed", "as designed")],
                        default="drawn",
                        max_length=5,
                    ),
                ),
                ("instructions", models.TextField(blank=True, help_text="Markdown")),
                (
                    "study",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="instruments",
                        to="annotation.study",
                    ),
                ),
            ],
            options={
                "ordering": ["study", "position"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("study", "key"), name="instrument_key_once_per_study"
                    ),
                    models.UniqueConstraint(
                        fields=("study", "position"), name="instrument_position_once_per_study"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(item_order__in=["drawn", "fixed"]),
                        name="instrument_item_order_known",
                    ),
                ],
            },
        ),
        study_of("criterion", "criteria"),
        study_of("scale", "scales"),
        instrument_of("criterion", "criteria"),
        instrument_of("scale", "scales"),
        instrument_of("question", "questions"),
        instrument_of("taskitem", "task_items"),
        instrument_of("presentation", "presentations"),
    ]
