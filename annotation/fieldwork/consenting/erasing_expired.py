"""Retention by date: until when a study keeps what, and the sweep that erases what is due."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Any

from django.db.models import Q
from django.dispatch import receiver
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext

from annotation import signals
from annotation.fieldwork.consenting.erasing_study_data import CannotForget, forget
from annotation.models import Assignment, Demographics, Keeping, Study
from annotation.people.access.roles import Act
from annotation.studies.setting_retention import NAMES, RetentionPeriod, retention_of
from annotation.studies.waiting import WaitingNotice

NOTICE = timedelta(days=14)  # that early the overview says what is going to be erased


def sweep(*, now: datetime) -> int:
    """Erase what is due; what something still needs waits for the next time. Returns how many."""
    done = 0
    for keeping in _dated(Keeping.objects.select_related("study")):
        for each in (retention_of(keeping, what) for what in NAMES):
            if each.until is None or each.erased_at or now.date() <= each.until:
                continue
            try:
                forget(study=keeping.study, what=each.what, now=now, why="The date had come.")
            except CannotForget:
                continue  # the overview says so
            done += 1
    return done


def _dated(rows: Any) -> Any:
    due = Q()
    for what in NAMES:
        due |= Q(**{f"{what}_until__isnull": False, f"{what}_erased_at": None})
    return rows.filter(due)


@receiver(signals.waiting)
def tell_due(*, studies: Sequence[Study], **_: Any) -> dict[int, WaitingNotice]:
    """What is going to be erased soon, or could not be; one query."""
    today = timezone.now().date()
    found: dict[int, WaitingNotice] = {}
    by_pk = {study.pk: study for study in studies}
    for keeping in _dated(Keeping.objects.filter(study__in=studies)):
        dated = [retention_of(keeping, what) for what in NAMES]
        soon = [
            each
            for each in dated
            if each.until and not each.erased_at and each.until <= today + NOTICE
        ]
        if soon:
            found[keeping.study_id] = _waiting(by_pk[keeping.study_id], soon, today)
    return found


def _waiting(study: Study, soon: list[RetentionPeriod], today: date) -> WaitingNotice:
    late = [each for each in soon if each.until and each.until < today]
    said = ", ".join(
        gettext("{name} after {until:%-d %B %Y}").format(name=each.name, until=each.until)
        for each in late or soon
    )
    if late:
        sentence = gettext("To be erased and still needed: {said}. See what keeps them.").format(
            said=said
        )
    else:
        sentence = gettext("Will be erased: {said}. Export or pay before what needs them.").format(
            said=said
        )
    address = reverse("study_data", args=[study.slug, study.version])
    return WaitingNotice(
        sentence,
        gettext("data to be erased"),
        gettext("See the data kept"),
        address,
        Act.RUN,
        bool(late),
    )


@receiver(signals.withdrawn)
def erase_demographics(*, assignment: Assignment, **_: Any) -> None:
    """Somebody withdrew: what their platform told of them goes, too."""
    Demographics.objects.filter(assignment=assignment).delete()
