"""Work of a stranger under an id is separated: the worker keeps a full turn."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation.fieldwork.recruiting import releasing_held_up
from annotation.fieldwork.review import reviewing
from annotation.fieldwork.screening.qualifying import qualify
from annotation.fieldwork.screening.scoring import take
from annotation.fieldwork.work import assigning
from annotation.fieldwork.work.ownership import Proof
from annotation.fieldwork.work.refusals import BegunInOtherSession, NotLive
from annotation.models import (
    Assignment,
    Consent,
    Exposure,
    HeldUp,
    LedgerEntry,
    Place,
    Qualified,
    ScreeningResult,
    SetApart,
    Worker,
)
from judging.answering import recording
from judging.models import Judgment
from tests.annotation.fieldwork.screening.test_scoring import answers, screening
from tests.cast import answer_all, bob, handed_in, prolific_link, proof, small_study
from tests.cast import worker as cast_worker

pytestmark = [pytest.mark.django_db, pytest.mark.storage]
AGREE = {"agree": "yes"}
FIRST, REAL = prolific_link("bob", submission="made-up"), prolific_link("bob", submission="real")


@pytest.fixture
def study():
    """One task, of all items, with room for two."""
    return small_study(responses=3, quota=2, pay=3, recruitment="prolific")


def onboarding_study(tasks):
    return small_study(
        responses=4,
        items=1,
        recruitment="prolific",
        onboarding_tasks=tasks,
        batch={"onboarding": True, "closes_when_full": False},
    )


def come(link):
    browser = Client()
    answer = browser.post(link, AGREE)
    return browser, answer.status_code


def stranger_begins(study):
    assert come(FIRST)[1] == 302
    return Assignment.objects.latest("pk")


def is_held_up(work):
    assert come(REAL)[1] == 409
    assert HeldUp.objects.waiting().get().assignment == work


def reject(work, decision="reject"):
    reviewing.decide(
        assignment=work, decision=decision, reviewer="rita", reason="So.", now=timezone.now()
    )


def release(work):
    releasing_held_up.release(work=work, user=None, now=timezone.now())
    work.refresh_from_db()


def test_in_a_study_of_one_task_the_person_gets_that_task(study):
    work = stranger_begins(study)
    is_held_up(work)
    release(work)
    assert come(REAL)[1] == 302
    mine = Assignment.objects.live().get()
    assert (mine.task, mine.worker) == (work.task, bob())
    assert work.worker != bob()
    assert SetApart.objects.get().worker == bob()
    assert Place.objects.count() == 2  # as many as before
    assert set(
        Exposure.objects.filter(worker=work.worker).values_list("assignment", flat=True)
    ) == {work.pk}
    assert Exposure.objects.filter(worker=bob()).count() == work.exposures.count()


def test_what_the_stranger_answered_stays_theirs_beside_what_the_person_answers(study):
    work = handed_in(stranger_begins(study), now=timezone.now())
    is_held_up(work)
    reject(work)
    release(work)
    come(REAL)
    mine = Assignment.objects.live().get()
    answer_all(mine, now=timezone.now())
    recording.record(
        assignment=mine, answers=[recording.GivenAnswer(1, "better", "b")], now=timezone.now()
    )
    judgments = Judgment.objects.filter(assignment=work)
    assert set(judgments.values_list("raw", "rater__worker")) == {("a", work.worker_id)}
    assert judgments.count() == Judgment.objects.filter(assignment=mine).count() == 3
    assert Judgment.objects.filter(assignment=mine, raw="b").count() == 1


def test_the_strangers_session_leads_to_what_they_did_and_to_no_turn_of_the_person(
    study,
):
    work = handed_in(stranger_begins(study), now=timezone.now())
    is_held_up(work)
    reject(work)
    release(work)
    browser, status = come(FIRST)
    assert status == 302  # to the end of their own work
    assert browser.get(f"/w/{work.token}/done/").status_code == 200
    assert not Assignment.objects.live().exists()
    assert come(REAL)[1] == 302
    browser.post(f"/w/{work.token}/withdraw/")
    work.refresh_from_db()
    assert work.state == "withdrawn"
    assert Assignment.objects.live().get().worker == bob()
    assert Consent.objects.get(worker=bob()).withdrawn_at is None
    assert Consent.objects.get(worker=work.worker).withdrawn_at


def test_all_of_the_session_is_set_apart_and_what_counts_is_decided_on_first():
    study = onboarding_study(2)
    mine = {"study": study, "worker": bob(), "proof": proof("bob", submission="made-up")}
    works = []
    for _ in range(2):
        begun = assigning.begin(
            assignment=assigning.claim(now=timezone.now(), **mine), now=timezone.now()
        )
        works.append(handed_in(begun, now=timezone.now()))
    other = proof("bob", submission="real")
    with pytest.raises(BegunInOtherSession) as refused:
        assigning.claim(study=study, worker=bob(), now=timezone.now(), proof=other)
    releasing_held_up.note(assignment=refused.value.assignment, now=timezone.now())
    held = Assignment.objects.get(pk=refused.value.assignment)
    reject(held)
    with pytest.raises(NotLive):
        release(held)
    assert not SetApart.objects.exists()
    for work in works:
        if work.pk != held.pk:
            assert releasing_held_up.held_in(study)[0].to_reject == work
            reject(work)
    release(held)
    assert len({assignment.worker_id for assignment in Assignment.objects.all()}) == 1
    assert not Assignment.objects.filter(worker=bob()).exists()


def test_what_is_owed_for_it_is_owed_to_the_stranger(study):
    work = handed_in(stranger_begins(study), now=timezone.now())
    is_held_up(work)
    reject(work, "reject_but_pay")
    release(work)
    assert LedgerEntry.objects.get(kind="approved", reversal=None).worker == work.worker
    sums = {worker.pk: 0 for worker in Worker.objects.all()}
    for ledger_entry in LedgerEntry.objects.all():
        sums[ledger_entry.worker_id] += ledger_entry.amount
    assert sums == {bob().pk: 0, work.worker_id: 600}  # owed and approved


def test_released_twice_it_is_set_apart_once(study):
    work = stranger_begins(study)
    is_held_up(work)
    for _ in range(2):
        release(work)
    assert Worker.objects.count() == 2
    with pytest.raises(IntegrityError), transaction.atomic():
        SetApart.objects.create(assignment=work, worker=bob(), at=timezone.now())


# -- What else leaves nothing for the person ----------------------------------------------------


def test_questions_that_a_stranger_answered_are_asked_of_the_person():
    small_study(quota=2, recruitment="prolific", screening=screening(gives="lamps", requires=""))
    work = stranger_begins(None)
    take(assignment=work, answers=answers(2), now=timezone.now())
    is_held_up(work)
    release(work)
    assert ScreeningResult.objects.get().worker == work.worker
    assert come(REAL)[1] == 302
    mine = Assignment.objects.live().get()
    take(assignment=mine, answers=answers(20), now=timezone.now())
    assert Qualified.objects.get().worker == bob()


def test_an_onboarding_that_a_stranger_did_is_not_the_persons():
    study = onboarding_study(1)
    work = handed_in(stranger_begins(study), now=timezone.now())
    is_held_up(work)
    reject(work)
    release(work)
    assert come(REAL)[1] == 302


def test_texts_that_a_stranger_met_are_new_to_the_person(study):
    work = stranger_begins(study)
    assigning.return_task(assignment=work, now=timezone.now() - timedelta(seconds=1))
    with pytest.raises(BegunInOtherSession):
        assigning.claim(
            study=study,
            worker=bob(),
            now=timezone.now(),
            proof=proof("bob", submission="real"),
        )
    is_held_up(work)
    release(work)
    assert come(REAL)[1] == 302


def test_all_that_a_session_did_is_set_apart_once_whichever_of_it_was_in_the_way():
    study = onboarding_study(2)
    first = stranger_begins(study)
    is_held_up(first)
    handed_in(first, now=timezone.now())
    reject(first)
    come(FIRST)  # goes on with a second task
    second = Assignment.objects.latest("pk")
    assert second != first
    now = timezone.now()
    HeldUp.objects.create(assignment=second, first_at=now, last_at=now)
    release(second)
    other = second.worker
    assert not HeldUp.objects.filter(released_at=None).exists()
    release(first)  # in another tab
    assert first.worker == other
    assert SetApart.objects.count() == 2


def test_what_was_set_apart_and_is_in_the_way_again_is_set_apart_again(study):
    work = handed_in(stranger_begins(study), now=timezone.now())
    is_held_up(work)
    reject(work)
    release(work)
    other = work.worker
    HeldUp.objects.update(released_at=None)
    release(work)
    assert work.worker != other
    assert SetApart.objects.get().worker == bob()


def test_the_stranger_reads_on_the_form_what_became_of_their_onboarding():
    study = onboarding_study(2)
    work = stranger_begins(study)
    is_held_up(work)
    handed_in(work, now=timezone.now())
    reject(work)
    release(work)
    (told,) = Client().get(FIRST).context["onboarding"].submissions
    assert (told.assignment, told.state) == (work, "rejected")
    assert not Client().get(REAL).context["onboarding"].submissions


def give(name, study, worker, *, at=None):
    qualify(workers=[worker], name=name, by="rita", now=at or timezone.now(), study=study)


def test_qualifications_that_were_given_for_the_strangers_work_go_with_it(study):
    give("before", study, bob(), at=timezone.now() - timedelta(days=1))
    work = stranger_begins(study)
    give("for this", study, bob())
    give("elsewhere", small_study(slug="elsewhere", corpus=study.corpus), bob())
    is_held_up(work)
    release(work)
    held = Qualified.objects.values_list("qualification__name", "worker")
    assert set(held) == {
        ("before", bob().pk), ("elsewhere", bob().pk), ("for this", work.worker_id)
    }  # fmt: skip


def test_they_stay_where_the_person_worked_here_too():
    study = small_study(responses=3, items=1, quota=2, recruitment="prolific")
    work = stranger_begins(study)
    Assignment.objects.filter(pk=work.pk).update(state="expired", ended_at=timezone.now())
    free = Place.objects.filter(assignment=None, task__batch__study=study)
    other = free.exclude(task=work.task_id).order_by("pk")[0].task
    own = assigning.assign(task=other, worker=bob(), now=timezone.now(), meet_again=True)
    Assignment.objects.filter(pk=own.pk).update(
        state="returned", started_at=timezone.now(), ended_at=timezone.now(), session_hash="own"
    )
    give("for this", study, bob())
    HeldUp.objects.create(assignment=work, first_at=timezone.now(), last_at=timezone.now())
    release(work)
    assert work.worker != bob()
    assert Qualified.objects.get().worker == bob()


def test_as_many_queries_for_many_who_are_held_up(study, django_assert_num_queries):
    def hold(name):
        work = assigning.claim(
            study=study, worker=cast_worker(name), now=timezone.now(), proof=proof(name)
        )
        HeldUp.objects.create(assignment=work, first_at=timezone.now(), last_at=timezone.now())
        return work

    hold("one")
    with CaptureQueriesContext(connection) as asked:
        releasing_held_up.held_in(study)
    hold("two")
    with django_assert_num_queries(len(asked)):
        assert len(releasing_held_up.held_in(study)) == 2


@given(
    mine=st.tuples(*[st.sampled_from(["", "a", "b"])] * 2, st.booleans()),
    other=st.tuples(*[st.sampled_from(["", "a", "b"])] * 2, st.booleans()),
)
@settings(
    max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
def test_whose_work_it_is_is_the_same_at_hand_and_in_the_database(study, mine, other):
    names = ("session_hash", "browser_hash", "signed")
    with transaction.atomic():
        work = assigning.claim(study=study, worker=bob(), now=timezone.now())
        rows = Assignment.objects.filter(pk=work.pk)
        rows.update(**dict(zip(names, other, strict=True)))
        proof_of_mine = Proof(*mine)
        assert proof_of_mine.owns(rows.get()) == rows.filter(proof_of_mine.owned).exists()
        transaction.set_rollback(True)
