"""The page of a study's raters: who answered, of what kind, and how much."""

from django.contrib.auth.decorators import login_required
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from annotation import access
from annotation.access import Act
from annotation.console import paging
from annotation.models import Assignment, Study
from judging.models import Rater

RATERS_A_PAGE = 50


@login_required
@require_GET
def raters(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    """Models and experts first, then the crowd; whose work counts, or whose labels came in."""
    study = access.study_for(
        request.user, slug=slug, version=version, may=Act.VIEW, kind=Study.Kind.JUDGING
    )
    sought = paging.sought(request)
    counting = Q(judgments__assignment__state__in=Assignment.COUNTING)
    rows = Rater.objects.filter(
        counting | Q(judgments__assignment=None), judgments__item__study=study
    )
    if sought:
        rows = rows.filter(Q(name__icontains=sought) | Q(pseudonym__icontains=sought))
    rows = rows.annotate(
        answers=Count("judgments"), items=Count("judgments__item", distinct=True)
    ).order_by("-kind", "pseudonym")
    context = {
        "study": study,
        "page": paging.page_of(rows, request, rows_a_page=RATERS_A_PAGE),
        "q": sought,
    }
    return render(request, "console/raters.html", context)
