"""Workers who cannot begin because of work under their ID, and the click that admits them."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_GET, require_POST

from annotation.clock import database_now
from annotation.fieldwork.recruiting import releasing_held_up
from annotation.fieldwork.work.refusals import NotLive
from annotation.models import Assignment, Study
from annotation.people import access
from annotation.people.access import Act


@login_required
@require_GET
def held_up(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    study = access.study_for(request.user, slug=slug, version=version, may=Act.VIEW)
    context = {"study": study, "held": releasing_held_up.held_in(study)}
    return render(request, "console/recruit/held_up.html", context)


@login_required
@require_POST
def let_in(request: HttpRequest, slug: str, version: int, pk: int) -> HttpResponse:
    study, work = _work(request, slug, version, pk)
    assert isinstance(request.user, User)
    try:
        releasing_held_up.release(work=work, user=request.user, now=database_now())
    except NotLive:
        message = gettext(
            "This work has already been submitted. Reject it in Review to let the participant in."
        )
        messages.error(request, message)
    else:
        message = gettext(
            "The participant can start over. Earlier work is kept under {other}."
        ).format(other=work.worker)
        messages.success(request, message)
    return redirect("held_up", study.slug, study.version)


@login_required
@require_POST
def leave(request: HttpRequest, slug: str, version: int, pk: int) -> HttpResponse:
    study, work = _work(request, slug, version, pk)
    assert isinstance(request.user, User)
    releasing_held_up.leave(work=work, user=request.user)
    return redirect("held_up", study.slug, study.version)


def _work(request: HttpRequest, slug: str, version: int, pk: int) -> tuple[Study, Assignment]:
    study = access.study_for(request.user, slug=slug, version=version, may=Act.RUN)
    work = Assignment.objects.filter(study=study, pk=pk).select_related("worker", "task").first()
    if work is None:
        raise Http404("Submission not found.")
    return study, work
