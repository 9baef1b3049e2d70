"""Analyses that follow from events: closed batches, withdrawals, changed pools, erased runs.

Analyses are imported with the first event that needs them, since that takes half a second of a
command; the closing of a batch only stores a request and names the job.
"""

from collections.abc import Collection, Sequence
from typing import Any

from celery import signature
from django.db.models.signals import post_delete
from django.dispatch import receiver
from django.urls import reverse
from django.utils.translation import gettext

from annotation import clearing_cache, jobs, signals
from annotation.models import Assignment, Batch, Study
from annotation.people.access.roles import Act
from annotation.studies.waiting_notices import WaitingNotice


@receiver(signals.batch_closed)
def start_analysis(*, batch: Batch, **_: Any) -> None:
    """Request the analysis of a closed batch, and enqueue it once that is committed.

    Without a broker the sweep does it.
    """
    from analysis.models import AnalysisRequest

    AnalysisRequest.objects.note(study=batch.study)
    jobs.send_after_commit(signature("analysis.tasks.answer_request"), batch.study_id)


@receiver(signals.withdrawn)
def renew_analyses(*, assignment: Assignment, **_: Any) -> None:
    """Mark the runs that count the worker, and have the study analysed without them."""
    from analysis.runs import renewing
    from analysis.tasks import renew_study

    if renewing.overtake(assignment=assignment):
        jobs.send_after_commit(renew_study, assignment.study_id)


@receiver(signals.withdrawn)
def forget_agreement(*, assignment: Assignment, **_: Any) -> None:
    """Delete the agreement with others, which is a part of the answers."""
    from analysis.models import AgreementWithOthers

    AgreementWithOthers.objects.filter(assignment=assignment).delete()


@receiver(post_delete, sender="analysis.AnalysisRun")
def forget_run(*, instance: Any, **_: Any) -> None:
    """Delete the cached pages of an erased run."""
    clearing_cache.forget(of=instance.kept_under)


@receiver(signals.raters_changed)
def renew_pools(*, study: Study, pools: Collection[str], **_: Any) -> None:
    """Mark the runs of these pools of raters, and have the study analysed again."""
    from analysis.runs import renewing
    from analysis.tasks import renew_study

    if renewing.overtake_pools(study=study, pools=pools):
        jobs.send_after_commit(renew_study, study.pk)


@receiver(signals.waiting)
def tell_failed(*, studies: Sequence[Study], **_: Any) -> dict[int, WaitingNotice]:
    """Return the studies whose newest analysis has failed, in one query."""
    from analysis.models import AnalysisRun

    failed = AnalysisRun.objects.newest_of(studies).filter(state=AnalysisRun.State.FAILED)
    failed_studies = set(failed.values_list("study", flat=True))
    return {
        study.pk: WaitingNotice(
            gettext("The last analysis failed."),
            gettext("analysis failed"),
            gettext("See why"),
            reverse("results", args=[study.slug, study.version]),
            Act.VIEW,
            is_bad=True,
            code="analysis_failed",
        )
        for study in studies
        if study.pk in failed_studies
    }
