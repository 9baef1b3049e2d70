"""The interaction log of an assignment, as it arrives: docs/interaction-log.md."""

from django.db import models
from django.db.models import F, Q

from annotation.models.work import Assignment


class LogChunk(models.Model):
    """A numbered piece of an interaction log. Appended, never changed.

    `data` is the zlib-compressed JSON array of its events.
    """

    assignment = models.ForeignKey(
        Assignment, models.CASCADE, related_name="log_chunks", db_index=False
    )
    number = models.PositiveIntegerField()
    first_seq = models.PositiveIntegerField()
    last_seq = models.PositiveIntegerField()
    first_ms = models.PositiveIntegerField()
    last_ms = models.PositiveIntegerField()
    # In UTF-16 units, where it is known: a chunk may arrive before the one it follows.
    length_after = models.PositiveIntegerField(null=True)
    # Of JSON, in all chunks of this log that were here when this one came, with it.
    log_bytes = models.PositiveIntegerField()
    data = models.BinaryField()
    received_at = models.DateTimeField()

    class Meta:
        ordering = ["assignment", "number"]
        constraints = [
            models.UniqueConstraint(
                fields=["assignment", "number"], name="chunk_number_once_per_assignment"
            ),
            models.CheckConstraint(condition=Q(number__gte=1), name="chunk_number_from_1"),
            models.CheckConstraint(
                condition=Q(last_seq__gte=F("first_seq")), name="chunk_has_events"
            ),
            models.CheckConstraint(
                condition=Q(last_ms__gte=F("first_ms")), name="chunk_time_runs_forward"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.assignment} chunk {self.number}"


class PackedLog(models.Model):
    """The whole log of submitted work in one piece; its chunks are gone.

    `data` is made and read by writing.log.eventlog (`pack`, `unpack`). Work that is given back to
    be redone goes on with the chunk and the event after `last_number` and `last_seq`.
    """

    assignment = models.OneToOneField(Assignment, models.CASCADE, related_name="packed_log")
    events = models.PositiveIntegerField()
    data = models.BinaryField()
    last_number = models.PositiveIntegerField(default=0)
    last_seq = models.PositiveIntegerField(default=0)
    last_ms = models.PositiveIntegerField(default=0)
    log_bytes = models.PositiveIntegerField(default=0, help_text="as JSON; 0 where nobody counted")
    # When each of its chunks came (writing.log.arrivals); empty where nobody kept it.
    arrivals = models.BinaryField(default=b"")
    source = models.CharField(
        max_length=10, default="browser", help_text="browser, or snapshots of an imported study"
    )

    def __str__(self) -> str:
        return f"{self.assignment}: {self.events} events"
