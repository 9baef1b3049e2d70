"""Payment orders over the fake Prolific: the ledger equals its payments.

This holds for any order of events, lost answers and kills.
"""

from collections import Counter
from contextlib import suppress
from datetime import timedelta

import pytest
from django.db import transaction
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.fieldwork.paying import ordering, orders, sending
from annotation.fieldwork.platforms.fake_prolific.troubles import ApiTrouble, ProlificTrouble
from annotation.fieldwork.review import reviewing
from annotation.models import Assignment, LedgerEntry, Payment
from annotation.people.pseudonyms import encrypted
from tests.annotation.fieldwork.recruiting.prolific.fakes import Fake
from tests.cast import NOW, small_study, submitted, worker
from tests.refusals import suppressed

pytestmark = pytest.mark.django_db
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["pay", "lift", "send", "send", "killed"]),
        st.sampled_from(["", *ProlificTrouble]),
        st.sampled_from(["transition", "bonus-payments/", "/pay/", "submissions/"]),
    ),
    max_size=12,
)


class Killed(BaseException):
    """The process is gone after the call was answered."""


class DyingDesk:
    """The client, until the process dies right after a call that pays."""

    def __init__(self, client):
        self.client = client

    def __getattr__(self, name):
        def call(*arguments, **named):
            answer = getattr(self.client, name)(*arguments, **named)
            if name in ("approve", "pay_bonuses"):
                raise Killed
            return answer

        return call


def at_prolific(fake):
    """Return a study with accepted work of three participants, below the target wage."""
    study = small_study(
        items=1,
        quota=9,
        batch={"closes_when_full": False},
        recruitment="prolific",
        pay="3.00",
        hourly_wage="24.00",
    )
    there = fake.published()
    for name in ("bob", "charlie", "dora"):
        work = submitted(study, worker(name))
        submission = encrypted(fake.finished(there))
        Assignment.objects.filter(pk=work.pk).update(external_id=submission)
        reviewing.decide(assignment=work, decision="accept", reviewer="rita", now=NOW)
    return study


def booked(study):
    """(submission, kind) -> minor units, by the ledger."""
    counts = Counter()
    names = {"paid": "reward", "bonus": "bonus"}
    rows = LedgerEntry.objects.filter(study=study, kind__in=names).select_related("assignment")
    for entry in rows:
        counts[entry.assignment.submission, names[entry.kind]] += entry.amount
    return counts


@settings(max_examples=12)
@given(steps=STEPS)
def test_the_ledger_is_what_prolific_paid(steps):
    with transaction.atomic():
        fake, now = Fake(), NOW
        study = at_prolific(fake)
        for act, trouble, where in steps:
            if trouble:
                fake.api.troubles.waiting.append(ApiTrouble(ProlificTrouble(trouble), where))
            with suppressed("OrderChanged"), suppress(Killed):
                if act == "pay":
                    stamp = orders.payable(study).stamp
                    ordering.pay(study=study, stamp=stamp, user=None, now=now)
                elif act == "lift":
                    stamp = orders.shortfalls(study).stamp
                    ordering.lift(study=study, stamp=stamp, user=None, now=now)
                else:
                    now += timedelta(minutes=4)
                    desk = DyingDesk(fake.client) if act == "killed" else fake.client
                    sending.go_on(desk=desk, now=now)
        fake.api.troubles.waiting.clear()
        for _ in range(3):
            now += timedelta(minutes=6)
            sending.go_on(desk=fake.client, now=now)
        assert booked(study) == fake.world.paid()
        twice = Counter((payment.kind, payment.submission) for payment in fake.world.payments)
        assert set(twice.values()) <= {1}
        left = Payment.objects.exclude(state__in=["paid", "refused"])
        assert set(left.values_list("kind", "state")) <= {("bonus", "unknown")}
        transaction.set_rollback(True)
