"""Who could not begin because somebody else is at work under their id."""

from django.db import models

from annotation.models.work import Assignment


class HeldUp(models.Model):
    """Somebody came under the id of a worker who is at work, and showed nothing that says that
    they are the same: one row for the work that is in their way, however often they came."""

    assignment = models.OneToOneField(Assignment, models.CASCADE, related_name="held_up")
    times = models.PositiveIntegerField(default=1)
    first_at = models.DateTimeField()
    last_at = models.DateTimeField()
    released_at = models.DateTimeField(
        null=True, blank=True, help_text="a person ended the work, so that the other can begin"
    )

    class Meta:
        verbose_name_plural = "held up"

    def __str__(self) -> str:
        return f"{self.assignment}: {self.times}"
