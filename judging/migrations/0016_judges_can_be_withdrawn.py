"""Judges can be withdrawn; those whose labels were taken out before are."""

from typing import Any

from django.db import migrations, models
from django.db.models import Exists, OuterRef, Q


def withdraw_what_was_taken_out(apps: Any, schema_editor: Any) -> None:
    """Its answers were counted, and its rater has no judgment in the study: until now nothing could
    make them count again."""
    judges = apps.get_model("judging", "MachineJudge").objects.all()
    calls = apps.get_model("judging", "MachineCall").objects.filter(judge=OuterRef("pk"))
    judgments = apps.get_model("judging", "Judgment").objects.filter(
        rater=OuterRef("rater"), assignment=None, item__study=OuterRef("study")
    )
    judges.filter(Exists(calls.filter(counted=True)), ~Exists(judgments)).exclude(
        state="running"
    ).update(state="withdrawn", said="")


def go_on(apps: Any, schema_editor: Any) -> None:
    judges = apps.get_model("judging", "MachineJudge").objects.all()
    judges.filter(state="withdrawn").update(state="paused")


class Migration(migrations.Migration):
    dependencies = [
        ("judging", "0015_failures_in_a_row_are_kept"),
    ]

    operations = [
        migrations.RemoveConstraint(model_name="machinejudge", name="machine_judge_state_known"),
        migrations.AlterField(
            model_name="machinejudge",
            name="state",
            field=models.CharField(
                choices=[
                    ("ready", "Ready"),
                    ("running", "Running"),
                    ("paused", "Paused"),
                    ("done", "Done"),
                    ("withdrawn", "Withdrawn"),
                ],
                default="ready",
                max_length=10,
            ),
        ),
        migrations.AddConstraint(
            model_name="machinejudge",
            constraint=models.CheckConstraint(
                condition=Q(state__in=["ready", "running", "paused", "done", "withdrawn"]),
                name="machine_judge_state_known",
            ),
        ),
        migrations.RunPython(withdraw_what_was_taken_out, go_on),
    ]
