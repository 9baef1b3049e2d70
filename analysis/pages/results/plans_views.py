"""View of the gain of more votes, topics or workers."""

from collections.abc import Sequence
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from analysis.models import AnalysisRun
from analysis.pages.results import vote_plans
from analysis.pages.results.run_results import RunResults
from analysis.pages.results.vote_plans import ERRORS, USUAL, NothingToPlanFrom
from analysis.plots.text_fitting import percent
from analysis.stats.bradley_terry.next_by_topic import AHEAD
from annotation.corpora.text_names import text_name
from annotation.models import Response, Study
from annotation.people import access
from annotation.people.access import Act


@login_required
@require_GET
def plans(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    """Show the plans from the newest run of people, as `manage.py plan_votes` does."""
    study = access.study_for(
        request.user, slug=slug, version=version, may=Act.VIEW, kind=Study.Kind.JUDGING
    )
    run = study.runs.newest_finished()
    context: dict[str, Any] = {"study": study, "run": run, "errors": ERRORS}
    if run is not None:
        wanted = request.GET.get("error", "")
        context["error"] = error = int(wanted) if wanted in map(str, ERRORS) else USUAL
        context |= _planned(run, error)
    return render(request, "console/vote_plans.html", context)


def _planned(run: AnalysisRun, error: int) -> dict[str, Any]:
    try:
        plans = vote_plans.shown_plans(RunResults(run), error)
    except NothingToPlanFrom as nothing:
        return {"nothing": str(nothing)}
    texts = _texts_of(run.study, [pair for plan in plans for pair in plan.pairs])
    return {
        "questions": [
            {
                "plan": plan,
                "pairs": [_named(pair, texts) for pair in plan.pairs],
                "is_open": plan is plans[-1],  # overall quality, mostly
            }
            for plan in plans
        ],
        "assumes": vote_plans.ASSUMES,
        "percent": percent(run.confidence),
        "ahead": AHEAD,
    }


Text = tuple[str, str]  # its name, and the query of its topic


def _texts_of(study: Study, pairs: Sequence[dict[str, Any]]) -> dict[str, Text]:
    """Return the texts of the pairs of all questions, by key."""
    keys = {pair[side] for pair in pairs for side in ("a", "b")}
    texts = Response.objects.filter(corpus=study.corpus, key__in=keys)
    read = texts.values_list("key", "topic__query", "system__name", "origin", "style")
    return {key: (text_name(*by), query) for key, query, *by in read}


def _named(pair: dict[str, Any], texts: dict[str, Text]) -> dict[str, Any]:
    """Return a pair with the query of its topic and the names of its texts."""
    named = {side: texts[pair[side]][0] for side in ("a", "b") if pair[side] in texts}
    query = texts[pair["a"]][1] if pair["a"] in texts else ""
    return {**pair, **named, "query": query}
