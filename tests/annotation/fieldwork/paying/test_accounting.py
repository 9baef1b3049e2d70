"""The ledger follows what happens to work."""

from contextlib import suppress

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.fieldwork.paying import accounting, totals
from annotation.fieldwork.review import reviewing
from annotation.fieldwork.review.reviewing import CannotReview
from annotation.fieldwork.work import assigning
from annotation.models import Assignment, LedgerEntry, ReviewDecision, Study
from annotation.models.money import LedgerIsFinal
from annotation.refusals import Refusal
from tests.cast import NOW, handed_in, small_study, submitted, worker

pytestmark = [pytest.mark.django_db, pytest.mark.storage]
Decision, State = ReviewDecision.Decision, Assignment.State
KINDS = ("owed", "approved", "paid", "bonus", "fee")


def paying_study(**more):
    return small_study(pay="3.10", items=1, quota=5, **more)


def decide(work, decision):
    reviewing.decide(assignment=work, decision=decision, reviewer="rita", reason="So.", now=NOW)


def sums(study):
    found = totals.sums_of(study)
    return {kind: found.minor(kind) for kind in KINDS if found.minor(kind)}


def test_what_is_handed_in_is_owed_by_what_its_batch_pays():
    submitted(study := paying_study(batch={"pay": "4.25"}), worker("bob"))
    assert sums(study) == {"owed": 425}


@pytest.mark.parametrize(
    ("decision", "left"),
    [
        (Decision.ACCEPT, {"owed": 310, "approved": 310}),
        (Decision.REJECT_BUT_PAY, {"owed": 310, "approved": 310}),
        (Decision.REJECT, {}),
        (Decision.REDO, {}),
    ],
)
def test_a_decision_approves_or_takes_back(decision, left):
    study = paying_study()
    decide(submitted(study, worker("bob")), decision)
    assert sums(study) == left


def test_an_undone_rejection_is_owed_again_and_all_of_it_is_kept():
    study = paying_study()
    work = submitted(study, worker("bob"))
    decide(work, Decision.REJECT)
    decide(work, Decision.ACCEPT)
    assert sums(study) == {"owed": 310, "approved": 310}
    assert list(LedgerEntry.objects.values_list("kind", "amount")) == [
        ("owed", 310), ("reversed", -310), ("owed", 310), ("approved", 310)
    ]  # fmt: skip


def test_who_withdraws_keeps_what_was_approved_and_nothing_else():
    study = paying_study(cap=1)
    accepted, waiting = submitted(study, worker("bob")), submitted(study, worker("charlie"))
    decide(accepted, Decision.ACCEPT)
    for work in (accepted, waiting):
        assigning.withdraw(assignment=work, now=NOW)
    assert sums(study) == {"owed": 310, "approved": 310}


def test_work_without_pay_and_work_that_is_only_tried_owe_nothing():
    submitted(small_study(slug="free"), worker("bob"))
    study = paying_study(slug="tried", corpus=Study.objects.get().corpus)
    Study.objects.filter(pk=study.pk).update(purpose=Study.Purpose.TRIAL)
    submitted(Study.every.get(pk=study.pk), worker("charlie"))
    assert not LedgerEntry.objects.exists()


def test_settling_once_more_enters_nothing():
    submitted(paying_study(), worker("bob"))
    assert accounting.settle(works=Assignment.objects.all(), now=NOW) == 0


def test_nothing_is_entered_twice():
    work = submitted(paying_study(), worker("bob"))
    entry = LedgerEntry.objects.get()
    entry.pk, entry._state.adding = None, True
    with pytest.raises(IntegrityError), transaction.atomic():
        entry.save()
    assert LedgerEntry.objects.filter(assignment=work).count() == 1


def test_an_entry_is_neither_changed_nor_deleted():
    submitted(paying_study(), worker("bob"))
    entry = LedgerEntry.objects.get()
    for act in (entry.save, entry.delete, LedgerEntry.objects.all().delete):
        with pytest.raises(LedgerIsFinal):
            act()
    for statement in ("UPDATE annotation_ledgerentry SET amount = 1", "DELETE FROM annotation_ledgerentry"):  # fmt: skip # noqa: E501
        with (
            pytest.raises(DatabaseError, match="neither changed nor deleted"),
            transaction.atomic(),
            connection.cursor() as cursor,
        ):
            cursor.execute(statement)


# -- Whatever the order -------------------------------------------------------------------------

ACTS = st.sampled_from([*Decision, "hand in", "withdraw"])


@settings(max_examples=12)
@given(acts=st.lists(st.tuples(st.integers(0, 2), ACTS), max_size=14))
def test_the_sums_are_what_the_decisions_say_whatever_their_order(acts):
    with transaction.atomic():
        study = paying_study(batch={"closes_when_full": False})
        works = [submitted(study, worker(name)) for name in ("bob", "charlie", "dora")]
        for number, act in acts:
            work = Assignment.objects.get(pk=works[number].pk)
            with suppress(CannotReview, Refusal):
                if act == "hand in":
                    handed_in(work)
                elif act == "withdraw":
                    assigning.withdraw(assignment=work, now=NOW)
                else:
                    decide(work, act)
        last = [list(work.decisions.values_list("decision", flat=True))[-1:] for work in works]
        states = [Assignment.objects.get(pk=work.pk).state for work in works]
        approved = sum(each in ([Decision.ACCEPT], [Decision.REJECT_BUT_PAY]) for each in last)
        waiting = states.count(State.SUBMITTED)
        found = totals.sums_of(study)
        assert (found.minor("approved"), found.minor("owed")) == (
            310 * approved,
            310 * (approved + waiting),
        )
        assert len(totals.owed_for(study)) == approved + waiting
        transaction.set_rollback(True)
