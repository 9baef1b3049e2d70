"""The ledger, which follows work in the transaction in which it changes.

Submitted work is owed, paid decisions are approved, and whatever no longer holds is reversed. Only
the present state of the work counts, so the order of decisions does not matter, and settling twice
changes nothing.
"""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db.models import Exists, F, OuterRef, Subquery
from django.db.models.functions import Coalesce
from django.dispatch import receiver

from annotation import signals
from annotation.bulk_inserting import insert_all
from annotation.clock import database_now
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
    """Enter what assignments are owed and approved, and reverse the rest; return how many entries.

    Trials and simulations owe nobody. Call it with the work locked, or while it is imported.
    """
    rows = _with_claims(works)
    standing: dict[tuple[int, str], LedgerEntry] = {}
    entered: Counter[tuple[int, str]] = Counter()
    entries = LedgerEntry.objects.filter(assignment__in=[row["pk"] for row in rows])
    for entry in entries.filter(kind__in=FOLLOWING).select_related("reversal"):
        place = (entry.assignment_id, entry.kind)
        entered[place] += 1
        if not hasattr(entry, "reversal"):
            standing[place] = entry
    made = []
    for row in rows:
        wanted = _claims(row)
        for kind in FOLLOWING:
            standing_entry = standing.get((row["pk"], kind))
            if standing_entry is None and wanted[kind]:
                number = entered[row["pk"], kind] + 1
                made.append(_entry(row, kind, wanted[kind], f"{kind}:{row['pk']}:{number}", now))
            elif standing_entry is not None and not wanted[kind]:
                made.append(reversal(standing_entry, now=now))
    return len(insert_all(made))


def reversal(entry: LedgerEntry, *, now: datetime) -> LedgerEntry:
    """Return the unsaved entry that reverses another one."""
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
    """Move what is owed and approved to the new worker of these assignments.

    The ledger of ordered payments stays: they are for the submission, whoever did it.
    """
    ordered = Payment.objects.filter(assignment=OuterRef("assignment"))
    following = LedgerEntry.objects.filter(assignment__in=works, kind__in=FOLLOWING, reversal=None)
    standing = following.exclude(Exists(ordered))
    LedgerEntry.objects.bulk_create([reversal(entry, now=now) for entry in standing])
    settle(works=works, now=now)


def _with_claims(works: AssignmentQuerySet) -> list[dict[str, Any]]:
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
        amount = "0" if row["gone"] else row["screening"].get("reward", "0")
        reward = minor(Decimal(amount))
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
    """Settle an assignment."""
    settle(works=Assignment.objects.filter(pk=assignment.pk), now=database_now())


@receiver(signals.all_decided)
def follow_all(*, assignments: Sequence[Assignment], **_: Any) -> None:
    settle(works=Assignment.objects.filter(pk__in=[a.pk for a in assignments]), now=database_now())
