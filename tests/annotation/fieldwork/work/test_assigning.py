"""The life of an assignment, rule by rule."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction

from annotation import signals
from annotation.fieldwork.review import reviewing
from annotation.fieldwork.work import assigning
from annotation.fieldwork.work.assigning import HOLD
from annotation.fieldwork.work.refusals import (
    CapReached,
    NoTaskLeft,
    NothingNew,
    NotLive,
    StudyNotOpen,
)
from annotation.models import (
    Assignment,
    Consent,
    Exposure,
    Place,
    ReviewDecision,
    Task,
    TaskExposure,
)
from annotation.studies import batching
from judging.models import Judgment, Presentation
from tests.cast import (
    HOUR,
    MINUTE,
    NOW,
    alice,
    answer_all,
    begun,
    bob,
    charlie,
    draft_study,
    small_corpus,
    small_study,
    submitted,
    worker,
)
from tests.refusals import refused

State = Assignment.State
pytestmark = [pytest.mark.django_db, pytest.mark.storage]


def claim(study, person, now=NOW):
    return assigning.claim(study=study, worker=person, now=now)


def reject(assignment):
    return reviewing.decide(
        assignment=assignment,
        decision=ReviewDecision.Decision.REJECT,
        reviewer="rita",
        reason="Empty.",
        now=NOW + HOUR,
    )


def expired(study, person):
    assignment = begun(study, person)
    assigning.expire_due(now=assignment.expires_at)
    assignment.refresh_from_db()
    return assignment


# -- Claiming ---------------------------------------------------------------------------------


def test_a_claim_takes_a_place_and_notes_what_will_be_met():
    study = small_study()
    assignment = claim(study, bob())
    assert assignment.state == State.ARRIVED
    assert Place.objects.get().assignment == assignment
    units = TaskExposure.objects.filter(task=assignment.task).values_list("unit", flat=True)
    assert set(Exposure.objects.values_list("unit", flat=True)) == set(units)


def test_a_place_is_held_shortly_until_there_is_work_on_it():
    study = small_study(time_limit_minutes=90, quota=2)
    at_work, asleep = begun(study, bob()), begun(study, charlie())
    assert at_work.expires_at == NOW + HOLD
    answer_all(at_work, now=NOW + 14 * MINUTE)
    assert assigning.expire_due(now=NOW + HOLD) == 1
    asleep.refresh_from_db()
    assert asleep.state == State.EXPIRED
    at_work.refresh_from_db()
    assert (at_work.state, at_work.worked_at) == (State.ACTIVE, NOW + 14 * MINUTE)


def test_from_the_first_answer_a_place_is_held_as_long_as_the_study_says():
    study = small_study(responses=3, time_limit_minutes=90)
    assignment = begun(study, bob())
    for minutes in (14, 50):
        answer_all(assignment, now=NOW + minutes * MINUTE)
    assignment.refresh_from_db()
    assert assignment.expires_at == NOW + 104 * MINUTE


def test_no_place_is_held_longer_than_the_study_says():
    assignment = claim(small_study(time_limit_minutes=7), bob())
    assert assignment.expires_at == NOW + 7 * MINUTE


def test_arriving_again_resumes_the_same_assignment():
    study = small_study(quota=2)
    assert claim(study, bob()) == claim(study, bob())
    assert Assignment.objects.count() == 1


def test_a_full_task_refuses_the_next_worker():
    study = small_study(quota=1)
    claim(study, bob())
    with pytest.raises(NoTaskLeft):
        claim(study, charlie())


def test_tasks_fill_one_by_one():
    study = small_study(responses=3, items=1, quota=2)
    tasks = [claim(study, worker(f"w{n}")).task.number for n in range(6)]
    assert tasks == [1, 1, 2, 2, 3, 3]


def test_a_draft_batch_lets_nobody_in():
    with pytest.raises(StudyNotOpen):
        claim(draft_study(), bob())


def test_a_closed_batch_lets_nobody_new_in_but_those_at_work_go_on():
    study = small_study(quota=2)
    mine = begun(study, bob())
    batching.close_batch(batch=study.batches.get(), now=NOW)
    assert claim(study, bob()) == mine
    with pytest.raises(StudyNotOpen):
        claim(study, charlie())


def test_worker_gets_no_more_tasks_than_the_cap():
    study = small_study(responses=3, items=1, cap=2)
    submitted(study, bob())
    submitted(study, bob())
    with pytest.raises(CapReached, match=r"\b2\b"):
        claim(study, bob())


def test_rejected_work_counts_towards_the_cap():
    study = small_study(responses=3, items=1)
    reject(submitted(study, bob()))
    with pytest.raises(CapReached):
        claim(study, bob())


def test_returned_work_does_not_count_towards_the_cap():
    study = small_study(responses=3, items=1)
    first = begun(study, bob())
    assigning.return_task(assignment=first, now=NOW)
    assert claim(study, bob()).task != first.task


def test_worker_never_gets_a_pair_again_in_reverse():
    study = small_study(items=1, reversed_share=1, cap=5)
    submitted(study, bob())
    with pytest.raises(NothingNew):
        claim(study, bob())


def test_worker_never_gets_a_task_without_units_twice():
    study = small_study(quota=2)
    TaskExposure.objects.all().delete()
    assigning.return_task(assignment=claim(study, bob()), now=NOW)
    with pytest.raises(NothingNew):
        claim(study, bob())


def test_worker_never_judges_their_own_text():
    study = small_study(corpus=small_corpus(author=alice()))
    with pytest.raises(NothingNew):
        claim(study, alice())
    assert claim(study, bob())


def test_a_claim_that_fails_leaves_nothing():
    study = small_study()
    claim(study, bob())
    with pytest.raises(NoTaskLeft):
        claim(study, charlie())
    assert not Assignment.objects.filter(worker=charlie()).exists()
    assert not Exposure.objects.filter(worker=charlie()).exists()


def test_two_live_assignments_of_one_worker_are_refused_by_the_database():
    study = small_study(responses=3, items=1)
    first = claim(study, bob())
    other = Task.objects.exclude(pk=first.task_id).first()
    with pytest.raises(IntegrityError), transaction.atomic():
        assigning.assign(task=other, worker=bob(), now=NOW)


def test_a_task_of_our_choice_has_no_more_places_than_its_quota():
    study = small_study(quota=1)
    claim(study, bob())
    with pytest.raises(NoTaskLeft):
        assigning.assign(task=Task.objects.get(), worker=charlie(), now=NOW)
    assert Assignment.objects.count() == 1


# -- Beginning and handing in -----------------------------------------------------------------


def test_consent_is_stored_with_the_version_that_was_shown():
    assignment = begun(small_study(consent_version="2b"), bob())
    assert assignment.state == State.ACTIVE
    consent = Consent.objects.get(worker=bob())
    assert (consent.version, consent.given_at, assignment.started_at) == ("2b", NOW, NOW)


def test_consenting_twice_is_the_same_as_once():
    assignment = begun(small_study(), bob())
    again = assigning.begin(assignment=assignment, now=NOW + HOUR)
    assert again.started_at == NOW
    assert Consent.objects.count() == 1


def test_submitting_twice_is_the_same_as_once():
    heard = []
    listener = lambda **said: heard.append(said["assignment"])  # noqa: E731
    signals.submitted.connect(listener)
    first = submitted(small_study(), bob())
    again = assigning.submit(assignment=first, now=NOW + HOUR, exit_answers={"late": "1"})
    assert (again.submitted_at, again.exit_answers) == (NOW + 10 * MINUTE, {})
    assert heard == [first]


def test_work_that_was_not_begun_cannot_be_submitted():
    assignment = claim(small_study(), bob())
    with pytest.raises(NotLive) as refused:
        assigning.submit(assignment=assignment, now=NOW)
    assert refused.value.state == "arrived"


# -- Leaving ----------------------------------------------------------------------------------


def test_a_returned_place_is_given_to_somebody_else():
    study = small_study(quota=1)
    assigning.return_task(assignment=begun(study, bob()), now=NOW)
    assert claim(study, charlie())


def test_submitted_work_cannot_be_returned():
    with pytest.raises(NotLive) as refused:
        assigning.return_task(assignment=submitted(small_study(), bob()), now=NOW)
    assert refused.value.state == "submitted"


def test_an_expired_place_is_given_to_somebody_else():
    study = small_study(quota=1)
    late = expired(study, bob())
    assert (late.state, late.ended_at) == (State.EXPIRED, late.expires_at)
    assert claim(study, charlie())


def test_nothing_expires_a_moment_before_its_time():
    assignment = begun(small_study(), bob())
    assert assigning.expire_due(now=assignment.expires_at - timedelta(microseconds=1)) == 0
    assert assigning.expire_due(now=assignment.expires_at) == 1


def test_submitted_work_does_not_expire():
    assignment = submitted(small_study(), bob())
    assert assigning.expire_due(now=assignment.expires_at) == 0


def test_withdrawing_erases_the_answers_and_frees_the_place():
    study = small_study()
    assignment = begun(study, bob())
    answer_all(assignment)
    Presentation.objects.update(comment="Both are poor.")
    answers = {"entry_answers": {"knowledge": "2"}, "exit_answers": {"happy": "1"}}
    Assignment.objects.filter(pk=assignment.pk).update(**answers)
    assigning.withdraw(assignment=assignment, now=NOW + HOUR)
    assert (assignment.state, assignment.ended_at) == (State.WITHDRAWN, NOW + HOUR)
    assert (assignment.entry_answers, assignment.exit_answers) == ({}, {})
    assert not Judgment.objects.exists()
    assert not Presentation.objects.exclude(comment="").exists()
    assert claim(study, charlie())


def test_withdrawing_reaches_all_work_of_the_study_even_accepted_work():
    study = small_study(responses=3, items=1, cap=3)
    first, second = submitted(study, bob()), submitted(study, bob())
    reviewing.decide(
        assignment=first, decision=ReviewDecision.Decision.ACCEPT, reviewer="rita", now=NOW + HOUR
    )
    assigning.withdraw(assignment=second, now=NOW + HOUR)
    assert set(Assignment.objects.values_list("state", flat=True)) == {State.WITHDRAWN}
    assert not Place.objects.exclude(assignment=None).exists()


def test_withdrawing_twice_is_the_same_as_once():
    assignment = begun(small_study(), bob())
    assigning.withdraw(assignment=assignment, now=NOW)
    assert assigning.withdraw(assignment=assignment, now=NOW + HOUR).ended_at == NOW


def test_withdrawing_leaves_the_work_of_others_alone():
    study = small_study(quota=2)
    submitted(study, charlie())
    assigning.withdraw(assignment=submitted(study, bob()), now=NOW)
    assert Judgment.objects.get().rater.worker == charlie()


@pytest.mark.parametrize("consented", [True, False])
def test_withdrawn_worker_is_not_admitted_again(consented):
    study = small_study(responses=3, items=1, cap=3)
    assignment = begun(study, bob()) if consented else claim(study, bob())
    assigning.withdraw(assignment=assignment, now=NOW)
    with refused("ConsentWithdrawn"):
        claim(study, bob())


# -- Coming back late -------------------------------------------------------------------------


def test_late_worker_continues_while_the_place_is_free():
    work = begun(small_study(time_limit_minutes=30), bob())
    answer_all(work)
    assigning.expire_due(now=NOW + HOUR)
    back = assigning.revive(assignment=work, now=NOW + HOUR)
    assert (back.state, back.ended_at) == (State.ACTIVE, None)
    assert back.expires_at == NOW + HOUR + 30 * MINUTE
    assert Place.objects.get().assignment == back


def test_late_worker_who_had_not_begun_is_asked_for_consent():
    study = small_study()
    late = claim(study, bob())
    assigning.expire_due(now=late.expires_at)
    assert assigning.revive(assignment=late, now=NOW + 3 * HOUR).state == State.ARRIVED


def test_late_worker_is_told_that_the_place_is_taken():
    study = small_study()
    late = expired(study, bob())
    claim(study, charlie())
    with pytest.raises(NotLive) as refused:
        assigning.revive(assignment=late, now=NOW + 3 * HOUR)
    assert refused.value.state == "expired"


def test_reviving_twice_is_the_same_as_once():
    late = expired(small_study(quota=2), bob())
    again = Assignment.objects.get(pk=late.pk)
    assigning.revive(assignment=late, now=NOW + 3 * HOUR)
    assert assigning.revive(assignment=again, now=NOW + 3 * HOUR).state == State.ACTIVE
    assert Place.objects.exclude(assignment=None).count() == 1


def test_the_link_of_the_study_leads_who_is_late_back_to_their_work():
    study = small_study()
    late = expired(study, bob())
    assert claim(study, bob(), now=NOW + 3 * HOUR) == late


def test_the_link_of_the_study_gives_who_is_late_other_work_when_the_place_has_gone():
    study = small_study(responses=3, items=1)
    late = expired(study, bob())
    assert claim(study, charlie()).task == late.task
    assert claim(study, bob(), now=NOW + 3 * HOUR).task != late.task


def test_returning_worker_gets_no_more_tasks_than_the_cap():
    study = small_study(responses=3, items=1, quota=2)
    late = expired(study, bob())
    Place.objects.filter(task=late.task).delete()
    submitted(study, bob())
    batching.add_places(tasks=[late.task])
    with pytest.raises(NotLive):
        assigning.revive(assignment=late, now=NOW + 3 * HOUR)


def test_returning_worker_has_one_task_at_a_time():
    study = small_study(responses=3, items=1, quota=2, cap=2)
    late = expired(study, bob())
    Place.objects.filter(task=late.task).delete()
    begun(study, bob(), now=NOW + 3 * HOUR)
    batching.add_places(tasks=[late.task])
    with pytest.raises(NotLive):
        assigning.revive(assignment=late, now=NOW + 3 * HOUR)
