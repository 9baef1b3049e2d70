"""Texts that wait for somebody's decision. Only reads."""

from collections.abc import Sequence

from django.db.models import Count
from django.dispatch import receiver
from django.urls import reverse
from django.utils.translation import gettext, ngettext

from annotation import signals
from annotation.models import Assignment, Study
from annotation.people.access.roles import Act
from annotation.studies.waiting_notices import WaitingNotice


@receiver(signals.waiting)
def texts_to_review(*, studies: Sequence[Study], **_: object) -> dict[int, WaitingNotice]:
    """Return the notices by primary key of the study, in one query."""
    writing = {study.pk: study for study in studies if study.kind == Study.Kind.WRITING}
    if not writing:
        return {}
    rows = Assignment.objects.filter(study__in=writing, state=Assignment.State.SUBMITTED)
    counts = rows.order_by().values_list("study").annotate(n=Count("pk"))
    return {pk: _said(writing[pk], n) for pk, n in counts}


def _said(study: Study, n: int) -> WaitingNotice:
    sentence = ngettext("{n} text is waiting for review.", "{n} texts are waiting for review.", n)
    return WaitingNotice(
        sentence.format(n=n),
        gettext("{n} to review").format(n=n),
        gettext("Review"),
        reverse("review", args=[study.slug, study.version]),
        Act.REVIEW,
        code="texts_to_review",
    )
