"""The page Methods: choose a method by the question that it answers."""

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from annotation.console.builder.languages import language_of
from annotation.console.builder.method_rows import method_list
from annotation.lists import parameter
from annotation.models import Study
from annotation.people import access


@login_required
@require_GET
def methods(request: HttpRequest) -> HttpResponse:
    """Show methods with workload and cost for a corpus, one of them selected."""
    corpora = list(access.visible_corpora(request.user).order_by("name"))
    slug = parameter(request, "corpus")
    corpus = next(
        (candidate for candidate in corpora if candidate.slug == slug),
        corpora[0] if corpora else None,
    )
    shows_all = parameter(request, "show") == "all"
    context = {
        "methods": method_list(
            corpus,
            selected=parameter(request, "method"),
            shows_all=shows_all,
            waits="wait" in request.GET,
        ),
        "shows_all": shows_all,
        "corpora": corpora,
        "corpus": corpus,
        "language": language_of(request),
        "languages": Study.Language.choices,
        "studies": access.visible_studies(request.user).latest_versions(),
        "most": settings.DATA_UPLOAD_MAX_MEMORY_SIZE,
    }
    return render(request, "console/draft/methods.html", context)
