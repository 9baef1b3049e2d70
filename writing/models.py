"""What a writer is asked for, and what they handed in."""

from django.db import models
from django.db.models import Q

from annotation.models import Assignment, Response, Study, Style, Task, Topic


class Brief(models.Model):
    """What all writers of a study are told: target length and what each style means."""

    study = models.OneToOneField(Study, models.CASCADE, related_name="brief")
    target_words = models.PositiveIntegerField(default=250)
    low_words = models.PositiveIntegerField(default=200)
    high_words = models.PositiveIntegerField(default=300)
    # [{"style": "bullet", "name": ..., "instructions": Markdown}, ...]
    styles = models.JSONField(default=list)
    rule = models.TextField(help_text="Markdown; what a writer acknowledges before writing")

    def __str__(self) -> str:
        return f"brief of {self.study.slug}"


class WritingTask(models.Model):
    """A topic to be answered in a style."""

    task = models.OneToOneField(Task, models.CASCADE, related_name="writing_task")
    topic = models.ForeignKey(Topic, models.PROTECT, related_name="+")
    style = models.CharField(max_length=10, choices=Style)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(style__in=Style.values), name="writing_style_known")
        ]

    def __str__(self) -> str:
        return f"{self.style}: {self.topic}"


class Writing(models.Model):
    """What one worker wrote on one task. Made when they acknowledge the rule."""

    class Verdict(models.TextChoices):
        EQUAL = "equal", "the log rebuilds the submitted text"
        DIFFERS = "differs", "the log rebuilds another text"
        INCOMPLETE = "incomplete", "chunks of the log are missing"

    assignment = models.OneToOneField(Assignment, models.CASCADE, related_name="writing")
    acknowledged_at = models.DateTimeField()
    text = models.TextField(blank=True, help_text="as submitted")
    verdict = models.CharField(max_length=10, choices=Verdict, blank=True)
    # Once accepted the text is a response of the corpus and can be judged.
    response = models.OneToOneField(
        Response, models.SET_NULL, null=True, blank=True, related_name="writing"
    )

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(verdict__in=["", "equal", "differs", "incomplete"]),
                name="writing_verdict_known",
            )
        ]

    def __str__(self) -> str:
        return str(self.assignment)


class ProcessRecord(models.Model):
    """How a text was written: measures and flags of its log, as of its last submission.

    Made by writing.measuring after the submission; where it is missing or not of this version,
    by the sweep, or by the page that asks for it.
    """

    writing = models.OneToOneField(Writing, models.CASCADE, related_name="process")
    # {"typing_pace": [43.8, 61200], ...}: value and moment (ms), either may be null
    values = models.JSONField(default=dict)
    # [{"kind": "pace", "value": ..., "unit": ..., "limit": ..., "points": [[seq, ms], ...]}, ...]
    flags = models.JSONField(default=list)
    fault = models.TextField(blank=True, help_text="why the log cannot be measured")
    attempts = models.PositiveSmallIntegerField(
        default=0, help_text="times that measuring was begun and did not end; 0 once it did"
    )
    version = models.PositiveSmallIntegerField(help_text="of the measures: writing.measures")
    submitted_at = models.DateTimeField(null=True, help_text="the submission that was measured")
    computed_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"process of {self.writing}"
