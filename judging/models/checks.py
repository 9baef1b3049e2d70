"""Checks: pages like others that show how people work, and never count."""

from django.db import models
from django.db.models import Q

from annotation.models import Study
from judging.models.instruments import Instrument


class ItemRole(models.TextChoices):
    """Role of an item in a questionnaire. Only judged items are analysed."""

    JUDGED = "judged"
    ATTENTION = "attention", "attention item"
    GOLD = "gold", "gold item"
    TRAINING = "training", "training item"


class Check(models.Model):
    """An attention, gold or training item of a study (`spec`: its part of the instrument file).

    Each questionnaire has its own item for it, so that answers stay apart. `expected` are the
    answers by question: codes of an attention item as shown, canonical values of others. No page
    of a worker gets them before the answer.
    """

    study = models.ForeignKey(Study, models.CASCADE, related_name="checks", db_index=False)
    instrument = models.ForeignKey(
        Instrument, models.CASCADE, related_name="checks", db_index=False
    )
    role = models.CharField(max_length=10, choices=ItemRole)
    position = models.PositiveIntegerField(help_text="in the study")
    key = models.CharField(max_length=100)
    spec = models.JSONField()
    expected = models.JSONField()

    class Meta:
        ordering = ["study", "position"]
        constraints = [
            models.UniqueConstraint(fields=["study", "position"], name="check_position_once"),
            models.UniqueConstraint(
                fields=["instrument", "role", "key"], name="check_key_once_per_instrument_and_role"
            ),
            models.CheckConstraint(
                condition=Q(role__in=["attention", "gold", "training"]), name="check_role_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_role_display()} {self.key}"
