"""What judging does when the platform tells that something happened."""

from typing import Any

from django.dispatch import receiver

from annotation import signals
from annotation.models import Assignment
from judging.models import Judgment, Showing


@receiver(signals.withdrawn)
def erase(*, assignment: Assignment, **_: Any) -> None:
    """A worker withdrew consent: what they answered and remarked is gone."""
    Judgment.objects.filter(assignment=assignment).delete()
    Showing.objects.filter(assignment=assignment).update(comment="")
