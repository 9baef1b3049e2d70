"""Many decisions in one go: all or nothing, in as many queries as one, and taken back together."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.fieldwork.review import effects, reviewing, undoing
from annotation.fieldwork.review.reviewing import CannotReview, DecidedMeanwhile, DecisionsRefused
from annotation.fieldwork.work import assigning
from annotation.fieldwork.work.refusals import NothingNew
from annotation.models import Assignment, Place, ReviewAct, ReviewDecision
from tests.cast import (
    HOUR,
    MINUTE,
    NOW,
    begun,
    charlie,
    handed_in,
    small_study,
    submitted,
    worker,
    writing_study,
)
from tests.coded_errors import raises
from writing.models import LogChunk

Decision = ReviewDecision.Decision
State = Assignment.State
LATER = NOW + HOUR
pytestmark = [pytest.mark.django_db, pytest.mark.storage]


@pytest.fixture
def works():
    study = small_study(quota=4, pay=3, batch={"closes_when_full": False})
    return [submitted(study, worker(f"w{n}")) for n in range(3)]


def decide_all(works, decision, *, seen=None, reviewer="rita"):
    return reviewing.decide_all(
        study=works[0].study,
        works=[work.pk for work in works],
        decision=decision,
        reviewer=reviewer,
        now=LATER,
        reason="Nothing was read.",
        seen=seen,
    )


def undo(act, *, reviewer="rita"):
    return undoing.undo(act=act, reviewer=reviewer, now=LATER + MINUTE)


def states(works):
    return [Assignment.objects.get(pk=work.pk).state for work in works]


def test_work_is_decided_on_together(works):
    act = decide_all(works, Decision.ACCEPT)
    assert states(works) == ["accepted"] * 3
    assert act.decisions.count() == 3
    assert {decision.reviewer for decision in act.decisions.all()} == {"rita"}


def test_nothing_is_decided_where_one_cannot_be(works):
    decide_all(works[:1], Decision.ACCEPT)
    with pytest.raises(DecisionsRefused) as refused:
        decide_all(works, Decision.ACCEPT)
    assert list(refused.value.faults) == [works[0].pk]
    assert states(works) == ["accepted", "submitted", "submitted"]


def test_of_two_reviewers_the_slower_one_changes_nothing(works):
    seen = dict.fromkeys((work.pk for work in works), 0)
    decide_all(works[:1], Decision.REJECT, reviewer="boris", seen=seen)
    with raises(DecidedMeanwhile, "decided_since", match="boris"):
        decide_all(works, Decision.ACCEPT, seen=seen)
    assert states(works) == ["rejected", "submitted", "submitted"]


def test_work_of_another_study_is_not_decided_on_along(works):
    other = submitted(small_study(slug="others", corpus=works[0].study.corpus), worker("zoe"))
    with raises(CannotReview, "other_study"):
        decide_all([*works, other], Decision.ACCEPT)


def test_an_act_is_taken_back_with_all_that_it_did(works):
    act = decide_all(works, Decision.REJECT)
    assert Place.objects.filter(assignment=None).count() == 4
    undone = undo(act)
    assert states(works) == ["submitted"] * 3
    assert Place.objects.filter(assignment=None).count() == 1
    assert undone.undoes == act
    assert [decision.decision for decision in works[0].decisions.all()] == ["reject", "reopen"]
    assert Assignment.objects.get(pk=works[0].pk).ended_at is None


def test_an_undo_gives_earlier_decisions_back(works):
    decide_all(works[:2], Decision.ACCEPT)
    undo(decide_all(works, Decision.REJECT))
    assert states(works) == ["accepted", "accepted", "submitted"]
    undo(decide_all(works[:1], Decision.REJECT_BUT_PAY))
    assert states(works) == ["accepted", "accepted", "submitted"]


def test_an_act_is_taken_back_once(works):
    act = decide_all(works, Decision.ACCEPT)
    undone = undo(act)
    with raises(CannotReview, "already_undone"):
        undo(act)
    with raises(CannotReview, "not_undoable"):
        undo(undone)


def test_nothing_is_taken_back_after_somebody_decided_on_a_part_of_it(works):
    act = decide_all(works, Decision.ACCEPT)
    decide_all(works[:1], Decision.REJECT, reviewer="boris")
    with raises(DecisionsRefused, "decided_since", match="boris .* w0"):
        undo(act)
    assert states(works) == ["rejected", "accepted", "accepted"]


def test_a_rejection_is_not_taken_back_when_somebody_took_the_place(works):
    act = decide_all(works[:1], Decision.REJECT)
    for name in ("charlie", "dora"):
        assigning.claim(study=works[0].study, worker=worker(name), now=LATER)
    with raises(CannotReview, "place_taken"):
        undo(act)
    assert ReviewAct.objects.count() == 1


def test_rejected_judgments_are_done_again_by_somebody_else_and_not_by_the_same_person(works):
    decide_all(works[:1], Decision.REJECT)
    study = works[0].study
    study.tasks_per_worker = 5
    assert assigning.claim(study=study, worker=charlie(), now=LATER).task == works[0].task
    with pytest.raises(NothingNew):
        assigning.claim(study=study, worker=works[0].worker, now=LATER)


def test_a_redo_is_taken_back_until_its_writer_has_begun():
    study = writing_study(topics=2)
    texts = [handed_in(begun(study, worker(name))) for name in ("alice", "bob")]
    handed = texts[0].submitted_at
    undo(decide_all(texts, Decision.REDO))
    assert states(texts) == ["submitted", "submitted"]
    assert Assignment.objects.get(pk=texts[0].pk).submitted_at == handed
    act = decide_all(texts, Decision.REDO)
    LogChunk.objects.create(
        assignment=texts[0], number=1, first_seq=1, last_seq=1, first_ms=0, last_ms=1,
        log_bytes=0, data=b"", received_at=LATER + timedelta(seconds=1),
    )  # fmt: skip
    with raises(CannotReview, "redo_begun", match="alice"):
        undo(act)
    assert states(texts) == ["active", "active"]


def test_a_worker_redoes_one_text_at_a_time():
    study = writing_study(topics=2, cap=2)
    texts = [handed_in(begun(study, worker("alice"))) for _ in range(2)]
    with raises(DecisionsRefused, "worker_busy"):
        decide_all(texts, Decision.REDO)
    assert states(texts) == ["submitted", "submitted"]


@pytest.mark.parametrize(
    ("decision", "pays", "frees"),
    [("accept", 9, 0), ("reject_but_pay", 9, 3), ("reject", 0, 3)],
)
def test_what_a_decision_would_do_is_counted_before(works, decision, pays, frees):
    effect = effects.effect_of(
        study=works[0].study, works=[work.pk for work in works], decision=decision
    )
    assert (effect.n, effect.workers, effect.states) == (3, 3, {"submitted": 3})
    assert (effect.pays, effect.paid, effect.frees) == (pays, 9, frees)


def test_many_are_decided_and_taken_back_in_as_many_queries_as_one():
    """The ledger, which follows, included."""
    study = small_study(quota=40, batch={"closes_when_full": False})
    works = [submitted(study, worker(f"w{n}")) for n in range(31)]
    counts = []
    for some in (works[:1], works[1:]):
        with CaptureQueriesContext(
            connection,
        ) as decided:
            act = decide_all(some, Decision.REJECT)
        with CaptureQueriesContext(connection) as undone:
            undo(act)
        counts.append((len(decided), len(undone)))
    assert counts[0] == counts[1]
    assert max(counts[0]) < 24
