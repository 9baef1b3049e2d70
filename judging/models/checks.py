"""What looks at how people work: pages that are asked like others and counted nowhere."""

from django.db import models
from django.db.models import Q

from annotation.models import Study
from judging.models.instruments import Instrument


class Role(models.TextChoices):
    """What an item is in a questionnaire for. Only what is judged is analysed."""

    JUDGED = "judged"
    ATTENTION = "attention", "attention item"
    GOLD = "gold", "gold item"
    TRAINING = "training", "training item"


class Check(models.Model):
    """An attention, gold or training item as its study wrote it (`spec`: its part of the instrument
    file). Each questionnaire has an item of its own for it: its answers are never another's.

    `expected` are the answers to its questions, by their keys: codes as they are on the screen of
    an attention item, canonical values of the others. No page of a worker gets them before the
    answer.
    """

    study = models.ForeignKey(Study, models.CASCADE, related_name="checks", db_index=False)
    instrument = models.ForeignKey(
        Instrument, models.CASCADE, related_name="checks", db_index=False
    )
    role = models.CharField(max_length=10, choices=Role)
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
