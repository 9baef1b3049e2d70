"""What was answered, and what was seen in the questionnaires that were handed in."""

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models import Q

from annotation.models import Assignment, ReviewDecision
from judging.models.instruments import Question
from judging.models.items import Item
from judging.models.raters import Rater


class Judgment(models.Model):
    """What a rater answered to a question about an item.

    `raw` is the answer as it was given on the screen; `value` is canonical: the key of the chosen
    object, or the code of the option, whatever the order the slots were shown in (`shown`). Both
    are empty where an optional answer was taken back; the row stays, so that a late request does
    not bring the answer back, and nothing reads it.
    Imported labels have no assignment; where nobody knows what stood where, `shown` is empty.
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
    """What a questionnaire said when a reviewer asked for a redo: one row a redo, never changed
    (judging.review.redoing). The judgments themselves are answered on; nothing but the record of
    what they were reads this, and it goes with them where their worker withdraws.

    A migration that alters this table on SQLite makes it again without its trigger: it has to
    bring it back (`ForbidChanges` of annotation.migrating).
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
    """What was seen in a handed-in questionnaire (judging.evidence): never a verdict.

    `marks` are rules with their numbers; marked work that nobody decided on is held for review.
    `active_seconds` are as judging.review.active_times measures them; with `active_whole` nothing
    was recorded between consent and handing in. All of it is about the work as it was handed in at
    `submitted_at`.
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
