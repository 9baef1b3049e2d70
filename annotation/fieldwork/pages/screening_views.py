"""The worker's page of the screening questions."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from annotation.clock import database_now
from annotation.fieldwork.pages.assignment_lookup import assignment_for
from annotation.fieldwork.screening.scoring import take
from annotation.fieldwork.work import assigning
from annotation.fieldwork.work.admission import attempts_of, has_failed, is_due, result_of
from annotation.models import Assignment, Study
from annotation.studies.forms import StudyForm


@csrf_exempt
@require_http_methods(["GET", "POST"])
def screening(request: HttpRequest, token: str) -> HttpResponse:
    """Show the questions while they are due, and score the answers."""
    assignment = assignment_for(token)
    if assignment.state == Assignment.State.EXPIRED:
        assignment = assigning.revive(assignment=assignment, now=database_now())
    if assignment.state != Assignment.State.ACTIVE or not is_due(assignment):
        return redirect("work", token)
    form = form_of(assignment.study, request)
    if request.method == "POST" and form.is_valid():
        result = take(
            assignment=assignment,
            answers=form.answers,
            now=database_now(),
            attempt=_attempt(request),
        )
        if result.is_passed:
            return redirect("instructions", token)
        return redirect("done" if has_failed(assignment.study, result) else "screening", token)
    before = result_of(study=assignment.study, worker=assignment.worker)
    context = {
        "assignment": assignment,
        "study": assignment.study,
        "form": form,
        "asked": len(form.fields),
        "attempt": before.attempts + 1 if before else 1,
        "attempts": attempts_of(assignment.study),
    }
    status = 422 if request.method == "POST" else 200
    return render(request, "worker/screening.html", context, status=status)


def _attempt(request: HttpRequest) -> int | None:
    typed = request.POST.get("attempt", "")
    return int(typed) if typed.isdecimal() and len(typed) < 5 else None


def form_of(study: Study, request: HttpRequest) -> StudyForm:
    """Return the form of the questions, which does not contain the right answers."""
    spec = [
        {
            "key": question["key"],
            "kind": "choice",
            "label": question["label"],
            "options": question["options"],
            "required": True,
        }
        for question in study.screening["questions"]
    ]
    return StudyForm(request.POST if request.method == "POST" else None, spec=spec)
