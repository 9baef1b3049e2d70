"""Arms of a study. Each worker is randomly assigned to one method or style."""

from django.db import models

from annotation.models.studies import Study


class Arm(models.Model):
    """A method of a judging study or a style of a writing study that only some workers get.

    A worker's arm is that of their first task (fieldwork.work.arms). `minutes` is the expected time
    for one of its tasks; the study's is that of the longest arm.
    """

    study = models.ForeignKey(Study, models.CASCADE, related_name="arm_rows", db_index=False)
    position = models.PositiveSmallIntegerField(help_text="1 for the first")
    key = models.CharField(max_length=100)
    title = models.CharField(max_length=200)
    minutes = models.PositiveIntegerField()
    minimum_seconds = models.PositiveIntegerField(default=0)
    instructions = models.TextField(blank=True, help_text="Markdown; empty: those of the study")
    exit_fields = models.JSONField(
        null=True, help_text="keys of the study's exit form; null: all of them"
    )

    class Meta:
        ordering = ["study", "position"]
        constraints = [
            models.UniqueConstraint(fields=["study", "key"], name="arm_key_once_per_study"),
            models.UniqueConstraint(
                fields=["study", "position"], name="arm_position_once_per_study"
            ),
        ]

    def __str__(self) -> str:
        return self.title
