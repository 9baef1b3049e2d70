"""View of the page *Judges* of a study."""

from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET

from analysis.inputs.machine_calls import MODELS
from analysis.pages.results.pages import progress_of
from analysis.runs import requesting
from annotation.people import access
from annotation.people.access import Act
from judging.raters.pools import Pool


@login_required
@require_GET
def judges(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    """Show the newest run of LLM judges; before there is one, how to start it."""
    study = access.study_for(request.user, slug=slug, version=version, may=Act.VIEW)
    if study.runs.newest_finished(MODELS) is not None:
        part = reverse("results_part", args=[slug, version, "judges"])
        return redirect(f"{part}?{urlencode({'pool': MODELS})}")
    progress = progress_of(study)
    context = {
        "study": study,
        "models": Pool(MODELS).judgments(study=study).exists(),
        "pool": MODELS,
        "under_way": requesting.is_waiting(study)
        or (progress is not None and not progress.run.finished_at),
    }
    return render(request, "console/judges.html", context)
