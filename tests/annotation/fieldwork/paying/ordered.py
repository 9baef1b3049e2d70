"""A study on Prolific with decided work, its orders to pay, and what came of them."""

from contextlib import suppress
from datetime import timedelta
from decimal import Decimal

from annotation.fieldwork.paying import ordering, orders, sending, totals
from annotation.fieldwork.review import reviewing
from annotation.models import (
    Assignment,
    Payment,
    PlatformStudy,
    PlatformSubmission,
    ReviewDecision,
)
from annotation.people.pseudonyms import encrypted
from tests.annotation.fieldwork.paying.desk import Killed
from tests.cast import NOW, small_study, submitted, worker

State = Payment.State
LATER = NOW + timedelta(minutes=6)
WHY = (
    "Every answer is the first option of its page, and each of them was given in less than a "
    "second after the page was shown."
)
PEOPLE = ("bob", "charlie", "dora")


def decided(people=PEOPLE, decision=ReviewDecision.Decision.ACCEPT, **settings):
    """Return a study on Prolific with decided work of these people."""
    settings = {"recruitment": "prolific", "pay": "3.00", "currency": "GBP"} | settings
    study = small_study(items=1, quota=9, batch={"closes_when_full": False}, **settings)
    for name in people:
        work = submitted(study, worker(name))
        Assignment.objects.filter(pk=work.pk).update(external_id=encrypted(f"of {name}"))
        reviewing.decide(assignment=work, decision=decision, reviewer="r", reason="So.", now=NOW)
    return study


def order(study):
    return ordering.pay(study=study, stamp=orders.payable(study).stamp, user=None, now=NOW)


def settle(study):
    return ordering.settle(study=study, stamp=orders.settleable(study).stamp, user=None, now=NOW)


def at_prolific(work, status, *, code="", **more):
    """Return Prolific's record of a submission."""
    place, _ = PlatformStudy.objects.get_or_create(
        platform="prolific",
        external_id="6" * 24,
        defaults={"study": work.study, "pay": work.study.pay, "minutes": 9, "created_at": NOW},
    )
    PlatformSubmission.objects.filter(platform_study=place, assignment=work).delete()
    return PlatformSubmission.objects.create(
        platform_study=place,
        session_hash=work.session_hash or f"of {work.pk}",
        external_id=work.external_id or encrypted(f"of {work.pk}"),
        person_hash=work.worker.external_hash,
        worker=work.worker,
        assignment=work,
        status=status,
        code=code,
        asked_at=NOW,
        changed_at=NOW,
        source="poll",
        **more,
    )


def go_on(desk, now=NOW):
    with suppress(Killed):
        sending.go_on(desk=desk, now=now)


def states():
    return set(Payment.objects.values_list("state", flat=True))


def ledger(study):
    sums = totals.sums_of(study)
    return {kind: sums.minor(kind) for kind in ("paid", "bonus", "fee") if sums.minor(kind)}


def bonus(study, amount="0.50", number=0):
    work = Assignment.objects.filter(study=study).first()
    return ordering.give_bonus(
        work=work, amount=Decimal(amount), reason="Very good.", number=number, user=None, now=NOW
    )
