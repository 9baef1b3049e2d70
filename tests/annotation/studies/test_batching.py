"""Launching a study; opening, filling and closing its batches."""

import pytest
from django.db import connection

from annotation import signals
from annotation.fieldwork.review import reviewing
from annotation.fieldwork.work import assigning
from annotation.models import Assignment, Batch, Place, ReviewDecision
from annotation.studies import batching
from annotation.studies.batching import NotReady
from tests.cast import (
    HOUR,
    NOW,
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

pytestmark = [pytest.mark.django_db, pytest.mark.storage]


@pytest.fixture
def closed():
    """Return the batches whose closing was signalled."""
    heard = []

    def listen(**said):
        heard.append(said["batch"])

    signals.batch_closed.connect(listen)
    yield heard
    signals.batch_closed.disconnect(listen)


def test_plans_of_claims_know_the_rows_of_an_opened_batch(django_capture_on_commit_callbacks):
    batch = design_batch(draft_study(responses=3), items=1, quota=4)
    counted = "SELECT reltuples FROM pg_class WHERE relname = 'annotation_place'"
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":  # as an autovacuum leaves it
            cursor.execute("UPDATE pg_class SET reltuples = 0 WHERE relname = 'annotation_place'")
        with django_capture_on_commit_callbacks(execute=True):
            batching.open_batch(batch=batch, now=NOW)
        if connection.vendor == "postgresql":
            cursor.execute(counted)
            assert cursor.fetchone() == (12.0,)


def test_a_task_has_as_many_places_as_its_quota():
    design_batch(draft_study(responses=3), items=1, quota=4)
    assert Place.objects.count() == 3 * 4


def test_opening_the_first_batch_launches_the_study():
    study = draft_study()
    batch = batching.open_batch(batch=design_batch(study), now=NOW)
    study.refresh_from_db()
    assert (batch.state, batch.opened_at, study.launched_at) == ("open", NOW, NOW)


def test_a_launched_study_is_frozen():
    study = type(small_study()).objects.get()
    study.instructions = "Only look at the left one."
    with pytest.raises(ValueError, match=r"lamps .* instructions "):
        study.save()


def test_a_second_batch_does_not_launch_again():
    study = small_study()
    batching.open_batch(batch=design_batch(study), now=NOW + HOUR)
    study.refresh_from_db()
    assert study.launched_at == NOW


def test_a_batch_without_tasks_does_not_open():
    study = draft_study()
    batch = Batch.objects.create(study=study, number=1, name="main")
    with raises(NotReady, "no_tasks"):
        batching.open_batch(batch=batch, now=NOW)


def test_a_batch_opens_once():
    study = small_study()
    with raises(NotReady, "was_opened"):
        batching.open_batch(batch=study.batches.get(), now=NOW + HOUR)
    assert study.batches.get().opened_at == NOW


def test_a_batch_closes_once(closed):
    batch = small_study().batches.get()
    batching.close_batch(batch=batch, now=NOW + HOUR)
    assert (batch.state, batch.closed_at) == ("closed", NOW + HOUR)
    with raises(NotReady, "not_open", "closed"):
        batching.close_batch(batch=batch, now=NOW)
    assert closed == [batch]


def test_a_draft_batch_does_not_close(closed):
    with raises(NotReady, "not_open", "draft"):
        batching.close_batch(batch=design_batch(draft_study()), now=NOW)
    assert not closed


def test_the_last_submission_closes_a_full_batch(closed):
    study = small_study(quota=2)
    submitted(study, bob())
    assert study.batches.get().state == "open"
    last = submitted(study, charlie())
    assert study.batches.get().closed_at == last.submitted_at
    assert len(closed) == 1


def test_a_batch_that_is_full_of_people_at_work_stays_open():
    study = small_study(quota=2)
    submitted(study, bob())
    begun(study, charlie())
    assert study.batches.get().state == "open"
    assert batching.close_due(now=NOW) == 0


def test_a_full_batch_stays_open_if_it_is_to(closed):
    study = small_study(batch={"closes_when_full": False})
    submitted(study, bob())
    assert batching.close_due(now=NOW) == 0
    assert not closed


def test_accepted_work_fills_a_batch_and_rejected_work_does_not():
    study = small_study(quota=2, batch={"closes_when_full": False})
    batch = study.batches.get()
    for person, decision in ((bob(), "accept"), (charlie(), "reject")):
        assignment = submitted(study, person)
        assert batching.is_full(batch) == (person == charlie())
        reviewing.decide(
            assignment=assignment,
            decision=ReviewDecision.Decision(decision),
            reviewer="rita",
            reason="So it is.",
            now=NOW,
        )
    assert not batching.is_full(batch)


def test_the_sweep_closes_what_two_last_submissions_left_open(closed):
    study = small_study(batch={"closes_when_full": False})
    submitted(study, bob())
    Batch.objects.update(closes_when_full=True)
    assert batching.close_due(now=NOW + HOUR) == 1
    assert batching.close_due(now=NOW + HOUR) == 0
    assert [batch.closed_at for batch in closed] == [NOW + HOUR]


def test_the_sweep_closes_a_batch_on_its_date():
    study = small_study(batch={"closes_at": NOW + HOUR})
    assert batching.close_due(now=NOW) == 0
    assert batching.close_due(now=NOW + HOUR) == 1
    assert study.batches.get().state == "closed"


def test_those_at_work_hand_in_after_the_closing():
    study = small_study(quota=2)
    assignment = begun(study, bob())
    batching.close_batch(batch=study.batches.get(), now=NOW)
    done = handed_in(assignment, now=NOW + HOUR)
    assert done.state == Assignment.State.SUBMITTED


def test_who_is_late_does_not_come_back_into_a_closed_batch():
    study = small_study()
    late = begun(study, bob())
    assigning.expire_due(now=late.expires_at)
    batching.close_batch(batch=study.batches.get(), now=NOW)
    with pytest.raises(assigning.NotLive):
        assigning.revive(assignment=late, now=NOW + 3 * HOUR)
