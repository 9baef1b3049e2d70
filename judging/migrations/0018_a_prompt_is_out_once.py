"""Of all that the same people ask with, one asks for the answer to a prompt at a time."""

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [
        ("judging", "0017_calls_know_their_team"),
    ]

    operations = [
        migrations.AlterField(
            "machinecall",
            "team",
            models.ForeignKey(
                db_index=False,
                help_text="of the study of the judge",
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="annotation.team",
            ),
        ),
        migrations.AddConstraint(
            "machinecall",
            models.UniqueConstraint(
                condition=Q(state="sent"), fields=["team", "prompt_hash"], name="prompt_is_out_once"
            ),
        ),
    ]
