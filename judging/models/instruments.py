"""Instruments as a study copied them, with criteria, scales and questions."""

from django.db import models
from django.db.models import Q

from annotation.models import Study, Topic
from judging.models.banks import Bank


class Instrument(models.Model):
    """A method of judging: its questions, its kind of items, and their design."""

    class ItemOrder(models.TextChoices):
        DRAWN = "drawn", "random per participant"
        FIXED = "fixed", "as designed"

    study = models.ForeignKey(Study, models.CASCADE, related_name="instruments", db_index=False)
    position = models.PositiveSmallIntegerField(help_text="1 is what a questionnaire begins with")
    key = models.CharField(max_length=100)
    version = models.PositiveSmallIntegerField(
        default=1, db_default=1, help_text="of the wording of the method that the study copied"
    )
    title = models.CharField(max_length=200)
    item_kind = models.CharField(max_length=30)
    designer = models.CharField(max_length=30)
    # The figures that its items are designed with, unless a batch is asked for others.
    design = models.JSONField(default=dict, blank=True)
    # How it is checked: "gold", how many gold items a questionnaire has; "item_seconds", the least
    # time for a page.
    checked_with = models.JSONField(default=dict, blank=True)
    item_order = models.CharField(max_length=5, choices=ItemOrder, default=ItemOrder.DRAWN)
    instructions = models.TextField(blank=True, help_text="Markdown")
    totals = models.JSONField(
        default=list, blank=True, help_text="key of each and its criteria, none: all asked"
    )
    # Its criteria are entries of this bank as they were at the revision.
    bank = models.ForeignKey(
        Bank, models.RESTRICT, null=True, blank=True, related_name="instruments"
    )
    bank_revision = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        ordering = ["study", "position"]
        constraints = [
            models.UniqueConstraint(fields=["study", "key"], name="instrument_key_once_per_study"),
            models.UniqueConstraint(
                fields=["study", "position"], name="instrument_position_once_per_study"
            ),
            models.CheckConstraint(
                condition=Q(item_order__in=["drawn", "fixed"]), name="instrument_item_order_known"
            ),
            models.CheckConstraint(
                condition=Q(bank=None, bank_revision=None)
                | Q(bank__isnull=False, bank_revision__isnull=False),
                name="instrument_bank_has_a_revision",
            ),
        ]

    def __str__(self) -> str:
        return self.title


class Criterion(models.Model):
    """A criterion: a quality dimension, an exam question, a nugget."""

    instrument = models.ForeignKey(
        Instrument, models.CASCADE, related_name="criteria", db_index=False
    )
    key = models.CharField(max_length=450, help_text="as long as that of an entry of a bank")
    name = models.CharField(max_length=200)
    definition = models.TextField(blank=True, help_text="Markdown")
    topic = models.ForeignKey(Topic, models.CASCADE, null=True, blank=True, related_name="+")

    class Meta:
        verbose_name_plural = "criteria"
        constraints = [
            models.UniqueConstraint(
                fields=["instrument", "key"], name="criterion_key_once_per_instrument"
            )
        ]

    def __str__(self) -> str:
        return self.name


class Scale(models.Model):
    """Form of an answer: options (code, label, role, score or slot), a range, or text."""

    class Kind(models.TextChoices):
        OPTIONS = "options"
        RANGE = "range"
        TEXT = "text"

    instrument = models.ForeignKey(
        Instrument, models.CASCADE, related_name="scales", db_index=False
    )
    key = models.CharField(max_length=100)
    kind = models.CharField(max_length=10, choices=Kind)
    # As in the instrument file: judging.instruments checks it, judging.scales reads it.
    spec = models.JSONField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["instrument", "key"], name="scale_key_once_per_instrument"
            ),
        ]

    def __str__(self) -> str:
        return self.key


class Question(models.Model):
    """A criterion, asked on a scale of every item of its instrument.

    `study` is that of the instrument, so that a study has its questions in one order.
    """

    class Arity(models.TextChoices):
        ITEM = "item", "one answer per item"
        SLOT = "slot", "one answer per slot"
        CHOOSE = "choose", "choose a slot"

    study = models.ForeignKey(Study, models.CASCADE, related_name="questions", db_index=False)
    instrument = models.ForeignKey(
        Instrument, models.CASCADE, related_name="questions", db_index=False
    )
    position = models.PositiveIntegerField(help_text="in the study")
    key = models.CharField(max_length=100)
    criterion = models.ForeignKey(Criterion, models.CASCADE, related_name="questions")
    scale = models.ForeignKey(Scale, models.CASCADE, related_name="questions")
    arity = models.CharField(max_length=10, choices=Arity, default=Arity.ITEM)
    about = models.CharField(
        max_length=20, blank=True, db_default="", help_text="the slots asked about; empty: all"
    )
    text = models.TextField()
    justification = models.BooleanField(default=False, help_text="offer a field for the reason")
    optional = models.BooleanField(default=False, help_text="it may be left out")

    class Meta:
        ordering = ["study", "position"]
        constraints = [
            models.UniqueConstraint(fields=["study", "position"], name="question_position_once"),
            models.UniqueConstraint(
                fields=["instrument", "key"], name="question_key_once_per_instrument"
            ),
        ]

    def __str__(self) -> str:
        return self.text
