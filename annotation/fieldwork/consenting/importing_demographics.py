"""Import of a platform's demographic data under the pseudonyms of a study."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext

from annotation.fieldwork.consenting.demographics import (
    BadDemographics,
    DemographicCounts,
    DemographicsRow,
    read,
    sample_of,
)
from annotation.fieldwork.work.ownership import proof_of
from annotation.models import Assignment, Demographics, Keeping, Study
from annotation.people import access
from annotation.people.pseudonyms import hashed

PROLIFIC = "prolific"


@dataclass(frozen=True)
class ImportedDemographics:
    """Numbers of an import: people, unknown submissions, and people who withdrew."""

    people: int
    unknown: list[str]
    withdrawn: int


@transaction.atomic
def describe(
    *, study: Study, data: bytes, now: datetime, user: User | None
) -> ImportedDemographics:
    """Import the whole file or nothing, and replace earlier data. Raises BadDemographics."""
    Study.every.select_for_update(no_key=True).get(pk=study.pk)
    erased = Keeping.objects.filter(study=study, demographics_erased_at__isnull=False)
    if erased.exists():
        raise BadDemographics(
            [gettext("This study's demographic data was erased. You can't import it again.")]
        )
    lines = read(data)
    works = _works(study, lines)
    if faults := [_swapped(line) for line in lines if _is_swapped(line, works)]:
        raise BadDemographics(faults)
    unknown = [line.submission for line in lines if line.submission not in works]
    people, withdrawn = set(), set()
    for line in lines:
        for work in works.get(line.submission, ()):
            if work.state == Assignment.State.WITHDRAWN:
                withdrawn.add(work.worker_id)
                continue
            people.add(work.worker_id)
            Demographics.objects.update_or_create(
                assignment=work, defaults={"said": line.said, "imported_at": now}
            )
    access.record(
        user=user, act="imported demographic data", what=f"{len(people)} people", of=study
    )
    return ImportedDemographics(len(people), unknown, len(withdrawn))


def _works(study: Study, lines: list[DemographicsRow]) -> dict[str, list[Assignment]]:
    """Return the work of each submission, locked against withdrawals."""
    by_hash = {
        proof_of(platform=PROLIFIC, submission=line.submission, browser="").session: line
        for line in lines
    }
    rows = Assignment.objects.filter(study=study, session_hash__in=by_hash)
    works_by_submission: dict[str, list[Assignment]] = {}
    rows = rows.select_related("worker").select_for_update(of=("self",), no_key=True)
    for work in rows.order_by("pk"):
        works_by_submission.setdefault(by_hash[work.session_hash].submission, []).append(work)
    return works_by_submission


def _is_swapped(line: DemographicsRow, works: Mapping[str, list[Assignment]]) -> bool:
    person = hashed(platform=PROLIFIC, external_id=line.participant)
    return any(work.worker.external_hash != person for work in works.get(line.submission, ()))


def _swapped(line: DemographicsRow) -> str:
    return gettext("Line {number}: this submission belongs to another participant.").format(
        number=line.number
    )


def sample(study: Study) -> list[DemographicCounts]:
    """Return the sample as a table, each person once."""
    rows = Demographics.objects.filter(assignment__study=study).order_by("assignment")
    return sample_of(dict(rows.values_list("assignment__worker", "said")).values())
