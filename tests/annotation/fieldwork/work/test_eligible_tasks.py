"""Onboarding before any other task: who gets what, and what those are told who get nothing."""

import pytest
from django.db import IntegrityError, transaction

from annotation.fieldwork.review import reviewing
from annotation.fieldwork.work import assigning
from annotation.fieldwork.work.eligible_tasks import onboarding_progress
from annotation.fieldwork.work.refusals import (
    BeingRead,
    CapReached,
    NoTaskLeft,
    NothingNew,
    NothingOpenYet,
    NotLive,
    OnboardingOver,
    StudyNotOpen,
)
from annotation.models import Assignment, Batch, ReviewDecision, Study
from annotation.studies import batching
from annotation.studies.batching import NotReady
from annotation.studies.creating import next_batch
from tests import cast
from tests.annotation.fieldwork.work import invariants
from tests.cast import (
    HOUR,
    MINUTE,
    NOW,
    alice,
    begun,
    bob,
    charlie,
    draft_study,
    onboarding_study,
    worker,
)
from tests.coded_errors import raises
from writing.instruments import files as instruments
from writing.studies import designing

Decision = ReviewDecision.Decision
pytestmark = [pytest.mark.django_db, pytest.mark.storage]


def claim(study, person, now=NOW):
    return assigning.claim(study=study, worker=person, now=now)


def handed_in(study, person, *, now=NOW):
    return cast.handed_in(begun(study, person, now=now), now=now + 20 * MINUTE)


def decide(assignment, decision, reason="Cite what you say."):
    reviewing.decide(
        assignment=assignment, decision=decision, reviewer="rita", reason=reason, now=NOW + HOUR
    )
    return assignment


def accepted(study, person):
    return decide(handed_in(study, person), Decision.ACCEPT)


def passed(study, person):
    for _ in range(study.onboarding_tasks):
        accepted(study, person)
    return person


def where(assignment):
    return (assignment.task.batch.name, assignment.task.number)


# -- Who is eligible for what -----------------------------------------------------------------


def test_newcomers_do_onboarding_and_who_passed_the_rest():
    study = onboarding_study(tasks_per_worker=2)
    done = []
    for _ in range(4):
        done.append(where(accepted(study, alice())))
    assert done == [("onboarding", 1), ("onboarding", 2), ("main", 1), ("main", 2)]
    with pytest.raises(CapReached, match=r"\b2\b"):
        claim(study, alice())
    invariants.check(study)


def test_a_study_without_onboarding_asks_for_none():
    assert onboarding_progress(study=draft_study(), worker=bob()).passed


def test_the_next_onboarding_task_comes_before_the_last_one_is_read():
    study = onboarding_study()
    assert where(handed_in(study, alice())) == ("onboarding", 1)
    assert where(claim(study, alice())) == ("onboarding", 2)


def test_worker_waits_for_review_after_enough_submissions():
    study = onboarding_study(offered=3)
    handed_in(study, alice())
    decide(handed_in(study, alice()), Decision.ACCEPT)
    with pytest.raises(BeingRead):
        claim(study, alice())


def test_a_rejected_one_is_made_up_for_by_another_that_is_offered():
    study = onboarding_study(offered=3)
    decide(handed_in(study, alice()), Decision.REJECT)
    assert where(accepted(study, alice())) == ("onboarding", 2)
    assert where(accepted(study, alice())) == ("onboarding", 3)
    assert where(claim(study, alice())) == ("main", 1)


@pytest.mark.parametrize("decision", [Decision.REJECT, Decision.REJECT_BUT_PAY])
def test_worker_who_can_no_longer_pass_is_told_before_working(decision):
    study = onboarding_study()
    first = decide(handed_in(study, alice()), decision)
    with pytest.raises(OnboardingOver, match=r"\b2\b"):
        claim(study, alice())
    decide(first, Decision.ACCEPT)  # the reviewer thinks again
    assert where(claim(study, alice())) == ("onboarding", 2)


def test_a_returned_onboarding_task_is_gone():
    study = onboarding_study()
    assigning.return_task(assignment=claim(study, alice()), now=NOW)
    with pytest.raises(OnboardingOver):
        claim(study, alice())


def test_an_acceptance_that_is_taken_back_takes_the_other_tasks_back():
    study = onboarding_study(offered=3, tasks_per_worker=3)
    first, _ = accepted(study, alice()), accepted(study, alice())
    at_work = begun(study, alice())
    decide(first, Decision.REJECT)
    assert claim(study, alice()) == at_work  # what they are at goes on
    cast.handed_in(at_work, now=NOW)
    assert where(claim(study, alice())) == ("onboarding", 3)


def test_a_text_to_be_redone_counts_when_it_is_accepted():
    study = onboarding_study(onboarding=1)
    work = decide(handed_in(study, alice()), Decision.REDO)
    assert claim(study, alice()) == work
    cast.handed_in(work, now=NOW + 2 * HOUR)
    with pytest.raises(BeingRead):
        claim(study, alice())
    decide(work, Decision.ACCEPT)
    assert where(claim(study, alice())) == ("main", 1)


def test_texts_accepted_in_an_earlier_version_count():
    passed(onboarding_study(), alice())
    earlier = Study.objects.get()
    later = designing.create_study(
        slug=earlier.slug, title="Letters", corpus=earlier.corpus, version=2, seed=1,
        instrument=instruments.load("crowdrag-writing"), contact="Rita.", onboarding_tasks=2,
    )  # fmt: skip
    topics = list(earlier.corpus.topics.order_by("pk"))
    for batch in (
        designing.write_onboarding(study=later, topics=topics[:2]),
        designing.write_tasks(study=later, topics=topics[2:], styles=["essay"]),
    ):
        batching.open_batch(batch=batch, now=NOW)
    assert where(claim(later, alice())) == ("main", 1)


# -- Batches that are not open ----------------------------------------------------------------


def test_closed_onboarding_admits_only_workers_who_passed():
    study = onboarding_study(writers=3)
    passed(study, alice())
    handed_in(study, bob())
    batching.close_batch(batch=study.batches.get(onboarding=True), now=NOW)
    assert where(claim(study, alice())) == ("main", 1)
    with pytest.raises(OnboardingOver):
        claim(study, bob())
    with pytest.raises(StudyNotOpen):
        claim(study, charlie())


def test_passed_worker_is_told_to_return_when_no_batch_is_open():
    study = onboarding_study()
    batching.close_batch(batch=study.batches.get(onboarding=False), now=NOW)
    passed(study, alice())
    with pytest.raises(NothingOpenYet):
        claim(study, alice())


def test_passed_worker_who_saw_every_topic_is_told():
    study = onboarding_study(topics=1, tasks_per_worker=5)
    passed(study, alice())
    Batch.objects.filter(onboarding=False).update(closes_when_full=False)
    handed_in(study, alice())
    with pytest.raises(NothingNew):
        claim(study, alice())


def test_an_onboarding_batch_that_is_full_stays_open():
    study = onboarding_study()
    last = [handed_in(study, alice()) for _ in range(2)][-1]
    assert batching.close_due(now=NOW + HOUR) == 0
    assert study.batches.get(onboarding=True).state == "open"
    decide(last, Decision.REJECT)
    full = pytest.raises(IntegrityError, match="onboarding_does_not_close_when_full")
    with full, transaction.atomic():
        study.batches.filter(onboarding=True).update(closes_when_full=True)


@pytest.mark.parametrize(
    ("needed", "topics", "code", "numbers"),
    [(0, 2, "no_onboarding", ""), (3, 2, "few_onboarding_tasks", "3 .* 2")],
)
def test_an_onboarding_that_leads_nowhere_does_not_open(needed, topics, code, numbers):
    study = onboarding_study()
    Study.objects.update(onboarding_tasks=needed)
    fresh = next_batch(study=Study.objects.get(), name="again", onboarding=True)
    study.batches.get(name="onboarding").tasks.update(batch=fresh)
    with raises(NotReady, code, numbers):
        batching.open_batch(batch=fresh, now=NOW)


def test_the_other_tasks_do_not_open_before_the_onboarding():
    study = onboarding_study()
    Batch.objects.filter(onboarding=True).update(state="draft", opened_at=None)
    topics = list(study.corpus.topics.all())
    further = designing.write_tasks(study=study, topics=topics, name="further")
    with raises(NotReady, "onboarding_first"):
        batching.open_batch(batch=further, now=NOW)


# -- Room for who begins ----------------------------------------------------------------------


def test_newcomer_gets_no_place_that_others_still_need():
    """Without this rule the second to come would take the second task of the first."""
    study = onboarding_study(onboarding=3, writers=2)
    people = [worker(f"w{n}") for n in range(4)]
    begun_by = [claim(study, person) for person in people[:2]]
    assert [where(submission) for submission in begun_by] == [("onboarding", 1)] * 2
    for person in people[2:]:
        with pytest.raises(NoTaskLeft):
            claim(study, person)
    for person in people[:2]:
        passed(study, person)
    assert onboarding_progress(study=study, worker=people[1]).passed


def test_a_place_that_a_rejection_frees_does_not_let_in_who_could_not_finish():
    """The second task has one free place, and Bob is on his way to it."""
    study = onboarding_study(writers=2)
    first = handed_in(study, alice())
    handed_in(study, alice())
    handed_in(study, bob())
    decide(first, Decision.REJECT)
    with pytest.raises(NoTaskLeft):
        claim(study, charlie())
    assert where(claim(study, bob())) == ("onboarding", 2)


def test_rejected_worker_who_can_still_pass_gets_a_place():
    study = onboarding_study(offered=3)
    decide(handed_in(study, alice()), Decision.REJECT)
    with pytest.raises(NoTaskLeft):
        claim(study, bob())
    assert where(claim(study, alice())) == ("onboarding", 2)


def test_somebody_else_begins_where_who_began_stops():
    study = onboarding_study()
    first = claim(study, alice())
    with pytest.raises(NoTaskLeft):
        claim(study, bob())
    assigning.return_task(assignment=first, now=NOW)
    assert where(claim(study, bob())) == ("onboarding", 1)


def test_the_places_of_who_cannot_pass_any_more_are_free_for_others():
    study = onboarding_study()
    decide(handed_in(study, alice()), Decision.REJECT)
    passed(study, bob())
    assert where(claim(study, bob())) == ("main", 1)


def test_late_worker_continues_unless_another_began_meanwhile():
    study = onboarding_study()
    mine = begun(study, alice())
    late = mine.expires_at
    assigning.expire_due(now=late)
    theirs = claim(study, bob(), now=late)
    with pytest.raises(NoTaskLeft):
        claim(study, alice(), now=late)
    assigning.return_task(assignment=theirs, now=late)
    assert claim(study, alice(), now=late) == mine


# -- Going on with work that ran out of time --------------------------------------------------


def test_onboarding_is_not_gone_on_with_by_who_waits_or_passed():
    study = onboarding_study(offered=3)
    late = begun(study, alice())
    assigning.expire_due(now=late.expires_at)
    Assignment.objects.filter(pk=late.pk).update(task=study.batches.first().tasks.last())
    works = [handed_in_another(study, alice(), number) for number in (1, 2)]
    for decision in (None, Decision.ACCEPT):
        for work in works if decision else ():
            decide(work, decision)
        with pytest.raises(NotLive):
            assigning.revive(assignment=late, now=NOW)


def handed_in_another(study, person, number):
    """Handed in on a task that was chosen for them."""
    task = study.batches.get(onboarding=True).tasks.get(number=number)
    work = assigning.assign(task=task, worker=person, now=NOW, meet_again=True)
    assigning.begin(assignment=work, now=NOW)
    return cast.handed_in(work, now=NOW)


def test_other_work_is_not_gone_on_with_by_who_has_not_passed_any_more():
    study = onboarding_study(onboarding=1)
    first = accepted(study, alice())
    late = begun(study, alice())
    assigning.expire_due(now=late.expires_at)
    decide(first, Decision.REJECT)
    with pytest.raises(NotLive):
        assigning.revive(assignment=late, now=NOW)
    decide(first, Decision.ACCEPT)
    assert assigning.revive(assignment=late, now=NOW).is_live


def test_onboarding_does_not_count_towards_the_cap_and_goes_on_beside_it():
    study = onboarding_study()
    late = begun(study, alice())
    assigning.expire_due(now=late.expires_at)
    assert assigning.revive(assignment=late, now=NOW).is_live


# -- What the worker reads --------------------------------------------------------------------


def test_the_standing_says_what_became_of_each_work():
    study = onboarding_study(onboarding=4)
    first = decide(handed_in(study, alice()), Decision.ACCEPT, "Well done.")
    second, third = handed_in(study, alice()), handed_in(study, alice())
    decide(second, Decision.REDO)
    progress = onboarding_progress(study=study, worker=alice())
    assert [(work.state, work.feedback) for work in progress.submissions] == [
        ("accepted", "Well done."), ("redo", "Cite what you say."), ("waiting", ""),
    ]  # fmt: skip
    assert (progress.accepted, progress.waiting, progress.passed) == (1, 1, False)
    assert [work.assignment for work in progress.submissions] == [first, second, third]
    cast.handed_in(second, now=NOW + 2 * HOUR)
    assert onboarding_progress(study=study, worker=alice()).submissions[1].feedback == ""
