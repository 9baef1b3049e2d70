"""The pages of a worker that are the same for every kind of study.

The token in the address is the authority (assignment_lookup). A cookie only helps to recognise a
worker who follows the link of a study once more (work.ownership).
"""

import secrets
from datetime import date

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation.clock import database_now
from annotation.fieldwork.consenting import receipts
from annotation.fieldwork.pages.assignment_lookup import assignment_for, while_active
from annotation.fieldwork.pages.client_address import client_address
from annotation.fieldwork.pages.languages import speak
from annotation.fieldwork.platforms.completion import PLATFORMS
from annotation.fieldwork.platforms.outcomes import Outcome, failed_check, outcome_of
from annotation.fieldwork.recruiting import (
    arriving,
    completion_codes,
    continuing,
    personal_links,
    releasing_held_up,
)
from annotation.fieldwork.recruiting.prolific import admitting
from annotation.fieldwork.trials import recording_trials
from annotation.fieldwork.work import assigning
from annotation.fieldwork.work.assigning import HOLD
from annotation.fieldwork.work.eligible_tasks import OnboardingProgress, most_tasks
from annotation.fieldwork.work.ownership import Proof, proof_for, together_with
from annotation.fieldwork.work.refusals import NotLive, OtherSession, SubmissionUsed, TermsChanged
from annotation.models import Assignment, Batch, Keeping, Study, Worker
from annotation.people import access
from annotation.people.pseudonyms import known_worker
from annotation.refusals import Refusal
from annotation.studies.measured_time import measured_minutes
from annotation.studies.wages import hourly
from annotation.texts.translation import translated

COOKIE = "crowdwright_visitor"
YEAR = 365 * 24 * 3600


@csrf_exempt
@require_http_methods(["GET", "POST"])
def arrive(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the consent page of a study's link; it takes a place only once the worker agrees."""
    study = arriving.study_for(slug)
    speak(study)
    try:
        return _arrived(request, study)
    except OtherSession as held:
        releasing_held_up.note(assignment=held.assignment, now=database_now())
        raise


def _arrived(request: HttpRequest, study: Study) -> HttpResponse:
    visitor = _visitor(request)
    arrival = _arrival(request, study, visitor or secrets.token_urlsafe(16))
    try:
        return _answered(request, study, visitor, arrival)
    except Refusal as refusal:
        refusal.study, refusal.contact = study, receipts.contact_of(study)
        if (mine := arriving.own_work(study=study, arrival=arrival)) is not None:
            refusal.own_work = reverse("work", args=[mine.token])
        raise


def _answered(
    request: HttpRequest, study: Study, visitor: str | None, arrival: arriving.Arrival
) -> HttpResponse:
    """Act on the worker's answer: none yet, agreed, or declined."""
    answer = request.POST.get("agree") if request.method == "POST" else None
    if answer == "no":
        return render(request, "worker/declined.html", _ending(study, Outcome.NO_CONSENT))
    cookies_needed = study.recruitment == Study.Recruitment.LINK
    if answer != "yes" or (cookies_needed and visitor is None):
        return _ask(study, arrival, request, no_cookies=answer == "yes")
    try:
        assignment = arriving.take_part(
            study=study, arrival=arrival, now=database_now(), terms=request.POST.get("terms", "")
        )
    except TermsChanged as changed:
        return _ask(study, arrival, request, changed=translated(changed.sentence))
    except SubmissionUsed:  # in another tab, whose last page they get
        if (used := arriving.look(study=study, arrival=arrival)) is None:
            raise
        return redirect("work", used.token)
    if study.purpose == Study.Purpose.TRIAL or _researches(request, study):
        recording_trials.note_tester(assignment=assignment, user=request.user)
    return redirect("instructions", assignment.token)


def _researches(request: HttpRequest, study: Study) -> bool:
    """Return whether a member of the study's team is signed in; costs workers no query."""
    if settings.SESSION_COOKIE_NAME not in request.COOKIES:
        return False
    return access.visible_studies(request.user).filter(pk=study.pk).exists()


def _arrival(request: HttpRequest, study: Study, visitor: str) -> arriving.Arrival:
    """Return who came: Prolific and personal links name the person, a plain link the browser.

    The person of a trial is unknown to real studies and is deleted with the trial.
    """
    platform, person, submission, signed = "link", visitor, "", False
    if study.purpose == Study.Purpose.TRIAL:
        platform, person = study.purpose, f"{study.slug} {visitor}"
    if study.recruitment == Study.Recruitment.PROLIFIC:
        platform = "prolific"
        came = admitting.came(
            request.GET,
            study=study,
            browser=visitor,
            admission=request.POST.get("admission", ""),
            now=database_now(),
        )
        person, submission, signed = came.participant, came.submission, came.signed
    elif study.by_personal_link and study.purpose == Study.Purpose.STUDY:
        token = request.GET.get(personal_links.PARAMETER, "")
        platform, signed = study.recruitment, True
        person, submission = personal_links.admitted(token=token, study=study, browser=visitor)
    address = client_address(request)
    return arriving.Arrival(platform, person, submission, visitor, address, signed=signed)


def _visitor(request: HttpRequest) -> str | None:
    """Return the id that this browser got at its first visit."""
    try:
        return str(signing.loads(request.COOKIES.get(COOKIE, ""), salt=COOKIE))
    except signing.BadSignature:
        return None


def _ask(
    study: Study,
    arrival: arriving.Arrival,
    request: HttpRequest,
    *,
    no_cookies: bool = False,
    changed: str = "",
) -> HttpResponse:
    """Render the consent page, with an id for the browser.

    The id makes a double click one person. A form of a plain link that comes without it means that
    the browser keeps no cookies. `changed` tells that pay or time differ from what was agreed.
    """
    if (assignment := arriving.look(study=study, arrival=arrival)) is not None:
        return redirect("work", assignment.token)
    if request.method == "GET" and (last := _may_go_on(study, arrival)) is not None:
        return redirect("work", last.token)
    worker = known_worker(arrival.platform, arrival.external_id)
    batch = study.batches.open().first()
    offered = study.on_terms_of(batch)
    context = {
        **_about(offered, batch),
        "terms": arriving.terms_of(offered),
        "admission": admitting.admission_for(study, arrival),
        "no_cookies": no_cookies,
        "changed": changed,
        "onboarding": _progress(study, worker, arrival.proof),
        "until": _until(receipts.promised(study)),
        "most_tasks": most_tasks(study),
        "researches": _researches(request, study),
    }
    response = render(request, "worker/consent.html", context)
    value = signing.dumps(arrival.browser, salt=COOKIE)
    response.set_cookie(
        COOKIE, value, max_age=YEAR, httponly=True, samesite="Lax", secure=request.is_secure()
    )
    return response


def _may_go_on(study: Study, arrival: arriving.Arrival) -> Assignment | None:
    """Return submitted work whose last page offers the next task: its worker has agreed already."""
    last = arriving.own_work(study=study, arrival=arrival)
    return last if last is not None and continuing.next_after(last) is not None else None


def _progress(study: Study, worker: Worker | None, proof: Proof) -> OnboardingProgress | None:
    if not study.onboarding_tasks:
        return None
    return arriving.progress_for(study=study, worker=worker, proof=proof)


@require_GET
def work(request: HttpRequest, token: str) -> HttpResponse:
    """Redirect to the worker's step of the study: consent, the work itself, or its end."""
    assignment = assignment_for(token)
    if assignment.state == Assignment.State.EXPIRED:
        assignment = assigning.revive(assignment=assignment, now=database_now())
    if assignment.state == Assignment.State.ARRIVED:
        return consent_page(request, assignment)
    if assignment.state == Assignment.State.ACTIVE:
        return redirect(f"{assignment.study.kind}:work", token)
    return redirect("done", token)


def consent_page(
    request: HttpRequest, assignment: Assignment, *, keeping: Keeping | None = None
) -> HttpResponse:
    """Render the consent page; `keeping` has the dates of a study that is only previewed."""
    study = assignment.study
    context = {
        **_context(assignment),
        "onboarding": _progress(study, assignment.worker, proof_for(assignment)),
        "until": _until(receipts.promised(study, keeping)),
        "most_tasks": most_tasks(study),
    }
    return render(request, "worker/consent.html", context)


@csrf_exempt
@require_POST
def consent(request: HttpRequest, token: str) -> HttpResponse:
    """Begin the work, or return the task."""
    assignment = assignment_for(token)
    if request.POST.get("agree") != "yes":
        if assignment.state == Assignment.State.ACTIVE:  # a late no must not end begun work
            return redirect("return_task", token)
        assigning.return_task(assignment=assignment, now=database_now())
        return redirect("done", token)
    assigning.begin(assignment=assignment, now=database_now())
    return redirect("instructions", token)


@require_GET
@while_active()
def instructions(request: HttpRequest, assignment: Assignment) -> HttpResponse:
    return instructions_page(request, assignment)


def instructions_page(request: HttpRequest, assignment: Assignment) -> HttpResponse:
    return render(request, "worker/instructions.html", _context(assignment))


@csrf_exempt
@require_http_methods(["GET", "POST"])
def return_task(request: HttpRequest, token: str) -> HttpResponse:
    """Stop and return the task, after a confirmation."""
    assignment = assignment_for(token)
    if request.method == "GET" and assignment.is_live:
        return render(request, "worker/return_task.html", _context(assignment))
    assigning.return_task(assignment=assignment, now=database_now())
    return redirect("done", token)


@csrf_exempt
@require_http_methods(["GET", "POST"])
def withdraw(request: HttpRequest, token: str) -> HttpResponse:
    """Withdraw consent and erase every answer, after a confirmation."""
    assignment = assignment_for(token)
    if request.method == "GET" and assignment.state != Assignment.State.WITHDRAWN:
        return render(request, "worker/withdraw.html", _context(assignment))
    assigning.withdraw(assignment=assignment, now=database_now())
    return redirect("done", token)


@require_GET
def receipt(request: HttpRequest, token: str) -> HttpResponse:
    """Show the receipt of the consent, for as long as the study is stored."""
    consent_receipt = receipts.receipt_of(assignment_for(token))
    context = {
        "receipt": consent_receipt,
        "works": [
            (outcome_or_phrase, gettext(outcome))
            for outcome_or_phrase, outcome in consent_receipt.outcomes
        ],
        "kept": [translated(phrase) for phrase in consent_receipt.kept],
        "until": _until(consent_receipt.until),
        "address": settings.PUBLIC_URL + request.path,
    }
    return render(request, "worker/receipt.html", _context(consent_receipt.assignment) | context)


def _until(promised: list[tuple[str, date]]) -> list[tuple[str, date]]:
    return [(gettext(words), day) for words, day in promised]


@require_GET
def done(request: HttpRequest, token: str) -> HttpResponse:
    """Show the end of the work: the code and the way back, or why it ended, and the next task."""
    assignment = assignment_for(token)
    if assignment.is_live:
        return redirect("work", token)
    return _done(request, assignment)


def _done(
    request: HttpRequest, assignment: Assignment, refusal: Refusal | None = None
) -> HttpResponse:
    """Render the last page; `refusal` is why there is no next task."""
    outcome = outcome_of(assignment)
    context = _ending(assignment.study, outcome) | _context(assignment)  # on the batch's terms
    following = continuing.next_after(assignment)
    context |= {
        "code": completion_codes.code_after(assignment),
        "other_codes": completion_codes.others(assignment),
        "outcome": outcome,
        "reward": assignment.study.screening_reward,
        "failed": failed_check(assignment),
        "forgotten": _forgotten(assignment),
        "sentence": translated(NotLive.SENTENCES[assignment.state]),
        "following": following,
        "terms": arriving.terms_of(following.study) if following else "",
        "refused": translated(refusal.said) if refusal else "",
    }
    if assignment.state != Assignment.State.WITHDRAWN and assignment.task.batch.onboarding:
        context["onboarding"] = _progress(
            assignment.study, assignment.worker, proof_for(assignment)
        )
    return render(request, "worker/done.html", context, status=refusal.status if refusal else 200)


@csrf_exempt
@require_POST
def next_task(request: HttpRequest, token: str) -> HttpResponse:
    """Give the worker the next task; may be repeated."""
    assignment = assignment_for(token)
    if continuing.next_after(assignment) is None:
        return redirect("work", token)
    try:
        following = continuing.go_on(
            after=assignment,
            now=database_now(),
            terms=request.POST.get("terms", ""),
            address=client_address(request),
        )
    except Refusal as refusal:  # somebody was faster, say
        return _done(request, assignment, refusal)
    study = following.study
    if study.purpose == Study.Purpose.TRIAL or _researches(request, study):
        recording_trials.note_tester(assignment=following, user=request.user)
    return redirect("work", following.token)


def _forgotten(assignment: Assignment) -> list[str]:
    """Return the tokens whose content the browser deletes."""
    if assignment.state == Assignment.State.EXPIRED:
        return []
    if assignment.state != Assignment.State.WITHDRAWN:
        return [assignment.token]
    reached = together_with(assignment).filter(
        study=assignment.study_id, state=Assignment.State.WITHDRAWN
    )
    return [other.token for other in reached.order_by("pk")]


def _ending(study: Study, outcome: Outcome) -> dict[str, object]:
    platform = PLATFORMS[study.recruitment]
    return {
        "study": study,
        "code": platform.code_for(study, outcome),
        "return_url": platform.return_address(study, outcome),
    }


def _context(assignment: Assignment) -> dict[str, object]:
    study = assignment.study.on_terms_of(assignment.task.batch)
    return {"assignment": assignment, **_about(study, assignment.task.batch)}


def _about(study: Study, batch: Batch | None) -> dict[str, object]:
    hold = min(HOLD.seconds // 60, study.time_limit_minutes)
    return {
        "study": study,
        "wage": study_wage(study, batch),
        "hold_minutes": hold,
    }


def study_wage(study: Study, batch: Batch | None) -> float | None:
    """Return the planned hourly wage; None where people take longer, or are expected to."""
    measured = None if batch and batch.onboarding else measured_minutes(study)
    careful = measured.mean if measured else batch.careful_minutes if batch else 0
    return hourly(pay=float(study.pay), minutes=study.minutes) if careful <= study.minutes else None
