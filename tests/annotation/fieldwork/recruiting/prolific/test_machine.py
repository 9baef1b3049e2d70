"""People, reviewers, money, webhooks and a bad network in any order, over the fake Prolific.

At every moment the ledger has nothing that Prolific did not pay, nobody is paid twice, and quotas
hold. Once all is quiet, the ledger is what Prolific paid, for each submission, and we know every
submission as it is there.
"""

from collections import Counter
from contextlib import suppress
from datetime import timedelta
from decimal import Decimal

import pytest
from django.conf import settings
from django.db import transaction
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    initialize,
    invariant,
    multiple,
    rule,
    run_state_machine_as_test,
)

from annotation.fieldwork.paying import ordering, orders, sending
from annotation.fieldwork.platforms.fake_prolific.hooks import Mode
from annotation.fieldwork.platforms.fake_prolific.troubles import ApiTrouble, ProlificTrouble
from annotation.fieldwork.platforms.fake_prolific.world import FREEING, ApiError, Status
from annotation.fieldwork.recruiting.arriving import Arrival, take_part
from annotation.fieldwork.recruiting.prolific import receiving_webhooks, reconciling
from annotation.fieldwork.review import returning_redos, reviewing, undoing
from annotation.fieldwork.review.reviewing import CannotReview
from annotation.fieldwork.work import assigning
from annotation.models import (
    Assignment,
    LedgerEntry,
    Payment,
    PlatformStudy,
    PlatformSubmission,
    ReviewAct,
    ReviewDecision,
)
from annotation.refusals import Refusal
from judging.answering import recording
from tests.annotation.fieldwork.recruiting.prolific.fakes import Fake
from tests.annotation.fieldwork.work import invariants
from tests.cast import NOW, answer_all, small_study

PLACES = 3
PEOPLE = [f"{number:024x}" for number in range(1, 7)]
REASON = "The same text was called the best and the worst of four, on most of the pages. " * 2
PATHS = ("transition", "bulk-approve", "bonus-payments", "/pay/", "submissions/", "studies/")
Decision = ReviewDecision.Decision


class Killed(BaseException):
    """The process is gone: nothing after it is done."""


class Prolific(RuleBasedStateMachine):
    submissions = Bundle("submissions")

    @initialize(target=submissions)
    def publish(self):
        """Publish a study with two submissions, one of them approved."""
        self.before = transaction.savepoint()
        self.now = NOW
        self.fake = Fake(send=self.hear)
        self.fake.world.now = lambda: self.now.timestamp()
        self.heard: list[int] = []
        self.secret = self.fake.client.create_secret("w1")
        settings.PROLIFIC_WEBHOOK_SECRET = self.secret
        self.fake.client.subscribe(workspace="w1", address="https://crowdwright.example.org/")
        reconciling.client_for_settings = lambda: self.fake.client
        self.study = small_study(
            items=1, quota=PLACES, recruitment="prolific", pay="3.00",
            batch={"closes_when_full": False},
        )  # fmt: skip
        there = self.fake.published(total_available_places=PLACES)
        self.at = PlatformStudy.objects.create(
            platform="prolific", external_id=there, study=self.study,
            pay=3, minutes=20, places=PLACES, created_at=NOW,
        )  # fmt: skip
        return multiple(self.come(PEOPLE[0], 3), self.come(PEOPLE[1], 2))

    def teardown(self):
        if hasattr(self, "before"):
            try:
                self.come_to_rest()
            finally:
                transaction.savepoint_rollback(self.before)

    def hear(self, address, headers, body):
        """Accept a webhook now and handle it later, as a job does."""
        with suppress(Refusal):
            event = receiving_webhooks.hear(
                body=body,
                timestamp=headers["X-Prolific-Request-Timestamp"],
                signed=headers["X-Prolific-Request-Signature"],
                event_id=headers["X-Event-ID"],
                now=self.now,
            )
            self.heard += [event.pk] if event else []

    def work_of(self, submission):
        session = reconciling.session_of(submission)
        return Assignment.objects.filter(session_hash=session).order_by("-pk").first()

    # -- Participants ---------------------------------------------------------------------------
    @rule(target=submissions, person=st.sampled_from(PEOPLE), how_far=st.integers(0, 3))
    def come(self, person, how_far):
        """Take a place, follow the link, and perhaps work, enter the code and be approved."""
        there = self.fake.world.study(self.at.external_id)
        try:
            taken = self.fake.world.reserve(there, person)
        except ApiError:
            return multiple()
        self.fake.world.begin(taken)
        self.follow_link(taken.id)
        if how_far:
            self.do_it(taken.id)
        if how_far >= 2:
            self.enter_code(taken.id, "DONE")
        if how_far == 3:
            self.decide(taken.id, Decision.ACCEPT)
            self.order_rewards()
        return taken.id

    @rule(submission=submissions)
    def follow_link(self, submission):
        person = self.fake.world.submission(submission).participant
        arrival = Arrival("prolific", person, submission=submission, browser=person, signed=True)
        with suppress(Refusal):
            take_part(study=self.study, arrival=arrival, now=self.now)

    @rule(submission=submissions)
    def do_it(self, submission):
        work = self.work_of(submission)
        if work is not None and work.is_live:
            answer_all(work, now=self.now)
            recording.submit(assignment=work, now=self.now)

    @rule(submission=submissions, code=st.sampled_from(["DONE", "GUESSED"]))
    def enter_code(self, submission, code):
        with suppress(ApiError):
            self.fake.world.complete(self.fake.world.submission(submission), code)

    @rule(submission=submissions, how=st.sampled_from(["leave", "time_out"]))
    def end_there(self, submission, how):
        with suppress(ApiError):
            getattr(self.fake.world, how)(self.fake.world.submission(submission))

    @rule(submission=submissions)
    def return_here(self, submission):
        work = self.work_of(submission)
        if work is not None:
            with suppress(Refusal):
                assigning.return_task(assignment=work, now=self.now)

    @rule(submission=submissions)
    def withdraw_here(self, submission):
        """Before or after payment, handed in or not."""
        work = self.work_of(submission)
        if work is not None:
            assigning.withdraw(assignment=work, now=self.now)

    # -- Researchers ----------------------------------------------------------------------------
    @rule(
        submission=submissions,
        decision=st.sampled_from(
            [Decision.ACCEPT, Decision.REJECT, Decision.REJECT_BUT_PAY, Decision.REDO]
        ),
    )
    def decide(self, submission, decision):
        work = self.work_of(submission)
        if work is not None:
            with suppress(CannotReview):
                reviewing.decide(
                    assignment=work, decision=decision, reviewer="rita", reason="So.", now=self.now
                )

    @rule()
    def undo(self):
        act = ReviewAct.objects.filter(study=self.study).last()
        if act is not None:
            with suppress(CannotReview):
                undoing.undo(act=act, reviewer="rita", now=self.now)

    @rule()
    def order_rewards(self):
        with suppress(Refusal):
            stamp = orders.payable(self.study).stamp
            ordering.pay(study=self.study, stamp=stamp, user=None, now=self.now)

    @rule()
    def order_rejections(self):
        for work in orders.rejectable(self.study):
            with suppress(Refusal):
                ordering.reject(
                    work=work, category="LOW_EFFORT", message=REASON, user=None, now=self.now
                )

    @rule(submission=submissions, amount=st.sampled_from(["0.50", "1.20"]))
    def order_bonus(self, submission, amount):
        work = self.work_of(submission)
        if work is not None:
            number = Payment.objects.filter(assignment=work, kind=Payment.Kind.BONUS).count()
            with suppress(Refusal):
                ordering.give_bonus(
                    work=work, amount=Decimal(amount), reason="Thorough.", number=number,
                    user=None, now=self.now,
                )  # fmt: skip

    @rule(submission=submissions)
    def approve_there(self, submission):
        """On Prolific's own pages, whatever is ordered or decided here."""
        if self.work_of(submission) is not None:
            with suppress(ApiError):
                self.fake.world.approve(self.fake.world.submission(submission))

    # -- Machines -------------------------------------------------------------------------------
    @rule(
        trouble=st.none() | st.sampled_from(ProlificTrouble),
        where=st.sampled_from(PATHS),
        killed=st.none() | st.tuples(st.integers(1, 4), st.booleans()),
    )
    def send(self, trouble, where, killed):
        """Orders go out, over a bad network, by a process that is perhaps killed at a call."""
        if trouble is not None:
            self.fake.api.troubles.waiting.append(
                ApiTrouble(
                    trouble,
                    where,
                    times=5 if trouble in (ProlificTrouble.BUSY, ProlificTrouble.ERROR) else 1,
                )
            )
        answers, self.calls = self.fake.api.answer, 0

        def answer(request):
            self.calls += 1
            dies = killed is not None and self.calls == killed[0]
            if dies and not killed[1]:
                raise Killed
            reply = answers(request)
            if dies:
                raise Killed
            return reply

        self.fake.api.answer = answer
        try:
            with suppress(Killed):
                sending.go_on(desk=self.fake.client, now=self.now)
        finally:
            self.fake.api.answer = answers
            self.fake.api.troubles.waiting.clear()

    @rule(trouble=st.none() | st.sampled_from(ProlificTrouble), where=st.sampled_from(PATHS))
    def poll(self, trouble, where):
        if trouble is not None:
            self.fake.api.troubles.waiting.append(ApiTrouble(trouble, where))
        reconciling.poll(at=self.at, now=self.now)
        self.fake.api.troubles.waiting.clear()

    @rule(mode=st.sampled_from(Mode))
    def let_webhooks_be(self, mode):
        self.fake.api.hooks.send_kept()
        self.fake.api.hooks.mode = mode

    @rule(place=st.integers(0, 5))
    def handle_webhook(self, place):
        """One that came, in any order, perhaps again."""
        if place < len(self.heard):
            receiving_webhooks.handle(pk=self.heard[place], now=self.now)

    @rule(minutes=st.sampled_from([1, 7, 20, 70]))
    def let_time_pass(self, minutes):
        self.now += timedelta(minutes=minutes)
        assigning.expire_due(now=self.now)
        returning_redos.return_lapsed(now=self.now)

    @rule(
        submission=submissions,
        amount=st.sampled_from(["0.50", "1.20"]),
        trouble=st.sampled_from(ProlificTrouble),
        where=st.sampled_from(["/pay/", "bonus-payments"]),
    )
    def pay_a_bonus_badly(self, submission, amount, trouble, where):
        self.order_bonus(submission, amount)
        self.send(trouble, where, None)

    # -- What holds -----------------------------------------------------------------------------
    def booked(self):
        """Return the payments in the ledger: (submission, kind) -> minor units."""
        kinds = {LedgerEntry.Kind.PAID: "reward", LedgerEntry.Kind.BONUS: "bonus"}
        total = Counter()
        rows = LedgerEntry.objects.filter(study=self.study, kind__in=kinds)
        for entry in rows.select_related("assignment"):
            total[entry.assignment.submission, kinds[entry.kind]] += entry.amount
        return total

    @invariant()
    def the_ledger_has_nothing_that_was_not_paid(self):
        if hasattr(self, "at"):
            assert not self.booked() - self.fake.world.paid()

    @invariant()
    def nobody_is_paid_twice(self):
        if hasattr(self, "at"):
            ordered = Counter(
                {(submission, "reward"): 300 for submission in self.fake.world.submissions}
            )
            rows = Payment.objects.filter(study=self.study, kind=Payment.Kind.BONUS)
            for row in rows.select_related("assignment"):
                ordered[row.assignment.submission, row.kind] += row.amount
            assert not self.fake.world.paid() - ordered

    @invariant()
    def quotas_hold(self):
        if hasattr(self, "at"):
            invariants.check(self.study)

    @rule()
    def come_to_rest(self):
        """No more trouble, and some sweeps, as far apart as they are."""
        self.fake.api.hooks.mode = Mode.PROMPT
        self.fake.api.hooks.send_kept()
        for _ in range(3):
            self.now += timedelta(minutes=6)
            receiving_webhooks.handle_left(now=self.now)
            reconciling.poll(at=self.at, now=self.now)
            sending.go_on(desk=self.fake.client, now=self.now)
        reconciling.poll(at=self.at, now=self.now + timedelta(seconds=1))
        assert self.booked() == self.fake.world.paid()
        submissions = PlatformSubmission.objects.filter(platform_study=self.at)
        theirs = {key: submission.status for key, submission in self.fake.world.submissions.items()}
        assert {submission.submission: submission.status for submission in submissions} == theirs
        assert not any(
            work.is_live
            for key, status in theirs.items()
            if status in FREEING | {Status.SCREENED_OUT} and (work := self.work_of(key))
        )


@pytest.fixture(autouse=True)
def trial(monkeypatch, settings):
    settings.PROLIFIC_WEBHOOK_SECRET, settings.PROLIFIC_TOKEN = "", "trial"
    monkeypatch.setattr(reconciling, "client_for_settings", None)
    monkeypatch.setattr(sending, "FEW", 1)  # so that two are approved together


@pytest.mark.django_db
def test_whatever_happens_the_ledger_is_what_prolific_paid():
    run_state_machine_as_test(
        Prolific, settings=hypothesis_settings(max_examples=6, stateful_step_count=15)
    )


BAD_NETWORK = [(kind, where, None) for kind in ProlificTrouble for where in ("transition", "/pay/")]
KILLED = [(None, "", (call, after)) for call in (1, 3, 4) for after in (False, True)]


@pytest.mark.django_db
@pytest.mark.parametrize(("trouble", "where", "killed"), BAD_NETWORK + KILLED)
def test_each_trouble_alone_pays_nobody_twice(trouble, where, killed):
    """A reward and a bonus go out: a call for the reward, then three for the bonus."""
    machine = Prolific()
    submission = machine.publish().values[0]
    machine.order_bonus(submission, "0.50")
    machine.send(trouble, where, killed)
    machine.the_ledger_has_nothing_that_was_not_paid()
    machine.come_to_rest()
    machine.nobody_is_paid_twice()
    assert machine.booked()[submission, "reward"] == 300
