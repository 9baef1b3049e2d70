"""Imports of work that was done and accepted elsewhere, each submission at its own time."""

from collections.abc import Mapping
from datetime import datetime
from itertools import islice

from django.db import transaction
from django.db.models import OuterRef, Subquery
from django.utils.translation import gettext

from annotation import signals
from annotation.bulk_inserting import insert_all
from annotation.fieldwork.review.reviewing import MAX_AT_ONCE, CannotReview, look_at
from annotation.models import Assignment, Batch, ReviewAct, ReviewDecision, Study
from annotation.studies import batching

ACCEPT = ReviewDecision.Decision.ACCEPT
State = Assignment.State


def open_for_import(*, batch: Batch, began: datetime) -> Batch:
    """Open a batch for published work; it stays open until the import closes it."""
    Batch.objects.filter(pk=batch.pk).update(closes_when_full=False)
    return batching.open_batch(batch=batch, now=began)


def accept(*, study: Study, submitted: Mapping[int, datetime]) -> None:
    """Accept all work of the published corpus at its time of submission."""
    accept_each(study=study, at=submitted, reviewer="published corpus")


@transaction.atomic
def accept_each(*, study: Study, at: Mapping[int, datetime], reviewer: str) -> None:
    """Accept submitted work, by ID, each at its own time. Raises CannotReview.

    It leaves what `reviewing.decide` would leave, in as few queries for hundreds as for one.
    """
    left = iter(at)
    while some := list(islice(left, MAX_AT_ONCE)):
        _accept(study, {pk: at[pk] for pk in some}, reviewer)


def _accept(study: Study, at: Mapping[int, datetime], reviewer: str) -> None:
    by_pk = {work.pk: work for work in look_at(study=study, works=list(at))[0]}
    works = [by_pk[pk] for pk in at]
    acts = insert_all(
        ReviewAct(study=study, decision=ACCEPT, reviewer=reviewer, made_at=at[work.pk])
        for work in works
    )
    decisions = insert_all(
        ReviewDecision(
            assignment=work,
            decision=ACCEPT,
            reviewer=reviewer,
            decided_at=act.made_at,
            submitted_at=work.submitted_at,
            act=act,
        )
        for work, act in zip(works, acts, strict=True)
    )
    mine = ReviewDecision.objects.filter(assignment=OuterRef("pk")).order_by("-pk")
    rows = Assignment.objects.filter(pk__in=by_pk, state=State.SUBMITTED)
    times = Subquery(mine.values("decided_at")[:1])
    if rows.update(state=State.ACCEPTED, ended_at=times) != len(works):
        raise CannotReview("just_changed", gettext("The submissions changed. Check them again."))
    for work, decision in zip(works, decisions, strict=True):
        work.state, work.ended_at = State.ACCEPTED, decision.decided_at
    signals.all_decided.send(sender=Assignment, assignments=works, decisions=decisions)
