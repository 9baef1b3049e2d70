"""Arrivals of workers who could not begin because of other work under their ID."""

from typing import Self

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Coalesce

from annotation.models.work import Assignment, Worker


class HeldUpQuerySet(models.QuerySet["HeldUp"]):
    def waiting(self) -> Self:
        """Those in whose way work still is: live, or ended before they came last."""
        live = Q(assignment__state__in=Assignment.LIVE)
        done = ~live & Q(done_at__lte=F("last_at"), released_at=None)
        done_at = Coalesce("assignment__submitted_at", "assignment__ended_at")
        return self.alias(done_at=done_at).filter(live | done)


class HeldUp(models.Model):
    """An arrival under the id of a busy worker, without proof of being the same person.

    One row for each assignment that blocks such arrivals, however often they came.
    """

    assignment = models.OneToOneField(Assignment, models.CASCADE, related_name="held_up")
    times = models.PositiveIntegerField(default=1)
    first_at = models.DateTimeField()
    last_at = models.DateTimeField()
    released_at = models.DateTimeField(
        null=True, blank=True, help_text="a person ended the work, so that the other can begin"
    )

    objects = HeldUpQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "held up"

    def __str__(self) -> str:
        return f"{self.assignment}: {self.times}"


class SetApart(models.Model):
    """Work that another person did under a worker's id; it gets its own pseudonym.

    The worker gets a full turn (fieldwork.recruiting.separating_workers). It cannot be undone.
    """

    assignment = models.OneToOneField(Assignment, models.CASCADE, related_name="set_apart")
    worker = models.ForeignKey(
        Worker, models.CASCADE, related_name="+", help_text="under whose id it was done"
    )
    at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "set apart"

    def __str__(self) -> str:
        return f"{self.assignment}, not of {self.worker}"
