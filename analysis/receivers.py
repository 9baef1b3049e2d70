"""Closing a batch starts its analysis; a withdrawal starts it again, without that person, and a
change of who is an expert or of what they said, where it was read. What is kept of a run goes with
it.

What analyses need is imported when something happens: it takes a second of the start of a command.
"""

from collections.abc import Collection, Sequence
from typing import Any

from django.db.models.signals import post_delete
from django.dispatch import receiver
from django.urls import reverse
from django.utils.translation import gettext

from annotation import forgetting, jobs, signals
from annotation.models import Assignment, Batch, Study
from annotation.people.access.roles import Act
from annotation.studies.waiting import WaitingNotice


@receiver(signals.batch_closed)
def start_analysis(*, batch: Batch, **_: Any) -> None:
    """Ask with the closing, enqueue once it is committed; the sweep does it without a broker."""
    from analysis.runs import requesting
    from analysis.tasks import answer_request

    requesting.note(study=batch.study)
    jobs.send_after_commit(answer_request, batch.study_id)


@receiver(signals.withdrawn)
def renew_analyses(*, assignment: Assignment, **_: Any) -> None:
    """Mark what counts the worker now; a worker analyses without them, or else the sweep."""
    from analysis.runs import renewing
    from analysis.tasks import renew_study

    if renewing.overtake(assignment=assignment):
        jobs.send_after_commit(renew_study, assignment.study_id)


@receiver(signals.withdrawn)
def forget_agreement(*, assignment: Assignment, **_: Any) -> None:
    """How far somebody agreed with others is a part of what they answered."""
    from analysis.models import AgreementWithOthers

    AgreementWithOthers.objects.filter(assignment=assignment).delete()


@receiver(post_delete, sender="analysis.AnalysisRun")
def forget_run(*, instance: Any, **_: Any) -> None:
    """An analysis that is erased takes with it what pages have kept of it."""
    forgetting.forget(of=instance.kept_under)


@receiver(signals.raters_changed)
def renew_pools(*, study: Study, pools: Collection[str], **_: Any) -> None:
    """The same for the runs of these pools of raters."""
    from analysis.runs import renewing
    from analysis.tasks import renew_study

    if renewing.overtake_pools(study=study, pools=pools):
        jobs.send_after_commit(renew_study, study.pk)


@receiver(signals.waiting)
def tell_failed(*, studies: Sequence[Study], **_: Any) -> dict[int, WaitingNotice]:
    """Where the newest analysis has failed; one query."""
    from analysis.models import AnalysisRun

    failed = AnalysisRun.objects.newest_of(studies).filter(state=AnalysisRun.State.FAILED)
    there = set(failed.values_list("study", flat=True))
    return {
        each.pk: WaitingNotice(
            gettext("The last analysis has failed."),
            gettext("analysis failed"),
            gettext("See why"),
            reverse("results", args=[each.slug, each.version]),
            Act.VIEW,
            is_bad=True,
        )
        for each in studies
        if each.pk in there
    }
