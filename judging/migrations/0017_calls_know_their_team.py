"""Calls know the people who share their answers; askers, what address is in their hashes."""

from typing import Any

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import Exists, OuterRef, Q, Subquery


def know_their_team(apps: Any, schema_editor: Any) -> None:
    calls = apps.get_model("judging", "MachineCall").objects.all()
    judges = apps.get_model("judging", "MachineJudge").objects.filter(pk=OuterRef("judge"))
    calls.update(team=Subquery(judges.values("study__team")[:1]))


def lose_what_is_out_twice(apps: Any, schema_editor: Any) -> None:
    """Nobody sends while tables are changed: what is out was not heard of."""
    calls = apps.get_model("judging", "MachineCall").objects.filter(state="sent")
    earlier = calls.filter(
        team=OuterRef("team"), prompt_hash=OuterRef("prompt_hash"), pk__lt=OuterRef("pk")
    )
    twice = list(calls.filter(Exists(earlier)).values_list("pk", flat=True))
    calls.filter(pk__in=twice).update(
        state="unknown", error="lost", said="Nothing was heard of it since it was sent."
    )


class Migration(migrations.Migration):
    dependencies = [
        ("judging", "0016_judges_can_be_withdrawn"),
    ]

    operations = [
        migrations.AddField(
            "machinejudge",
            "hashed_for",
            models.CharField(
                blank=True,
                default="",
                editable=False,
                help_text="the address that is in the hashes of calls without an answer",
                max_length=300,
            ),
            preserve_default=False,
        ),
        migrations.AddField(
            "machinecall",
            "team",
            models.ForeignKey(
                null=True,
                db_index=False,
                help_text="of the study of the judge",
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="annotation.team",
            ),
        ),
        migrations.RunPython(know_their_team, migrations.RunPython.noop),
        migrations.RunPython(lose_what_is_out_twice, migrations.RunPython.noop),
    ]
