"""That somebody has tried a draft, which stays in its audit log when the trial is gone."""

import re
from dataclasses import dataclass
from typing import Any

from django.db.models import Q
from django.dispatch import receiver

from annotation import signals
from annotation.access import record
from annotation.drafts.kinds import kind_of
from annotation.models import Assignment, AuditEntry, Draft, Study, Trial

ACT = "tried"
TRIED = re.compile(r"draft (\d+), revision (\d+)(?:, (\d+) of (\d+) pages)?")


@dataclass(frozen=True)
class Tried:
    """How far somebody went: to the code, of this revision. `pages` of `total` they answered
    themselves, and had the others filled in; both are None where that is not known or not
    possible."""

    revision: int
    pages: int | None = None
    total: int | None = None

    @property
    def is_whole(self) -> bool:
        return self.pages == self.total


@receiver(signals.submitted)
def note_trial(*, assignment: Assignment, **_: Any) -> None:
    """Whoever handed something in has been all the way to the code."""
    if assignment.study.purpose != Study.Purpose.TRIAL:
        return
    rows = Trial.objects.filter(study=assignment.study_id, tried_at=None)
    if rows.update(tried_at=assignment.submitted_at):
        trial = Trial.objects.select_related("draft__team", "user").get(study=assignment.study_id)
        what = f"draft {trial.draft_id}, revision {trial.revision}"
        if by_hand := kind_of(assignment.study.kind).pages_by_hand(assignment):
            what += ", {} of {} pages".format(*by_hand)
        record(user=trial.user, act=ACT, what=what, of=trial.draft)


def last_tried(draft: Draft) -> AuditEntry | None:
    """Who tried this draft last, of whatever revision; None if nobody did."""
    mine = Q(what__startswith=f"draft {draft.pk}, ")
    return AuditEntry.objects.filter(mine, team=draft.team_id, act=ACT).order_by("-pk").first()


def tried_of(entry: AuditEntry) -> Tried:
    """What was tried, as the audit log has it."""
    found = TRIED.match(entry.what)
    if found is None:
        return Tried(0)
    pages, total = (None if each is None else int(each) for each in found.groups()[2:])
    return Tried(int(found[2]), pages, total)
