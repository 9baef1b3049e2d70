"""Model for facts about the installation."""

from django.db import models
from django.db.models.functions import Now


class ServiceMark(models.Model):
    """A named mark: the last heartbeat, or the fingerprint of the data key."""

    name = models.CharField(max_length=40, unique=True)
    value = models.CharField(max_length=64, blank=True)
    marked_at = models.DateTimeField(db_default=Now(), help_text="by the clock of the database")

    def __str__(self) -> str:
        return f"{self.name} at {self.marked_at}"
