"""Records of who tried a draft, in its audit log, which outlives the trial.

A trial is booked on the person who was signed in when it began, or on the link.
"""

import re
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Q
from django.dispatch import receiver

from annotation import signals
from annotation.models import Assignment, AuditEntry, Draft, Study, Tester, Trial
from annotation.people.access import record
from annotation.studies.drafts import cached_remarks
from annotation.studies.drafts.kinds import kind_of

ACT = "tried"
BY_LINK = "by link, not signed in"  # what the audit log calls them; no account has such a name
TRIED = re.compile(
    r"draft (\d+), revision (\d+)(?:, (\d+) of (\d+) pages)?(?:, (\d+) of (\d+) words, from (\d+))?"
)


@dataclass(frozen=True)
class TrialProgress:
    """Progress of a person in a trial of a revision.

    They answered `pages` of `total` themselves, or wrote `words` of the `words_in_all` of a text,
    whose minimum is `low`; None where that is not known or not possible.
    """

    revision: int
    pages: int | None = None
    total: int | None = None
    words: int | None = None
    words_in_all: int | None = None
    low: int | None = None
    by_link: bool = False

    @property
    def is_whole(self) -> bool:
        return self.pages == self.total

    @property
    def is_short(self) -> bool:
        """True if the text was too short, so that its limits were not seen."""
        return self.low is not None and (self.words_in_all or 0) < self.low


def note_tester(*, assignment: Assignment, user: User | AnonymousUser) -> None:
    """Note who was signed in when work of a trial, or of a study of theirs, began."""
    if isinstance(user, User):
        Tester.objects.get_or_create(assignment=assignment, defaults={"user": user})


@receiver(signals.withdrawn)
def forget_tester(*, assignment: Assignment, **_: Any) -> None:
    Tester.objects.filter(assignment=assignment).delete()


@receiver(signals.submitted)
def note_trial(*, assignment: Assignment, **_: Any) -> None:
    """Record once for each person that they tried the draft to the end."""
    if assignment.study.purpose != Study.Purpose.TRIAL:
        return
    rows = Trial.objects.filter(study=assignment.study_id)
    for draft in rows.values_list("draft", flat=True):
        cached_remarks.forget(draft)
    rows.filter(tried_at=None).update(tried_at=assignment.submitted_at)
    trial = rows.select_related("draft__team").first()
    if trial is None:  # it has just ended
        return
    tester = Tester.objects.filter(assignment=assignment).select_related("user").first()
    user = tester.user if tester else None
    entry = f"draft {trial.draft_id}, revision {trial.revision}"
    kind = kind_of(assignment.study.kind)
    if by_hand := kind.pages_by_hand(assignment):
        entry += ", {} of {} pages".format(*by_hand)
    if written := kind.words_by_hand(assignment):
        entry += ", {} of {} words, from {}".format(*written)
    records = AuditEntry.objects.filter(team=trial.draft.team_id, act=ACT, what=entry)
    if not records.filter(name=user.get_username() if user else BY_LINK).exists():
        record(user=user, act=ACT, what=entry, of=trial.draft, otherwise=BY_LINK)


def last_tried(draft: Draft) -> AuditEntry | None:
    """Return the record of the last revision that was tried; None if there is none.

    Of several people it is the one who answered most.
    """
    mine = Q(what__startswith=f"draft {draft.pk}, ")
    entries = AuditEntry.objects.filter(mine, team=draft.team_id, act=ACT)
    return max(entries, key=_how_far, default=None)


def _how_far(entry: AuditEntry) -> tuple[int, int, bool, int, int]:
    tried = tried_of(entry)
    return tried.revision, tried.pages or 0, not tried.is_short, tried.words or 0, entry.pk


def tried_of(entry: AuditEntry) -> TrialProgress:
    """Return the progress that a record of the audit log has."""
    match = TRIED.match(entry.what)
    if match is None:
        return TrialProgress(0)
    pages, total, words, words_in_all, low = (
        None if digits is None else int(digits) for digits in match.groups()[2:]
    )
    by_link = entry.name == BY_LINK
    return TrialProgress(int(match[2]), pages, total, words, words_in_all, low, by_link=by_link)
