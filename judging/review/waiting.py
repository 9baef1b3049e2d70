"""Flagged questionnaires that wait for a decision."""

from collections.abc import Sequence

from django.db.models import Count, Q
from django.urls import reverse
from django.utils.translation import gettext, ngettext

from annotation.models import Assignment, Study
from annotation.people.access.roles import Act
from annotation.studies.waiting_notices import WaitingNotice

HELD = Q(state=Assignment.State.SUBMITTED, examination__is_marked=True)


def held_for_review(studies: Sequence[Study]) -> dict[int, WaitingNotice]:
    """Return them by study in one query."""
    judging = {study.pk: study for study in studies if study.kind == Study.Kind.JUDGING}
    if not judging:
        return {}
    rows = Assignment.objects.filter(HELD, study__in=judging).order_by().values_list("study")
    return {pk: _said(judging[pk], n) for pk, n in rows.annotate(n=Count("pk"))}


def _said(study: Study, n: int) -> WaitingNotice:
    sentence = ngettext(
        "{n} submission is held for review.",
        "{n} submissions are held for review.",
        n,
    )
    return WaitingNotice(
        sentence.format(n=n),
        gettext("{n} held for review").format(n=n),
        gettext("Review"),
        f"{reverse('review', args=[study.slug, study.version])}?mark=any",
        Act.REVIEW,
        code="held_work",
    )
