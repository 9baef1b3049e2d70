"""Judgments, and examinations of submitted questionnaires."""

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import Q

from annotation.models import Assignment, ReviewDecision
from judging.models.instruments import Question
from judging.models.items import Item
from judging.models.raters import Rater


class Judgment(models.Model):
    """A rater's answer to a question about an item.

    `raw` is the answer on the screen; `value` is canonical: the key of the chosen object, or the
    code of the option, whatever the order of the slots (`shown`). Both are empty if an optional
    answer was taken back; the row stays unread, so that a late request does not restore the
    answer. Imported labels have no assignment; `shown` is empty if the order is unknown.
    """

    rater = models.ForeignKey(Rater, models.PROTECT, related_name="judgments", db_index=False)
    item = models.ForeignKey(Item, models.CASCADE, related_name="judgments")
    question = models.ForeignKey(Question, models.CASCADE, related_name="judgments", db_index=False)
    slot = models.CharField(max_length=30, blank=True, help_text="the slot judged, if only one")
    shown = models.CharField(
        max_length=200, blank=True, help_text="slot names from left to right; empty if not known"
    )
    assignment = models.ForeignKey(
        Assignment, models.CASCADE, null=True, blank=True, related_name="judgments"
    )
    raw = models.TextField()
    value = models.TextField()
    score = models.FloatField(null=True, blank=True)
    milliseconds = models.PositiveIntegerField(
        null=True, blank=True, help_text="from the item's appearance to this answer"
    )
    comment = models.TextField(blank=True)
    changes = models.PositiveIntegerField(
        default=0, help_text="how often a saved answer was replaced by another"
    )
    number = models.BigIntegerField(
        default=0, db_default=0, help_text="of two answers the higher one counts; 0 is none"
    )
    first_at = models.DateTimeField()
    answered_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["rater", "item", "question", "slot", "shown"], name="judgment_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.rater} on {self.item}: {self.value}"


class AnswersBefore(models.Model):
    """Answers before a requested redo, never changed (judging.review.redoing).

    The judgments themselves go on changing; only the record of a redo reads this, and it is
    deleted if the worker withdraws.

    A migration that alters this table on SQLite creates it again without its trigger: it has to
    restore it (`ForbidChanges` of annotation.migration_operations).
    """

    assignment = models.ForeignKey(Assignment, models.CASCADE, related_name="answers_before")
    decision = models.OneToOneField(ReviewDecision, models.CASCADE, related_name="answers_before")
    submitted_at = models.DateTimeField(help_text="when these answers were handed in")
    answers = models.JSONField(
        default=list, encoder=DjangoJSONEncoder, help_text="the judgments, each as its columns"
    )
    remarks = models.JSONField(default=dict, help_text="on items, by position")
    exit_answers = models.JSONField(default=dict)

    class Meta:
        verbose_name_plural = "answers before"
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.assignment}: {len(self.answers)} answers before"


class Examination(models.Model):
    """Evidence on a submitted questionnaire (judging.review.evidence): never a verdict.

    `marks` are flags with their numbers; flagged submissions without a decision wait for review.
    `active_seconds` are those of judging.review.active_times; with `active_whole` no time was
    recorded between consent and submission. All of it is about the submission at `submitted_at`.
    """

    assignment = models.OneToOneField(Assignment, models.CASCADE, related_name="examination")
    version = models.PositiveSmallIntegerField(help_text="of the rules")
    answers = models.PositiveIntegerField(help_text="by choice")
    seconds = models.FloatField(null=True, blank=True, help_text="from consent to handing in")
    submitted_at = models.DateTimeField(null=True, blank=True, help_text="what was examined")
    active_seconds = models.FloatField(null=True, blank=True)
    active_whole = models.BooleanField(default=False)
    marks = models.JSONField(default=list)
    is_marked = models.BooleanField()

    class Meta:
        indexes = [
            models.Index(
                fields=["assignment"], name="examination_marked", condition=Q(is_marked=True)
            )
        ]

    def __str__(self) -> str:
        return f"{self.assignment}: {len(self.marks)} marks"
