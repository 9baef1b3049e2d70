"""The researcher's pages of who was screened, and who has which qualification."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_GET, require_POST

from annotation.clock import database_now
from annotation.fieldwork.screening import qualification_catalogue, qualified_people
from annotation.fieldwork.screening.qualifying import qualify, take_back
from annotation.fieldwork.work.admission import asks, requirement_of
from annotation.lists import page_of, search_words
from annotation.models import Study
from annotation.people import access
from annotation.people.access import Act
from annotation.refusals import Refusal
from annotation.texts.translation import translated_error

ROWS = 100
EVERYBODY = "accepted"


@login_required
@require_GET
def qualifications(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    study = access.study_for(request.user, slug=slug, version=version, may=Act.VIEW)
    rows, sought = qualified_people.people_of(study), search_words(request)
    if sought:
        rows = rows.filter(pseudonym__icontains=sought)
    page = page_of(rows, request, rows_a_page=ROWS)
    workers = list(page.object_list)
    held, results = (
        qualified_people.held_by(workers, study=study),
        qualified_people.screened(study, workers),
    )
    context = {
        "study": study,
        "asks": asks(study),
        "requires": requirement_of(study),
        "page": page,
        "q": sought,
        "rows": [(worker, held.get(worker.pk, []), results.get(worker.pk)) for worker in workers],
        "known": qualified_people.qualifications_of(study),
    }
    return render(request, "console/screening/qualifications.html", context)


@login_required
@require_GET
def all_qualifications(request: HttpRequest) -> HttpResponse:
    """Show the qualifications of all studies that the reader sees."""
    studies = access.seen_by(request.user, Study.objects.all()).order_by("title", "version")
    context = {"known": qualification_catalogue.known_in(studies)}
    return render(request, "console/screening/all.html", context)


@login_required
@require_POST
def give_qualification(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    """Give the chosen people a qualification, or take it back."""
    study = access.study_for(request.user, slug=slug, version=version, may=Act.RUN)
    name, chosen = request.POST.get("name", ""), request.POST.getlist("worker")
    if request.POST.get("who") == EVERYBODY:
        workers = qualified_people.accepted_in(study)
    else:
        keys = [int(key) for key in chosen if key.isdecimal() and len(key) < 18]
        workers = qualified_people.people_of(study).filter(pk__in=keys)
    try:
        if not workers.exists():
            raise Refusal("NobodyChosen", gettext("Select at least one participant."))
        if request.POST.get("do") == "take":
            n, verb = take_back(workers=workers, name=name, study=study), "removed from"
        else:
            user = request.user
            assert isinstance(user, User)
            n = qualify(
                workers=workers,
                name=name,
                by=user.get_username(),
                now=database_now(),
                study=study,
                user=user,
            )
            verb = "granted to"
    except Refusal as error:
        messages.error(request, translated_error(error))
    else:
        message = f"“{' '.join(name.split())}” {verb} {n} {'person' if n == 1 else 'people'}."
        access.record(user=request.user, act="changed a qualification", what=message, of=study)
        messages.success(request, message)
    return redirect("qualifications", study.slug, study.version)
