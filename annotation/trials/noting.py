"""That somebody has tried a draft, which stays in its audit log when the trial is gone."""

import re
from typing import Any

from django.db.models import Q
from django.dispatch import receiver

from annotation import signals
from annotation.access import record
from annotation.models import Assignment, AuditEntry, Draft, Study, Trial

ACT = "tried"
REVISION = re.compile(r"draft (\d+), revision (\d+)")


@receiver(signals.submitted)
def note_trial(*, assignment: Assignment, **_: Any) -> None:
    """Whoever handed something in has been all the way to the code."""
    if assignment.study.purpose != Study.Purpose.TRIAL:
        return
    rows = Trial.objects.filter(study=assignment.study_id, tried_at=None)
    if rows.update(tried_at=assignment.submitted_at):
        trial = Trial.objects.select_related("draft__team", "user").get(study=assignment.study_id)
        what = f"draft {trial.draft_id}, revision {trial.revision}"
        record(user=trial.user, act=ACT, what=what, of=trial.draft)


def last_tried(draft: Draft) -> AuditEntry | None:
    """Who tried this draft last, of whatever revision; None if nobody did."""
    mine = Q(what__startswith=f"draft {draft.pk}, ")
    return AuditEntry.objects.filter(mine, team=draft.team_id, act=ACT).order_by("-pk").first()


def revision_of(entry: AuditEntry) -> int:
    """The revision that was tried."""
    found = REVISION.match(entry.what)
    return int(found[2]) if found else 0
