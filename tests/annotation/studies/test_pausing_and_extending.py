"""Batches pause, get places, wait behind a pilot, and have a pay and minutes of their own."""

from decimal import Decimal

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from annotation.fieldwork.recruiting import arriving
from annotation.fieldwork.recruiting.arriving import Arrival
from annotation.fieldwork.work import assigning
from annotation.fieldwork.work.placeholders import filled
from annotation.fieldwork.work.refusals import NoTaskLeft, StudyNotOpen, TermsChanged
from annotation.models import Assignment, Batch, Place, Study
from annotation.studies import active_time, batching, extending
from annotation.studies.batching import BatchChanged, NotReady
from tests.annotation.fieldwork.work import invariants
from tests.cast import (
    HOUR,
    MINUTE,
    NOW,
    alice,
    begun,
    bob,
    charlie,
    design_batch,
    draft_study,
    handed_in,
    small_study,
    submitted,
)
from tests.coded_errors import raises
from tests.hooks import element
from tests.refusals import refused_setting

pytestmark = [pytest.mark.django_db, pytest.mark.storage]


@pytest.fixture
def piloted() -> Study:
    """Three questionnaires of a pair each: the first is a pilot that is open, two wait."""
    study = draft_study(responses=3, pay=Decimal(2), minutes=10)
    _, rest = extending.split_pilot(batch=design_batch(study, items=1, quota=2), tasks=1)
    return batching.launch(study=study, now=NOW, waiting=[rest])


def test_nobody_begins_in_a_paused_batch_and_who_is_at_work_finishes():
    study = small_study(quota=3)
    at_work = begun(study, bob())
    batch = batching.pause_batch(batch=study.batches.get())
    with pytest.raises(StudyNotOpen):
        begun(study, charlie())
    assert handed_in(at_work, now=NOW + HOUR).state == Assignment.State.SUBMITTED
    batching.resume_batch(batch=batch)
    assert begun(study, charlie()).state == Assignment.State.ACTIVE


def test_a_batch_pauses_once_and_goes_on_once():
    batch = small_study().batches.get()
    with raises(NotReady, "wrong_state", "open"):
        batching.resume_batch(batch=batch)
    batching.pause_batch(batch=batch)
    with raises(NotReady, "wrong_state", "paused"):
        batching.pause_batch(batch=batch)
    assert batching.close_batch(batch=batch, now=NOW).state == "closed"
    with raises(NotReady, "wrong_state", "closed"):
        batching.resume_batch(batch=batch)


def test_the_last_submission_closes_a_batch_that_is_paused():
    study = small_study()
    last = begun(study, bob())
    batching.pause_batch(batch=study.batches.get())
    handed_in(last, now=NOW)
    assert study.batches.get().state == "closed"


def test_an_extended_batch_takes_so_many_more_workers_and_no_more():
    study = small_study(quota=1)
    begun(study, bob())
    with pytest.raises(NoTaskLeft):
        begun(study, charlie())
    extending.extend_batch(batch=study.batches.get(), votes=1)
    begun(study, charlie())
    with pytest.raises(NoTaskLeft):
        begun(study, alice())
    invariants.check(study)


def test_what_was_looked_at_is_done_once():
    study = small_study(quota=1)
    batch = study.batches.get()
    seen = batching.stamp_of(batch)
    extending.extend_batch(batch=batch, votes=2, stamp=seen)
    with pytest.raises(BatchChanged):
        extending.extend_batch(batch=batch, votes=2, stamp=seen)
    with pytest.raises(BatchChanged):
        batching.close_batch(batch=batch, now=NOW, stamp=seen)
    assert Place.objects.count() == 3


@pytest.mark.parametrize("votes", [0, -1, 1000])
def test_no_batch_is_extended_by_nonsense(votes):
    with refused_setting("votes"):
        extending.extend_batch(batch=small_study().batches.get(), votes=votes)


def test_a_closed_batch_is_not_extended():
    study = small_study()
    submitted(study, bob())
    with raises(NotReady, "not_running", "closed"):
        extending.extend_batch(batch=study.batches.get(), votes=1)


def test_a_batch_that_is_extended_while_it_fills_stays_open(monkeypatch):
    """Somebody adds places after the last submission saw that none is left."""
    study = small_study(quota=1)
    last = begun(study, bob())
    real = batching.locked

    def locked(batch, **named):
        monkeypatch.setattr(batching, "locked", real)
        extending.extend_batch(batch=batch, votes=1)
        return real(batch, **named)

    monkeypatch.setattr(batching, "locked", locked)
    handed_in(last, now=NOW)
    assert study.batches.get().state == "open"


def test_only_the_pilot_is_open_at_first(piloted):
    pilot, rest = piloted.batches.order_by("number")
    assert (pilot.name, pilot.state, pilot.tasks.count()) == ("pilot", "open", 1)
    assert (rest.name, rest.state, rest.tasks.count()) == ("main", "draft", 2)
    assert rest.design == pilot.design
    begun(piloted, bob())
    begun(piloted, charlie())
    with pytest.raises(NoTaskLeft):
        begun(piloted, alice())


@pytest.mark.parametrize("tasks", [0, 3, -1])
def test_a_pilot_leaves_something_for_the_rest(tasks):
    batch = design_batch(draft_study(responses=3), items=1)
    with refused_setting("pilot"):
        extending.split_pilot(batch=batch, tasks=tasks)


def test_the_main_batch_pays_what_the_pilot_taught(piloted):
    pilot, rest = piloted.batches.order_by("number")
    for person in (bob(), charlie()):
        submitted(piloted, person)
    extending.set_terms(batch=rest, pay=Decimal(3), minutes=15, votes=1)
    batching.open_batch(batch=rest, now=NOW)
    assert rest.tasks.get(number=2).places.count() == 1
    work = begun(piloted, alice())
    assert filled("{pay} for {minutes} min", work) == "3.00 USD for 15 min"
    handed_in(work, now=NOW + 30 * MINUTE)
    assert active_time.earnings_of(piloted, batch=rest).wage == pytest.approx(3 / 0.5)
    assert active_time.earnings_of(piloted, batch=pilot).wage == pytest.approx(2 / (10 / 60))


def test_terms_change_until_a_batch_opens_and_no_more(piloted):
    pilot, rest = piloted.batches.order_by("number")
    with raises(NotReady, "was_opened"):
        extending.set_terms(batch=pilot, pay=Decimal(1), minutes=10, votes=2)
    extending.set_terms(batch=rest, pay=Decimal(2), minutes=10, votes=5)
    rest.refresh_from_db()
    assert (rest.pay, rest.minutes) == (None, None)  # those of the study
    assert Place.objects.filter(task__batch=rest).count() == 10
    for name, bad in (
        ("pay", Decimal(-1)),
        ("minutes", 0),
        ("votes", 0),
        ("pay", Decimal("1.234")),
    ):
        terms = {"pay": Decimal(2), "minutes": 9, "votes": 5} | {name: bad}
        with refused_setting(name):
            extending.set_terms(batch=rest, **terms)


def test_all_that_is_open_pays_the_same(piloted):
    pilot, rest = piloted.batches.order_by("number")
    extending.set_terms(batch=rest, pay=Decimal(3), minutes=15, votes=1)
    with raises(NotReady, "other_terms", r"pilot.*2\.00.*10"):
        batching.open_batch(batch=rest, now=NOW)
    batching.pause_batch(batch=pilot)
    batching.open_batch(batch=rest, now=NOW)
    with raises(NotReady, "other_terms", r"main.*3\.00.*15"):
        batching.resume_batch(batch=pilot)


def test_whoever_agreed_to_another_pay_is_asked_again(piloted):
    pilot, rest = piloted.batches.order_by("number")
    arrival = Arrival("link", "somebody", browser="somebody")
    terms = arriving.terms_of(piloted.on_terms_of(pilot))
    batching.close_batch(batch=pilot, now=NOW)
    extending.set_terms(batch=rest, pay=Decimal("1.50"), minutes=10, votes=1)
    batching.open_batch(batch=rest, now=NOW)
    with pytest.raises(TermsChanged):
        arriving.take_part(study=piloted, arrival=arrival, now=NOW, terms=terms)
    assert not Assignment.objects.exists()
    visitor = Client()
    page = visitor.get("/s/lamps/").text
    assert "1.50 USD" in page
    again = visitor.post("/s/lamps/", {"agree": "yes", "terms": terms}).text
    assert element(again, "data-terms-changed")
    assert visitor.post("/s/lamps/", {"agree": "yes", "terms": "1.50 10"}).status_code == 302


def test_who_is_late_goes_on_once_the_batch_does():
    study = small_study()
    late = begun(study, bob())
    batch = batching.pause_batch(batch=study.batches.get())
    assigning.expire_due(now=late.expires_at)
    with pytest.raises(assigning.NotLive):
        assigning.revive(assignment=late, now=NOW + 3 * HOUR)
    batching.resume_batch(batch=batch)
    assert assigning.revive(assignment=late, now=NOW + 3 * HOUR).is_live


@pytest.mark.parametrize(
    "wrong", [{"state": "paused"}, {"pay": -1}, {"minutes": 0}, {"state": "idle"}]
)
def test_the_database_keeps_batches_as_they_can_be(wrong):
    batch = design_batch(draft_study())
    with pytest.raises(IntegrityError), transaction.atomic():
        Batch.objects.filter(pk=batch.pk).update(**wrong)
