"""Start a coding of a study's comments, and add newer comments to it."""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Max

from annotation.models import Assignment, Study
from annotation.people import access
from annotation.refusals import Refusal
from annotation.texts.sentences import Sentence
from judging.coding.comments import comments_of
from judging.models import Codebook, CodebookVersion, Coding, CodingUnit

BATCH = 500
State = Assignment.State
OPEN = (State.ARRIVED, State.ACTIVE)  # their comments may still change


def start(
    *,
    study: Study,
    version: CodebookVersion,
    name: str,
    kinds: Collection[str],
    by: Any,
    now: datetime,
) -> Coding:
    """Start a coding of the comments of these kinds. Raises Refusal."""
    name = name.strip()[:100]
    kinds = [kind for kind in CodingUnit.Kind.values if kind in kinds]
    if not name or not kinds:
        raise Refusal("CodingIncomplete", Sentence("Enter a name and choose comments."), status=422)
    taken = Refusal("CodingName", Sentence("This name is already in use."), status=422)
    try:
        with transaction.atomic():
            coding = Coding.objects.create(
                study=study, version=version, name=name, kinds=kinds, made_by=by, made_at=now
            )
            if not gather(coding=coding):
                raise Refusal(
                    "NothingToCode", Sentence("There are no comments of this type yet."), status=422
                )
            access.record(user=by, act="started a coding", what=name, of=study)
    except IntegrityError as error:
        raise taken from error
    return coding


@transaction.atomic
def gather(*, coding: Coding) -> int:
    """Add comments of finished work that the coding lacks; return their number.

    Raises Refusal once the coding is closed.
    """
    lock(coding)
    coded = set(coding.units.values_list("source", flat=True))
    finished = Assignment.objects.filter(study=coding.study).exclude(state__in=OPEN)
    works = set(finished.values_list("pk", flat=True))
    last = coding.units.aggregate(last=Max("position"))["last"] or 0
    units = [
        CodingUnit(
            coding=coding,
            kind=comment.kind,
            source=comment.source,
            text=comment.text,
            question=comment.question,
            assignment_id=comment.assignment,
            item_id=comment.item,
            instrument_id=comment.instrument,
        )
        for comment in comments_of(coding.study, kinds=coding.kinds)
        if comment.source not in coded and comment.assignment in works
    ]
    for position, unit in enumerate(units, start=last + 1):
        unit.position = position
    CodingUnit.objects.bulk_create(units, batch_size=BATCH)
    return len(units)


def lock(coding: Coding) -> Coding:
    """Lock an open coding until the transaction ends. Raises Refusal if it is closed."""
    current = Coding.objects.select_for_update().get(pk=coding.pk)
    if current.closed_at is not None:
        raise Refusal("CodingClosed", Sentence("This coding is closed."))
    return current


def newest_versions(study: Study) -> list[CodebookVersion]:
    """Return the newest version of each codebook of the study's team."""
    books = Codebook.objects.filter(team=study.team_id).order_by("name")
    versions = (book.versions.order_by("-number").first() for book in books)
    return [version for version in versions if version is not None]
