"""Newcomers do the onboarding batches of a study first; so many of them must be accepted."""

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("annotation", "0003_chunks_know_their_times_and_text_length")]

    operations = [
        migrations.AddField(
            "study",
            "onboarding_tasks",
            models.PositiveIntegerField(
                default=0,
                help_text="of its onboarding batches, to be accepted before any other task",
            ),
        ),
        migrations.AlterField(
            "study",
            "tasks_per_worker",
            models.PositiveIntegerField(default=1, help_text="besides onboarding"),
        ),
        migrations.AddField(
            "batch",
            "onboarding",
            models.BooleanField(default=False, help_text="newcomers do it first"),
        ),
        migrations.AddConstraint(
            "batch",
            models.CheckConstraint(
                condition=Q(onboarding=False) | Q(closes_when_full=False),
                name="onboarding_does_not_close_when_full",
            ),
        ),
    ]
