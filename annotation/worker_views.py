"""The pages of a worker that are the same for every kind of study.

The token in the address is the authority: no cookie acts for a worker, so that these pages need
no CSRF token and work where cookies are blocked.
"""

import secrets

from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation import arriving, assigning
from annotation.models import Assignment, Study, Worker
from annotation.pseudonyms import known_worker
from annotation.refusals import NotLive, UnknownLink
from annotation.turns import Standing, standing_of
from annotation.wages import hourly

COOKIE = "crowdwright_visitor"
YEAR = 365 * 24 * 3600


def assignment_for(token: str, *, kind: Study.Kind | None = None) -> Assignment:
    """The assignment of a worker's address. Raises UnknownLink.

    A kind of study asks for its own: the pages of one kind are no way through the work of another.
    """
    rows = Assignment.objects.select_related("study", "worker", "task")
    if kind is not None:
        rows = rows.filter(study__kind=kind)
    assignment = None if "\x00" in token else rows.filter(token=token).first()
    if assignment is None:
        raise UnknownLink
    return assignment


@csrf_exempt
@never_cache
@require_http_methods(["GET", "POST"])
def arrive(request: HttpRequest, slug: str) -> HttpResponse:
    """The study's link. A plain link asks before it takes a place: previews follow links too."""
    study = arriving.study_for(slug)
    if study.recruitment == Study.Recruitment.PROLIFIC:
        arrival = arriving.prolific_arrival(request.GET.dict())
        assignment = arriving.arrive(study=study, arrival=arrival, now=timezone.now())
        return redirect("work", assignment.token)
    visitor = _visitor(request)
    if visitor is None or request.method == "GET":
        return _welcome(request, study, visitor)
    arrival = arriving.Arrival("link", visitor)
    assignment = arriving.arrive(study=study, arrival=arrival, now=timezone.now())
    return redirect("work", assignment.token)


def _visitor(request: HttpRequest) -> str | None:
    """The id this browser was given at its first visit."""
    try:
        return str(signing.loads(request.COOKIES.get(COOKIE, ""), salt=COOKIE))
    except signing.BadSignature:
        return None


def _welcome(request: HttpRequest, study: Study, visitor: str | None) -> HttpResponse:
    """Say what it is about; give the browser an id, so that a double click is one person.

    A browser that sends the form back without the id keeps no cookies and is told so.
    """
    context = {
        "study": study,
        "wage": study_wage(study),
        "no_cookies": request.method == "POST",
        "standing": _standing(study, known_worker("link", visitor) if visitor else None),
    }
    response = render(request, "worker/welcome.html", context)
    if visitor is None:
        value = signing.dumps(secrets.token_urlsafe(16), salt=COOKIE)
        response.set_cookie(
            COOKIE, value, max_age=YEAR, httponly=True, samesite="Lax", secure=request.is_secure()
        )
    return response


def _standing(study: Study, worker: Worker | None) -> Standing | None:
    """How far the worker is in the onboarding; None in a study that has none."""
    if not study.onboarding_tasks:
        return None
    return standing_of(study=study, worker=worker) if worker else Standing(study)


@never_cache
@require_GET
def work(request: HttpRequest, token: str) -> HttpResponse:
    """Wherever the worker is in the study: consent, the work itself, or its end."""
    assignment = assignment_for(token)
    if assignment.state == Assignment.State.EXPIRED:
        assignment = assigning.revive(assignment=assignment, now=timezone.now())
    if assignment.state == Assignment.State.ARRIVED:
        standing = _standing(assignment.study, assignment.worker)
        context = {**_context(assignment), "standing": standing}
        return render(request, "worker/consent.html", context)
    if assignment.state == Assignment.State.ACTIVE:
        return redirect(f"{assignment.study.kind}:work", token)
    return redirect("done", token)


@csrf_exempt
@never_cache
@require_POST
def consent(request: HttpRequest, token: str) -> HttpResponse:
    """Yes begins the work, no gives the place back."""
    assignment = assignment_for(token)
    if request.POST.get("agree") != "yes":
        if assignment.state == Assignment.State.ACTIVE:  # a late no must not end begun work
            return redirect("give_back", token)
        assigning.give_back(assignment=assignment, now=timezone.now())
        return redirect("done", token)
    assigning.begin(assignment=assignment, now=timezone.now())
    return redirect("instructions", token)


@never_cache
@require_GET
def instructions(request: HttpRequest, token: str) -> HttpResponse:
    assignment = assignment_for(token)
    if assignment.state != Assignment.State.ACTIVE:
        return redirect("work", token)
    return render(request, "worker/instructions.html", _context(assignment))


@csrf_exempt
@never_cache
@require_http_methods(["GET", "POST"])
def give_back(request: HttpRequest, token: str) -> HttpResponse:
    """Stop and return the task; asks first."""
    assignment = assignment_for(token)
    if request.method == "GET" and assignment.is_live:
        return render(request, "worker/give_back.html", _context(assignment))
    assigning.give_back(assignment=assignment, now=timezone.now())
    return redirect("done", token)


@csrf_exempt
@never_cache
@require_http_methods(["GET", "POST"])
def withdraw(request: HttpRequest, token: str) -> HttpResponse:
    """Withdraw consent and have every answer erased, at any time; asks first."""
    assignment = assignment_for(token)
    if request.method == "GET" and assignment.state != Assignment.State.WITHDRAWN:
        return render(request, "worker/withdraw.html", _context(assignment))
    assigning.withdraw(assignment=assignment, now=timezone.now())
    return redirect("done", token)


@never_cache
@require_GET
def done(request: HttpRequest, token: str) -> HttpResponse:
    """The end: the completion code and the way back, or why it ended."""
    assignment = assignment_for(token)
    if assignment.is_live:
        return redirect("work", token)
    context = _context(assignment)
    code = _code(assignment)
    if code and assignment.study.recruitment == Study.Recruitment.PROLIFIC:
        context["return_url"] = f"https://app.prolific.com/submissions/complete?cc={code}"
    context |= {"code": code, "sentence": NotLive.SENTENCES[assignment.state]}
    if assignment.state != Assignment.State.WITHDRAWN and assignment.task.batch.onboarding:
        context["standing"] = _standing(assignment.study, assignment.worker)
    return render(request, "worker/done.html", context)


def _code(assignment: Assignment) -> str:
    """The completion code of what happened; '' where there is none."""
    if assignment.submitted_at is not None:
        return assignment.study.completion_code
    if assignment.started_at is None and assignment.state == Assignment.State.RETURNED:
        return assignment.study.no_consent_code
    return ""


def _context(assignment: Assignment) -> dict[str, object]:
    study = assignment.study
    return {"assignment": assignment, "study": study, "wage": study_wage(study)}


def study_wage(study: Study) -> float | None:
    """The expected wage: what the pay is an hour if the work takes as long as planned."""
    return hourly(pay=float(study.pay), minutes=study.minutes)
