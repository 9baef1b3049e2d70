"""Erasure of the platform IDs, logs or demographic data of a study.

Pseudonyms, answers and accounts stay. Without platform IDs nobody can be paid or recognised.
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
    """Data that are still needed; the message says for what."""


class StillOwed(CannotForget):
    """Money is owed, which has to be confirmed; the message says how much."""


@dataclass(frozen=True)
class ErasedCount:
    """`n` were erased; `shared` people take part in other studies, which keep their IDs."""

    n: int
    shared: int = 0


def why_not(study: Study) -> str:
    """Return why nothing can be erased yet; '' if it can."""
    if study.batches.filter(state__in=Batch.RUNNING).exists():
        return gettext("A batch is open or paused. Close it first.")
    if Assignment.objects.live().filter(study=study).exists():
        return gettext("Participants are still working.")
    return ""


def still_owed(study: Study) -> str:
    """Return a sentence about money that is owed, which needs platform IDs; '' if none."""
    sums = totals.sums_of(study)
    ordered = Payment.objects.filter(
        study=study, kind=Payment.Kind.BONUS, state__in=Payment.OPEN
    ).aggregate(minor=Sum("amount"))["minor"]
    owed = sums.waiting + sums.due + major(ordered or 0)
    if owed <= 0:
        return ""
    return gettext("{owed:.2f} {currency} is still unpaid.").format(
        owed=owed, currency=study.currency
    )


def shared_workers(study: Study) -> QuerySet[Worker]:
    """Return the workers of a study whose platform ID another study still keeps."""
    others = Assignment.objects.filter(worker=OuterRef("pk")).exclude(study=study)
    keeping = others.filter(
        Q(study__keeping=None) | Q(study__keeping__platform_ids_erased_at__isnull=True)
    )
    return people_of(study).filter(Exists(keeping))


def people_of(study: Study) -> QuerySet[Worker]:
    """Return the workers of a study."""
    assignments = Assignment.objects.filter(study=study, worker=OuterRef("pk"))
    return Worker.objects.filter(Exists(assignments))


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
    """Erase one kind of data in one step, and note it in the audit log; may be repeated.

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
    """Erase the platform's IDs of people whom no other study keeps, and those of all submissions.

    Hashes of browsers and submissions are replaced by random words, equal where they were equal: so
    a personal address still reaches the work of its own person and no other.
    """
    shared = set(shared_workers(study).values_list("pk", flat=True))
    workers = people_of(study).exclude(external_id=b"").exclude(pk__in=shared)
    people = list(workers)
    for person in people:
        person.external_id = b""
        person.external_hash = drawn()
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
    """Erase the IDs of submissions, and messages to participants; the states stay."""
    PlatformMessage.objects.filter(submission__platform_study__study=study).delete()
    rows = PlatformSubmission.objects.filter(platform_study__study=study)
    submissions = list(rows.select_related("assignment"))
    for submission in submissions:
        submission.external_id, submission.person_hash = b"", drawn()
        submission.session_hash = (
            submission.assignment.session_hash if submission.assignment else drawn()
        )
    PlatformSubmission.objects.bulk_update(
        submissions, ["external_id", "person_hash", "session_hash"], batch_size=500
    )


def consequences(study: Study) -> Iterator[str]:
    """Yield what no longer works once the platform IDs are erased."""
    yield gettext("You can no longer pay, review or send bonuses here.")
    yield gettext("Participants who return get a new pseudonym.")
    yield gettext("Demographic data can no longer be imported.")
    yield (
        gettext(
            "Pseudonyms, answers, texts, results, accounts and consent receipts are kept. "
            "Participants can still withdraw."
        )
    )
    if shared := shared_workers(study).count():
        people = "1 person takes" if shared == 1 else f"{shared} people take"
        yield f"{people} part in other studies. Their IDs are erased with the last study."
