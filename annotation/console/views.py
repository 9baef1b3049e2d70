"""The researcher's pages of the platform: all studies, one study."""

from django.contrib.auth.decorators import login_required
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET

from annotation import access
from annotation.access import Act
from annotation.drafts.making import KEPT
from annotation.models import Assignment, Batch, Draft, Study
from annotation.recruiting import codes
from annotation.studies import active_time, progress


@login_required
@require_GET
def studies(request: HttpRequest) -> HttpResponse:
    rows = access.visible_studies(request.user).latest_versions()
    rows = rows.annotate(assignment_count=Count("assignments"))
    cards = [{"study": study, "batches": progress.batches_of(study)} for study in rows]
    mine = access.seen_by(request.user, Draft.objects.filter(study=None))
    open_drafts = mine.select_related("corpus")
    context = {
        "cards": cards,
        "drafts": open_drafts.filter(deleted_at=None),
        "deleted": open_drafts.filter(deleted_at__gt=timezone.now() - KEPT),
    }
    return render(request, "console/studies.html", context)


@login_required
@require_GET
def study(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    """One study. An htmx request gets the moving part alone (`console/_study_progress.html`)."""
    one = access.study_for(request.user, slug=slug, version=version, may=Act.VIEW)
    batches = progress.batches_of(one)
    context = {
        "study": one,
        "batches": batches,
        "recruits": any(each.batch.state != Batch.State.CLOSED for each in batches),
        "waiting": one.assignments.filter(state=Assignment.State.SUBMITTED).count(),
        "funnel": progress.funnel_of(one),
        "times": progress.times_of(one),
        "earned": active_time.earned(one),
        "newcomers": progress.newcomers_of(one) if one.onboarding_tasks else None,
        **_looked_up(one, request.GET.get("code", "")),
    }
    partial = getattr(request, "htmx", False)
    template = "console/_study_progress.html" if partial else "console/study.html"
    return render(request, template, context)


def _looked_up(study: Study, code: str) -> dict[str, object]:
    """Whose completion code it is that somebody sent in."""
    return {"code": code, "code_work": codes.work_of(study=study, code=code) if code else None}
