"""Erases what a study needs no longer: platform ids, logs, demographic data.

After the ids are gone, pseudonyms, answers and accounts stay, but nobody can say any more who is
behind a pseudonym: not for paying, and not when the same person comes again.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet, Sum
from django.utils.translation import gettext

from annotation import signals, wiping
from annotation.fieldwork.paying import totals
from annotation.fieldwork.paying.amounts import major
from annotation.models import (
    Assignment,
    Batch,
    Demographics,
    Keeping,
    Payment,
    PlatformMessage,
    PlatformSubmission,
    Study,
    Worker,
)
from annotation.people import access
from annotation.people.pseudonyms import drawn
from annotation.studies.setting_retention import DEMOGRAPHICS, NAMES, PLATFORM_IDS


class CannotForget(ValueError):
    """Something still needs what was to be erased; the sentence says what."""


class StillOwed(CannotForget):
    """Money is owed: to be confirmed. The sentence says how much."""


@dataclass(frozen=True)
class ErasedCount:
    """`n` were erased; `shared` people take part in other studies that keep their ids."""

    n: int
    shared: int = 0


def why_not(study: Study) -> str:
    """Why nothing of it may be erased yet; '' if it may."""
    if study.batches.filter(state__in=Batch.RUNNING).exists():
        return gettext("A batch is open or paused. Close it first.")
    if Assignment.objects.live().filter(study=study).exists():
        return gettext("Somebody is still at work. Wait until their time is over.")
    return ""


def still_owed(study: Study) -> str:
    """A sentence if people are or may be owed money, for which their ids are needed; or ''."""
    sums = totals.sums_of(study)
    ordered = Payment.objects.filter(
        study=study, kind=Payment.Kind.BONUS, state__in=Payment.OPEN
    ).aggregate(minor=Sum("amount"))["minor"]
    owed = sums.waiting + sums.due + major(ordered or 0)
    if owed <= 0:
        return ""
    return gettext(
        "{owed:.2f} {currency} are owed and not paid yet, as far as the ledger knows."
    ).format(owed=owed, currency=study.currency)


def shared_workers(study: Study) -> QuerySet[Worker]:
    """Those of its people whom another study still knows by their platform id."""
    others = Assignment.objects.filter(worker=OuterRef("pk")).exclude(study=study)
    kept = others.filter(
        Q(study__keeping=None) | Q(study__keeping__platform_ids_erased_at__isnull=True)
    )
    return people_of(study).filter(Exists(kept))


def people_of(study: Study) -> QuerySet[Worker]:
    here = Assignment.objects.filter(study=study, worker=OuterRef("pk"))
    return Worker.objects.filter(Exists(here))


@transaction.atomic
def forget(
    *,
    study: Study,
    what: str,
    now: datetime,
    user: User | None = None,
    although_owed: bool = False,
    why: str = "",
) -> ErasedCount:
    """Erase all of one sort in one step, and write it into the audit log. Twice is once.

    Raises CannotForget, or StillOwed unless that was confirmed.
    """
    Study.every.select_for_update(no_key=True).get(pk=study.pk)
    if reason := why_not(study):
        raise CannotForget(reason)
    if what == PLATFORM_IDS and not although_owed and (owed := still_owed(study)):
        raise StillOwed(owed)
    if what == PLATFORM_IDS:
        done = _forget_ids(study)
    elif what == DEMOGRAPHICS:
        done = ErasedCount(Demographics.objects.filter(assignment__study=study).delete()[0])
    else:
        answers: list[tuple[Any, Any]] = signals.forgetting.send(
            sender=Study, study=study, what=what
        )
        done = ErasedCount(sum(n for _, n in answers if n))
    wiping.mark_erasure()
    Keeping.objects.update_or_create(study=study, defaults={f"{what}_erased_at": now})
    access.record(
        user=user, act=f"erased {NAMES[what]}", what=" ".join([f"{done.n} in all.", why]), of=study
    )
    return done


def _forget_ids(study: Study) -> ErasedCount:
    """1. Take the platform's id from people whom no other study keeps, and what it is found by.
    2. Take the platform's ids of submissions from the work, and put other, drawn words in place of
       what recognises a browser or submission: the same where it was the same, so that a personal
       address goes on reaching the work of its own person and no other.
    """
    shared = set(shared_workers(study).values_list("pk", flat=True))
    known = people_of(study).exclude(external_id=b"").exclude(pk__in=shared)
    people = list(known)
    for each in people:
        each.external_id = b""
        each.external_hash = drawn()
    Worker.objects.bulk_update(people, ["external_id", "external_hash"], batch_size=500)
    works = list(
        Assignment.objects.filter(study=study).only("session_hash", "browser_hash", "worker_id")
    )
    words: dict[tuple[int, str], str] = {}
    for work in works:
        for name in ("session_hash", "browser_hash"):
            if value := getattr(work, name):
                setattr(work, name, words.setdefault((work.worker_id, value), drawn()))
        work.external_id = b""
    Assignment.objects.bulk_update(
        works, ["session_hash", "browser_hash", "external_id"], batch_size=500
    )
    _forget_submissions(study)
    return ErasedCount(len(people), len(shared))


def _forget_submissions(study: Study) -> None:
    """What the platform said of each stays, with the work that came by it; what was written to
    people goes."""
    PlatformMessage.objects.filter(submission__platform_study__study=study).delete()
    rows = PlatformSubmission.objects.filter(platform_study__study=study)
    told = list(rows.select_related("assignment"))
    for each in told:
        each.external_id, each.person_hash = b"", drawn()
        each.session_hash = each.assignment.session_hash if each.assignment else drawn()
    PlatformSubmission.objects.bulk_update(
        told, ["external_id", "person_hash", "session_hash"], batch_size=500
    )


def consequences(study: Study) -> Iterator[str]:
    """What will no longer work once the platform ids are gone."""
    yield gettext("Nobody can be paid, approved, rejected or sent a bonus from here any more.")
    yield gettext(
        "Who comes again is not recognised: they are somebody new, under a new pseudonym."
    )
    yield gettext("Demographic data can no longer be imported.")
    yield (
        gettext(
            "Pseudonyms, answers, texts, results, the accounts and the receipts of "
            "consent stay. People can still withdraw by their personal address."
        )
    )
    if shared := shared_workers(study).count():
        people = "1 person takes" if shared == 1 else f"{shared} people take"
        yield f"{people} part in other studies too: their ids go with those of the last of them."
