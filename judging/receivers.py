"""What judging does when the platform tells that something happened."""

from typing import Any

from django.dispatch import receiver

from annotation import signals
from annotation.models import Assignment, Study
from judging.models import Judgment, Showing
from judging.recording import require_complete


@receiver(signals.submitting)
def require_answers(*, assignment: Assignment, **_: Any) -> bool | None:
    """A questionnaire without all its answers is not handed in, on whatever way. Incomplete."""
    if assignment.study.kind != Study.Kind.JUDGING:
        return None
    require_complete(assignment=assignment)
    return True


@receiver(signals.withdrawn)
def erase(*, assignment: Assignment, **_: Any) -> None:
    """A worker withdrew consent: what they answered and remarked is gone."""
    Judgment.objects.filter(assignment=assignment).delete()
    Showing.objects.filter(assignment=assignment).update(comment="")
