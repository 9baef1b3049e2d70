"""What Prolific says about submissions, by webhook and by poll, and what follows from it here."""

import json
from datetime import timedelta
from itertools import permutations

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from annotation import signals, tasks
from annotation.fieldwork.consenting import erasing_study_data
from annotation.fieldwork.paying import recording_platform_payments, totals
from annotation.fieldwork.platforms import calls
from annotation.fieldwork.platforms.outcomes import Outcome
from annotation.fieldwork.recruiting.prolific import receiving_webhooks, reconciling, study_status
from annotation.fieldwork.review import reviewing
from annotation.fieldwork.work import assigning, ending
from annotation.models import (
    Assignment,
    LedgerEntry,
    Place,
    PlatformStudy,
    PlatformSubmission,
    Study,
    Task,
    WebhookEvent,
)
from tests.annotation.fieldwork.recruiting.prolific.answers import THEIRS, Answers
from tests.cast import NOW, answer_all, bob, charlie, prolific_id, prolific_link, small_study

pytestmark = [pytest.mark.django_db]
SECRET = "a secret that Prolific made"
AGREE = {"agree": "yes"}


@pytest.fixture
def prolific(monkeypatch, settings):
    settings.PROLIFIC_WEBHOOK_SECRET, settings.PROLIFIC_TOKEN = SECRET, "x"
    answers = Answers()
    monkeypatch.setattr(reconciling, "client_for_settings", lambda: answers)
    monkeypatch.setattr(tasks.ask_after, "apply_async", lambda *_, **__: None)
    return answers


@pytest.fixture
def study():
    return small_study(recruitment="prolific")


@pytest.fixture
def at(study):
    return PlatformStudy.objects.create(
        platform="prolific",
        external_id=THEIRS,
        study=study,
        pay=study.pay,
        minutes=study.minutes,
        created_at=timezone.now(),
    )


def come(name="bob"):
    """Somebody follows Prolific's link and agrees."""
    assert Client().post(prolific_link(name), AGREE).status_code == 302
    return Assignment.objects.latest("pk")


def poll(at, *, later=0):
    now = timezone.now() + timedelta(seconds=later)
    reconciling.poll(at=at, now=now)
    at.refresh_from_db()


def tell(name="bob", *, event="e1", secret=SECRET, at=None, **changes):
    """Send a webhook about a person's submission."""
    said = {
        "event_type": "submission.status.change",
        "resource_id": prolific_id(f"first of {name}"),
        "participant_id": prolific_id(name),
        "status": "APPROVED",
    } | changes
    body = json.dumps(said).encode()
    stamp = str(int((at or timezone.now()).timestamp()))
    signed = receiving_webhooks.signature(secret=secret, timestamp=stamp, body=body)
    return send(body, stamp, signed, event)


def send(body, stamp, signed, event):
    headers = {
        "X-Prolific-Request-Timestamp": stamp,
        "X-Prolific-Request-Signature": signed,
        "X-Event-ID": event,
    }
    return (
        Client()
        .post("/hooks/prolific/", body, content_type="application/json", headers=headers)
        .status_code
    )


# -- Statuses and places ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "state"),
    [("RETURNED", "returned"), ("TIMED-OUT", "expired"), ("SCREENED OUT", "returned")],
)
def test_a_place_that_is_free_there_is_free_here_at_once_and_the_work_is_kept(
    prolific, at, status, state
):
    work = come()
    prolific.says("bob", status)
    poll(at)
    work.refresh_from_db()
    assert work.state == state
    assert Place.objects.filter(assignment=None).count() == 1
    submission = PlatformSubmission.objects.get()
    assert (submission.assignment, submission.worker, submission.status) == (
        work,
        work.worker,
        status,
    )
    assert submission.submission == prolific_id("first of bob")
    come("charlie")  # has the place


def test_work_that_was_handed_in_before_its_return_keeps_its_place_and_is_marked(prolific, at):
    work = come()
    answer_all(work)
    assigning.submit(assignment=work, now=NOW)
    prolific.says("bob", "RETURNED")
    poll(at)
    work.refresh_from_db()
    assert work.state == "submitted"
    assert PlatformSubmission.objects.get().status == "RETURNED"


def test_work_that_was_rejected_on_prolifics_pages_is_rejected_here(prolific, at):
    work = come()
    answer_all(work)
    assigning.submit(assignment=work, now=NOW)
    prolific.says("bob", "REJECTED")
    for _ in range(2):
        poll(at)
    work.refresh_from_db()
    assert (work.state, work.decisions.get().reviewer) == ("rejected", "Prolific")
    assert Place.objects.filter(assignment=None).count() == 1


def test_an_older_answer_changes_nothing(prolific, at):
    """Whatever the order in which three answers are worked on, the last question counts."""
    came = [("ACTIVE", 1), ("AWAITING REVIEW", 2), ("APPROVED", 3)]
    for order in permutations(came):
        PlatformSubmission.objects.all().delete()
        for status, second in order:
            prolific.says("bob", status)
            row = prolific.rows[prolific_id("first of bob")]
            asked = NOW + timedelta(seconds=second)
            reconciling.apply(at=at, row=row, asked_at=asked, source="poll")
        assert PlatformSubmission.objects.get().status == "APPROVED"


def test_a_submission_is_known_before_its_person_comes_and_linked_afterwards(prolific, at):
    prolific.says("bob", "ACTIVE")
    poll(at)
    assert PlatformSubmission.objects.get().assignment is None
    work = come()
    poll(at, later=1)
    assert PlatformSubmission.objects.get().assignment == work


def test_who_returned_the_submission_cannot_begin_for_it(prolific, at):
    prolific.says("bob", "RETURNED")
    poll(at)
    response = Client().post(prolific_link("bob"), AGREE)
    assert response.status_code == 410
    assert 'data-refusal="SubmissionEnded"' in response.content.decode()
    assert not Assignment.objects.exists()


def test_a_status_that_nobody_knows_is_kept_as_unknown_and_does_nothing(prolific, at):
    work = come()
    prolific.says("bob", "SOMETHING NEW")
    poll(at)
    work.refresh_from_db()
    assert (work.state, PlatformSubmission.objects.get().status) == ("active", "UNKNOWN")


def test_a_poll_without_an_answer_says_so_and_loses_nothing(prolific, at):
    prolific.broken = calls.OutcomeUnknown("read submissions", "it did not answer in time")
    poll(at)
    assert str(prolific.broken) == at.problem
    prolific.broken = None
    prolific.says("bob", "ACTIVE")
    poll(at)
    assert (at.problem, at.state, PlatformSubmission.objects.count()) == ("", "ACTIVE", 1)


# -- Late work --------------------------------------------------------------------------------


def late_work(prolific, at, *, taken):
    """Bob answered all; his time is over; somebody else has his place (`taken`)."""
    work = come()
    answer_all(work)
    assigning.note_work(assignment=work, now=timezone.now())
    prolific.says("bob", "TIMED-OUT")
    poll(at)
    if taken:
        come("charlie")
    prolific.says("bob", "AWAITING REVIEW", study_code="X")
    poll(at, later=1)
    work.refresh_from_db()
    return work, PlatformSubmission.objects.get(session_hash=work.session_hash)


def test_late_work_counts_while_its_place_is_free(prolific, at):
    work, known = late_work(prolific, at, taken=False)
    assert (work.state, known.was_late) == ("submitted", True)


def test_late_work_whose_place_is_taken_is_kept_and_marked(prolific, at):
    work, known = late_work(prolific, at, taken=True)
    assert (work.state, known.was_late, known.assignment) == ("expired", True, work)
    assert work.judgments.exists()


def test_late_work_gets_a_place_of_its_own_where_the_study_says_so(prolific, at):
    Study.objects.update(late_work="add_place")
    at.refresh_from_db()
    work, known = late_work(prolific, at, taken=True)
    assert (work.state, known.was_late) == ("submitted", True)
    assert (Task.objects.get().quota, Place.objects.count()) == (2, 2)


def test_a_code_that_is_entered_after_the_time_counts_as_late_work(prolific, at):
    """Prolific only notes it: the submission stays timed out."""
    work = come()
    answer_all(work)
    prolific.says("bob", "TIMED-OUT")
    poll(at)
    prolific.says("bob", "TIMED-OUT", study_code="X")
    poll(at, later=1)
    work.refresh_from_db()
    assert work.state == "submitted"


# -- Webhooks ---------------------------------------------------------------------------------


def test_a_webhook_says_only_that_something_should_be_asked(prolific, at):
    """It says APPROVED; Prolific, asked, says that Bob is at work."""
    prolific.says("bob", "ACTIVE")
    assert tell() == 204
    event = WebhookEvent.objects.get()
    assert not PlatformSubmission.objects.exists()
    receiving_webhooks.handle(pk=event.pk, now=timezone.now())
    assert PlatformSubmission.objects.get().status == "ACTIVE"
    at.refresh_from_db()
    assert at.heard_at
    receiving_webhooks.handle(pk=event.pk, now=timezone.now())
    assert prolific.asked == 1


def test_a_webhook_that_comes_twice_is_taken_once(prolific, at):
    assert [tell(), tell(), tell(event="e2", status="RETURNED")] == [204, 204, 204]
    assert WebhookEvent.objects.count() == 2
    one = WebhookEvent.objects.first()
    with pytest.raises(IntegrityError), transaction.atomic():
        WebhookEvent.objects.create(
            platform="prolific", event_id=one.event_id, resource=b"x", received_at=NOW
        )


def test_bad_webhooks_are_refused(prolific, settings):
    minutes = [timezone.now() + timedelta(minutes=each) for each in (-6, 6)]
    assert [tell(at=minute) for minute in minutes] == [401, 401]
    assert tell(secret="another") == 401
    assert tell(event="") == 400
    assert tell(event="x" * 201) == 400
    assert tell(padding="x" * 20_000) == 413
    stamp = str(int(timezone.now().timestamp()))
    good = receiving_webhooks.signature(secret=SECRET, timestamp=stamp, body=b"{}")
    assert send(b"{ }", stamp, good, "e") == 401
    assert send(b"{}", f"0{stamp}", good, "e") == 401
    for body in (b"{}", b"[]", b"\xff", b"null"):
        signed = receiving_webhooks.signature(secret=SECRET, timestamp=stamp, body=body)
        assert send(body, stamp, signed, "e") == 400
    odd = receiving_webhooks.signature(secret=SECRET, timestamp="soon", body=b"{}")
    assert send(b"{}", "soon", odd, "e") == 400
    settings.PROLIFIC_WEBHOOK_SECRET = ""
    assert tell(secret="") == 404
    assert not WebhookEvent.objects.exists()


def test_webhooks_about_other_things_are_taken_and_forgotten(prolific, at):
    assert tell(event_type="study.status.change") == 204
    assert not WebhookEvent.objects.exists()


def test_a_message_of_a_study_that_is_not_ours_changes_nothing(prolific, at):
    prolific.says("bob", "ACTIVE", study_id="7" * 24)
    tell()
    receiving_webhooks.handle(pk=WebhookEvent.objects.get().pk, now=timezone.now())
    assert not PlatformSubmission.objects.exists()
    assert WebhookEvent.objects.get().handled_at


def test_the_sweep_asks_what_was_not_asked_and_the_poll_finds_what_was_not_told(prolific, at):
    prolific.says("bob", "ACTIVE")
    tell()
    WebhookEvent.objects.update(received_at=timezone.now() - timedelta(minutes=1))
    prolific.broken = calls.OutcomeUnknown("read a submission", "it failed")
    tasks.reconcile()
    assert WebhookEvent.objects.get().handled_at is None
    prolific.broken = None
    prolific.says("charlie", "ACTIVE")
    tasks.reconcile()
    assert WebhookEvent.objects.get().handled_at
    assert PlatformSubmission.objects.count() == 2


def test_nobody_is_a_worker_here_by_what_prolific_says_alone(prolific, at):
    """Bob's submission, which names Charlie, is not Charlie's work."""
    work = come("bob")
    charlie(), bob()
    prolific.says("bob", "ACTIVE", participant_id=prolific_id("charlie"))
    poll(at)
    submission = PlatformSubmission.objects.get()
    assert submission.worker.pseudonym == "charlie"
    assert submission.assignment.worker.external_hash != submission.person_hash
    work.refresh_from_db()
    assert work.worker != submission.worker


def test_who_is_screened_out_by_prolific_itself_has_the_reward_in_the_ledger(prolific, study):
    Study.objects.filter(pk=study.pk).update(screening={"reward": "0.20"})
    at = PlatformStudy.objects.create(
        platform="prolific",
        external_id=THEIRS,
        study=study,
        pay=study.pay,
        minutes=study.minutes,
        created_at=timezone.now(),
    )
    work = come()
    prolific.says("bob", "SCREENED OUT")
    poll(at)
    entries = LedgerEntry.objects.filter(assignment=work).values_list("kind", "amount")
    assert set(entries) == {("owed", 20), ("approved", 20)}
    recording_platform_payments.note_paid_there(now=timezone.now())
    assert LedgerEntry.objects.get(assignment=work, kind="paid").amount == 20


# -- Screened out, and the code not entered ---------------------------------------------------


def owed(study):
    sums = totals.sums_of(study)
    return sums.minor("owed"), sums.minor("approved")


@pytest.mark.parametrize("status", ["RETURNED", "TIMED-OUT"])
def test_nothing_is_owed_for_a_screening_whose_submission_is_over_without_its_code(
    prolific, at, study, status
):
    Study.objects.filter(pk=study.pk).update(screening={"reward": "0.20"})
    screen_out(come())
    prolific.says("bob", "ACTIVE")
    poll(at)
    assert owed(study) == (20, 20)
    assert "0.20" in erasing_study_data.still_owed(study)
    prolific.says("bob", status)
    poll(at, later=10)
    assert owed(study) == (0, 0)
    assert erasing_study_data.still_owed(study) == ""
    poll(at, later=20)
    assert LedgerEntry.objects.filter(study=study).count() == 4  # two, and both taken back
    prolific.says("bob", "SCREENED OUT", study_code="OUT")  # late all the same
    poll(at, later=30)
    assert owed(study) == (20, 20)
    recording_platform_payments.note_paid_there(now=timezone.now())
    assert erasing_study_data.still_owed(study) == ""


def screen_out(work):
    ending.end(assignment=work, outcome=Outcome.SCREENED_OUT, now=timezone.now())
    signals.screened_out.send(sender=Assignment, assignment=work)


def test_work_that_is_redone_waits_for_review_there_and_nobody_is_accused(prolific, at):
    work = come()
    answer_all(work, now=timezone.now())
    assigning.submit(assignment=work, now=timezone.now())
    prolific.says("bob", "AWAITING REVIEW")
    poll(at)
    reviewing.decide(
        assignment=work, decision="redo", reviewer="rita", reason="Again.", now=timezone.now()
    )
    for later in (1, 2):
        poll(at, later=later)
    work.refresh_from_db()
    assert (work.state, study_status.remarks(at.study)) == ("active", [])
    assert Client().get(prolific_link("bob")).headers["location"] == f"/w/{work.token}/"


def test_a_message_is_taken_once_under_whatever_event_id_it_comes(prolific, at):
    """The event id is not signed: who has caught a message could send it again under another."""
    body = json.dumps(
        {"event_type": receiving_webhooks.EVENT, "resource_id": prolific_id("first of bob")}
    ).encode()
    stamp = str(int(timezone.now().timestamp()))
    signed = receiving_webhooks.signature(secret=SECRET, timestamp=stamp, body=body)
    for event in ("e1", "e2", "e1", "e3"):
        assert send(body, stamp, signed, event) == 204
    assert WebhookEvent.objects.get().event_id == "e1"
    assert tell("bob", event="e4", status="REJECTED") == 204  # another message
    assert WebhookEvent.objects.count() == 2
