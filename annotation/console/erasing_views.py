"""The page on which an owner erases a participant's data on request."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from annotation.clock import database_now
from annotation.fieldwork.consenting import erasing_participants, erasing_study_data
from annotation.models import Study, Worker
from annotation.people import access
from annotation.people.access import Act
from annotation.refusals import Refusal


@login_required
@require_http_methods(["GET", "POST"])
def erase_worker(request: HttpRequest, slug: str, version: int, pseudonym: str) -> HttpResponse:
    """Show what would be erased; erase it."""
    study = access.study_for(request.user, slug=slug, version=version, may=Act.MANAGE)
    worker = get_object_or_404(erasing_study_data.people_of(study), pseudonym=pseudonym)
    if request.method == "GET":
        return _page(request, study, worker)
    assert isinstance(request.user, User)
    seen = request.POST.get("expected", "")
    try:
        n = erasing_participants.erase(
            study=study,
            worker=worker,
            reason=request.POST.get("reason", ""),
            now=database_now(),
            user=request.user,
            expected=int(seen) if seen.isdecimal() and len(seen) < 10 else None,
        )
    except Refusal as error:
        return _page(request, study, worker, fault=error)
    message = ngettext("{n} submission erased.", "{n} submissions erased.", n).format(n=n)
    messages.success(request, message)
    return redirect("worker_page", slug, version, pseudonym)


def _page(
    request: HttpRequest, study: Study, worker: Worker, fault: Refusal | None = None
) -> HttpResponse:
    context = {
        "study": study,
        "preview": erasing_participants.preview(study=study, worker=worker),
        "reason": request.POST.get("reason", ""),
        "fault": fault,
        "max_length": erasing_participants.MAX_REASON_LENGTH,
    }
    status = 200 if fault is None else 422 if fault.code.endswith("reason") else 409
    return render(request, "console/entities/erase.html", context, status=status)
