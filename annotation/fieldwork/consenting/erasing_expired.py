"""Erasure of study data on the promised date, and the notice of it."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Any

from django.db.models import Q
from django.dispatch import receiver
from django.urls import reverse
from django.utils.translation import gettext

from annotation import signals
from annotation.clock import database_now
from annotation.fieldwork.consenting.erasing_study_data import CannotForget, forget
from annotation.models import Assignment, Demographics, Keeping, Study
from annotation.people.access.roles import Act
from annotation.studies.setting_retention import NAMES, RetentionPeriod, retention_of
from annotation.studies.waiting_notices import WaitingNotice

NOTICE = timedelta(days=14)  # that early the overview says what is going to be erased


def sweep(*, now: datetime) -> int:
    """Erase data whose date has passed and that nothing needs any more; return how many kinds."""
    done = 0
    for keeping in _dated(Keeping.objects.select_related("study")):
        for period in (retention_of(keeping, kind) for kind in NAMES):
            if period.until is None or period.erased_at or now.date() <= period.until:
                continue
            try:
                forget(
                    study=keeping.study, what=period.what, now=now, why=("Retention period ended.")
                )
            except CannotForget:
                continue  # the overview says so
            done += 1
    return done


def _dated(rows: Any) -> Any:
    due = Q()
    for kind in NAMES:
        due |= Q(**{f"{kind}_until__isnull": False, f"{kind}_erased_at": None})
    return rows.filter(due)


@receiver(signals.waiting)
def tell_due(*, studies: Sequence[Study], **_: Any) -> dict[int, WaitingNotice]:
    """Return what is erased soon or could not be erased, by study; one query."""
    today = database_now().date()
    waiting_by_study: dict[int, WaitingNotice] = {}
    by_pk = {study.pk: study for study in studies}
    for keeping in _dated(Keeping.objects.filter(study__in=studies)):
        dated = [retention_of(keeping, kind) for kind in NAMES]
        soon = [
            period
            for period in dated
            if period.until and not period.erased_at and period.until <= today + NOTICE
        ]
        if soon:
            waiting_by_study[keeping.study_id] = _waiting(by_pk[keeping.study_id], soon, today)
    return waiting_by_study


def _waiting(study: Study, soon: list[RetentionPeriod], today: date) -> WaitingNotice:
    late = [period for period in soon if period.until and period.until < today]
    names = ", ".join(
        gettext("{name} after {until:%-d %B %Y}").format(name=period.name, until=period.until)
        for period in late or soon
    )
    if late:
        sentence = gettext("Still needed, so not erased: {said}. See why.").format(said=names)
    else:
        sentence = gettext("Will be erased: {said}. Export or pay first.").format(said=names)
    address = reverse("study_data", args=[study.slug, study.version])
    return WaitingNotice(
        sentence,
        gettext("data due for erasure"),
        gettext("View data retention"),
        address,
        Act.RUN,
        bool(late),
        code="erasure_late" if late else "erasure_soon",
    )


@receiver(signals.withdrawn)
def erase_demographics(*, assignment: Assignment, **_: Any) -> None:
    """Erase the demographic data of a worker who withdraws."""
    Demographics.objects.filter(assignment=assignment).delete()
