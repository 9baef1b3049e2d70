"""The ledger follows what happens to work, in the transaction in which it happens.

What is handed in is owed; what a decision says is paid (accept, reject but pay) is approved;
whatever no longer holds is reversed. Only the work as it stands counts, not how it came there, so
the same happens whatever the order of decisions was, and settling once more changes nothing.
"""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db.models import Exists, F, OuterRef, Subquery
from django.db.models.functions import Coalesce
from django.dispatch import receiver
from django.utils import timezone

from annotation import signals
from annotation.fieldwork.paying.amounts import minor
from annotation.models import (
    Assignment,
    LedgerEntry,
    Payment,
    PlatformSubmission,
    ReviewDecision,
    Study,
)
from annotation.models.work import AssignmentQuerySet

Kind = LedgerEntry.Kind
FOLLOWING = (Kind.OWED, Kind.APPROVED)


def settle(*, works: AssignmentQuerySet, now: datetime) -> int:
    """Enter what these assignments are owed and approved, reverse what they are not any more;
    return how many entries that took.

    Trials and simulated copies owe nobody. Call it with the work locked, or as it is imported.
    """
    rows = _with_claims(works)
    standing: dict[tuple[int, str], LedgerEntry] = {}
    entered: Counter[tuple[int, str]] = Counter()
    entries = LedgerEntry.objects.filter(assignment__in=[row["pk"] for row in rows])
    for each in entries.filter(kind__in=FOLLOWING).select_related("reversal"):
        place = (each.assignment_id, each.kind)
        entered[place] += 1
        if not hasattr(each, "reversal"):
            standing[place] = each
    made = []
    for row in rows:
        wanted = _claims(row)
        for kind in FOLLOWING:
            there = standing.get((row["pk"], kind))
            if there is None and wanted[kind]:
                number = entered[row["pk"], kind] + 1
                made.append(_entry(row, kind, wanted[kind], f"{kind}:{row['pk']}:{number}", now))
            elif there is not None and not wanted[kind]:
                made.append(reversal(there, now=now))
    return len(LedgerEntry.objects.bulk_create(made, batch_size=1000))


def reversal(entry: LedgerEntry, *, now: datetime) -> LedgerEntry:
    """What takes an entry back; not yet entered."""
    return LedgerEntry(
        study_id=entry.study_id,
        batch_id=entry.batch_id,
        worker_id=entry.worker_id,
        assignment_id=entry.assignment_id,
        kind=Kind.REVERSED,
        amount=-entry.amount,
        currency=entry.currency,
        key=f"reversed:{entry.pk}",
        reverses=entry,
        created_at=now,
    )


def enter_anew(*, works: AssignmentQuerySet, now: datetime) -> None:
    """Their worker is another one: what is owed and approved is so to that one. Where something was
    ordered, the ledger stays as it is: that is about the submission, whoever did it."""
    ordered = Payment.objects.filter(assignment=OuterRef("assignment"))
    following = LedgerEntry.objects.filter(assignment__in=works, kind__in=FOLLOWING, reversal=None)
    standing = following.exclude(Exists(ordered))
    LedgerEntry.objects.bulk_create([reversal(each, now=now) for each in standing])
    settle(works=works, now=now)


def _with_claims(works: AssignmentQuerySet) -> list[dict[str, Any]]:
    """The work, with its pay and the last that was decided about it (as in `paid`)."""
    last = ReviewDecision.objects.filter(assignment=OuterRef("pk")).order_by("-pk")
    gone = PlatformSubmission.objects.filter(
        assignment=OuterRef("pk"), status__in=PlatformSubmission.GONE
    )
    rows = works.filter(study__purpose=Study.Purpose.STUDY).values(
        "pk",
        "state",
        "outcome",
        "worker",
        "study",
        batch=F("task__batch"),
        currency=F("study__currency"),
        screening=F("study__screening"),
        pays=Coalesce("task__batch__pay", "study__pay"),
        last=Subquery(last.values("decision")[:1]),
        gone=Exists(gone),
    )
    return [dict(row) for row in rows.order_by("pk")]


def _claims(row: dict[str, Any]) -> dict[Kind, int]:
    if row["outcome"] == "screened_out":  # the study says what they get, and nobody decides on it
        # Their platform pays who enters the code, and nobody whose submission is over without it.
        said = "0" if row["gone"] else row["screening"].get("reward", "0")
        reward = minor(Decimal(said))
        return {Kind.OWED: reward, Kind.APPROVED: reward}
    pay = minor(row["pays"])
    approved = row["last"] in ReviewDecision.PAID
    owed = approved or row["state"] in Assignment.COUNTING
    return {Kind.OWED: pay if owed else 0, Kind.APPROVED: pay if approved else 0}


def _entry(row: dict[str, Any], kind: Kind, amount: int, key: str, now: datetime) -> LedgerEntry:
    return LedgerEntry(
        study_id=row["study"],
        batch_id=row["batch"],
        worker_id=row["worker"],
        assignment_id=row["pk"],
        kind=kind,
        amount=amount,
        currency=row["currency"],
        key=key,
        created_at=now,
    )


@receiver([signals.submitted, signals.withdrawn, signals.screened_out])
def follow(*, assignment: Assignment, **_: Any) -> None:
    """The ledger knows of it as soon as it is so."""
    settle(works=Assignment.objects.filter(pk=assignment.pk), now=timezone.now())


@receiver(signals.all_decided)
def follow_all(*, assignments: Sequence[Assignment], **_: Any) -> None:
    settle(works=Assignment.objects.filter(pk__in=[a.pk for a in assignments]), now=timezone.now())
