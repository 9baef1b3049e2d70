"""The researcher's results pages."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_POST

from analysis import exports, figures, findings, pages, running, tasks
from annotation.models import Study
from judging.models import Item


@login_required
@require_GET
def results(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    """The findings of the newest finished run, and how far a newer one is.

    An htmx request gets the moving part alone; when the run is done it reloads the page.
    """
    study = get_object_or_404(Study.objects.select_related("corpus"), slug=slug, version=version)
    progress = pages.progress_of(study)
    context: dict[str, Any] = {"study": study, "progress": progress}
    if getattr(request, "htmx", False):
        response = render(request, "console/_run_progress.html", context)
        if progress is None or progress.run.finished_at:
            response["HX-Refresh"] = "true"
        return response
    run = pages.finished_run(study)
    if run is not None:
        rows, workers = pages.response_rows(run), pages.worker_rows(run)
        agreement, by_system = pages.agreement_rows(run), pages.group_rows(rows, by="system")
        questions = list(study.questions.select_related("criterion"))
        graded = Item.objects.filter(study=study, kind="pair").exists()
        context |= {
            "run": run,
            "questions": questions,
            "columns": len(questions) + 4,
            "agreement": agreement,
            "agreement_figure": figures.agreement_figure(agreement),
            "workers": workers,
            "competence_figure": figures.competence_figure(workers),
            "spread": pages.spread_of(workers),
            "responses": rows,
            "by_style": pages.group_rows(rows, by="style"),
            "by_system": by_system,
            "mean_figures": figures.mean_figures(
                by_system, [each.criterion.name for each in questions], graded=graded
            ),
            "graded": graded,
            # A grade is whole or, when shared, a half; a mean score has two decimals.
            "decimals": -1 if graded else 2,
            "export_names": exports.FILES,
            "missing": findings.missing(run),
        }
    return render(request, "console/results.html", context)


@login_required
@require_POST
def analyse(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    """Analyse what is there now, also while a batch is open."""
    study = get_object_or_404(Study, slug=slug, version=version)
    try:
        running.start(study=study, enqueue=tasks.enqueue)
    except running.NothingToAnalyse as error:
        messages.error(request, str(error))
    return redirect("results", slug, version)


@login_required
@require_POST
def cancel(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    """Stop the newest run of the study, if it is still going on."""
    study = get_object_or_404(Study, slug=slug, version=version)
    progress = pages.progress_of(study)
    if progress is None or not running.cancel(run=progress.run):
        messages.info(request, "There was nothing to cancel: no analysis is going on.")
    return redirect("results", slug, version)
