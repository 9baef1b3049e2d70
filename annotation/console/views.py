"""The researcher's pages of the platform: all studies, one study."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from annotation.clock import database_now
from annotation.console import overview, study_list
from annotation.console.search import found
from annotation.lists import search_words
from annotation.models import Draft
from annotation.people import access
from annotation.people.access import Act
from annotation.studies import progress
from annotation.studies.drafts.making import KEPT


@login_required
@require_GET
def studies(request: HttpRequest) -> HttpResponse:
    """Drafts and launched studies in one list, with what waits in each."""
    listed = study_list.listed(request, now=database_now())
    gone = Draft.objects.filter(study=None, deleted_at__gt=database_now() - KEPT)
    context = {
        "rows": listed.rows,
        "page": listed.page,
        "tabs": [(key, title, listed.counts[key]) for key, title in study_list.SHOWN.items()],
        "heads": listed.heads,
        "show": listed.query["show"],
        "q": listed.query["q"],
        "deleted": access.seen_by(request.user, gone),
        **(study_list.first_steps(request) if not listed.rows else {}),
    }
    return render(request, "console/studies.html", context)


@login_required
@require_GET
def search(request: HttpRequest) -> HttpResponse:
    """Show the results of the search at the top of every page."""
    sought = search_words(request)
    context = {"sought": sought, "groups": found(request.user, sought)}
    return render(request, "console/search.html", context)


@login_required
@require_GET
def study(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    """One study. An htmx request gets the moving part alone (`console/_study_progress.html`)."""
    one = access.study_for(request.user, slug=slug, version=version, may=Act.VIEW)
    context = {
        "study": one,
        **overview.overview_of(one, now=database_now()),
        "funnel": progress.funnel_of(one),
        "times": progress.times_of(one),
        "participants": progress.participants_of(one),
        "raters": progress.fewest_participants_of(one),
        "newcomers": progress.newcomers_of(one) if one.onboarding_tasks else None,
    }
    partial = getattr(request, "htmx", False)
    template = "console/_study_progress.html" if partial else "console/study.html"
    return render(request, template, context)
