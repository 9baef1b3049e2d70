"""Work that was accepted elsewhere: an import takes it over, each at its own time."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.fieldwork.review import reviewing
from annotation.fieldwork.review.importing_reviews import accept_each
from annotation.fieldwork.review.reviewing import CannotReview
from annotation.models import LedgerEntry, ReviewAct, ReviewDecision
from tests.cast import HOUR, NOW, begun, bob, charlie, small_study, submitted

pytestmark = [pytest.mark.django_db, pytest.mark.storage]
LATER = NOW + HOUR


def two_works():
    study = small_study(quota=2, batch={"closes_when_full": False})
    return study, submitted(study, bob()), submitted(study, charlie())


def another_study(study):
    return small_study(
        slug="others", corpus=study.corpus, quota=2, batch={"closes_when_full": False}
    )


def left():
    """Return the remaining decisions, by worker."""
    decisions = ReviewDecision.objects.select_related("assignment__worker", "act").order_by("pk")
    entries = LedgerEntry.objects.order_by("kind").values_list("assignment", "kind", "amount")
    return [
        (
            *(
                decision.assignment.worker.pseudonym,
                decision.assignment.state,
                decision.assignment.ended_at,
            ),
            *(
                decision.decision,
                decision.reason,
                decision.reviewer,
                decision.decided_at,
                decision.submitted_at,
            ),
            *(
                decision.act.decision,
                decision.act.reviewer,
                decision.act.made_at,
                decision.act.decisions.count(),
            ),
            *(row[1:] for row in entries if row[0] == decision.assignment_id),
        )
        for decision in decisions
    ]


def test_it_leaves_what_deciding_on_one_after_the_other_leaves():
    study, bobs, charlies = two_works()
    accept_each(
        study=study,
        at={charlies.pk: LATER, bobs.pk: LATER + timedelta(minutes=1)},
        reviewer="published corpus",
    )
    together = left()
    assert [each[:3] for each in together] == [
        (charlies.worker.pseudonym, "accepted", LATER),
        (bobs.worker.pseudonym, "accepted", LATER + timedelta(minutes=1)),
    ]
    others = another_study(study)
    for person, now in ((charlie(), LATER), (bob(), LATER + timedelta(minutes=1))):
        reviewing.decide(
            assignment=submitted(others, person),
            decision=ReviewDecision.Decision.ACCEPT,
            reviewer="published corpus",
            now=now,
        )
    assert left()[2:] == together


def test_work_that_is_not_handed_in_is_not_accepted_and_nothing_is():
    study = small_study(quota=2, batch={"closes_when_full": False})
    handed_in, open_work = submitted(study, bob()), begun(study, charlie())
    with pytest.raises(CannotReview):
        accept_each(study=study, at=dict.fromkeys([handed_in.pk, open_work.pk], NOW), reviewer="r")
    assert not ReviewDecision.objects.exists()
    handed_in.refresh_from_db()
    assert handed_in.state == "submitted"


def test_two_take_as_many_queries_as_one():
    study, bobs, _ = two_works()
    with CaptureQueriesContext(connection) as of_one:
        accept_each(study=study, at={bobs.pk: NOW}, reviewer="r")
    others = another_study(study)
    works = [submitted(others, bob()), submitted(others, charlie())]
    with CaptureQueriesContext(connection) as of_two:
        accept_each(study=others, at=dict.fromkeys([work.pk for work in works], NOW), reviewer="r")
    assert len(of_two) == len(of_one)


def test_where_nothing_came_in_nothing_is_accepted():
    accept_each(study=small_study(), at={}, reviewer="r")
    assert not ReviewAct.objects.exists()
