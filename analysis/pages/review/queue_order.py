"""Order of the review queue: work with most flags first.

An order for reading, never a verdict. Among equally many flags, a questionnaire comes earlier the
further its interval of agreement lies below the middle questionnaire of the study, a text the more
unusual its measures are. Unmeasured work comes last; then the oldest.
"""

from datetime import datetime
from typing import NamedTuple

from django.utils.translation import gettext_lazy

from analysis.pages.entities.flags import LOW_AGREEMENT, LOW_COMPETENCE

TITLES = {
    "fast": gettext_lazy("Fast"),
    "short": gettext_lazy("Too few words"),
    "quick": gettext_lazy("Fast pages"),
    "pace": gettext_lazy("Fast typing"),
    "same": gettext_lazy("Same key"),
    "alike": gettext_lazy("Same answer to all questions"),
    "side": gettext_lazy("Same side"),
    "attention": gettext_lazy("Failed attention"),
    "gold": gettext_lazy("Failed gold"),
    "copied": gettext_lazy("Copied comments"),
    LOW_AGREEMENT: gettext_lazy("Low agreement"),
    LOW_COMPETENCE: gettext_lazy("Below expectation"),
}
# Marks that ask the same question of a reviewer.
GROUPS = {
    "fast": (gettext_lazy("Fast"), ("fast", "quick", "pace")),
    "straight": (gettext_lazy("Straight-lining"), ("same", "alike", "side")),
    "checks": (gettext_lazy("Failed checks"), ("attention", "gold")),
    "agreement": (gettext_lazy("Agreement"), (LOW_AGREEMENT, LOW_COMPETENCE)),
}


class QueuedWork(NamedTuple):
    """Submission in the queue.

    `marks` are the rules that flag it, `far` its distance from the usual (None: not measured),
    `seconds` the time that its worker took.
    """

    pk: int
    state: str
    worker: str
    batch: int
    onboarding: bool
    submitted_at: datetime | None
    marks: tuple[str, ...]
    seconds: float | None = None
    agreement: float | None = None
    low: float | None = None
    high: float | None = None
    far: float | None = None


def title_of(rule: str) -> str:
    return str(TITLES.get(rule, rule.replace("_", " ").capitalize()))


def by_concern(one: QueuedWork) -> tuple[int, float, float, int]:
    """Return the sort key of a submission."""
    at = one.submitted_at.timestamp() if one.submitted_at else float("inf")
    return -len(one.marks), -one.far if one.far is not None else 1e9, at, one.pk
