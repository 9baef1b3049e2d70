"""The page of a study that compares texts: what more votes, topics or workers would show."""

from collections.abc import Sequence
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from analysis.entities.names import response_name
from analysis.models import AnalysisRun
from analysis.plots.intervals import percent
from analysis.results import vote_plans
from analysis.results.findings import records
from analysis.results.vote_plans import NothingToPlanFrom, QuestionPlan
from analysis.stats.bradley_terry.next_by_topic import AHEAD
from annotation import access
from annotation.access import Act
from annotation.models import Response, Study

ERRORS = (5, 10, 20)  # per cent of a topic's pairs in the wrong order that are good enough
USUAL = 10
MOST_PAIRS = 10  # of a question that the page names


@login_required
@require_GET
def plans(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    """From the newest run of people, as `manage.py plan_votes` says it."""
    study = access.study_for(
        request.user, slug=slug, version=version, may=Act.VIEW, kind=Study.Kind.JUDGING
    )
    run = study.runs.newest_finished()
    context: dict[str, Any] = {"study": study, "run": run, "errors": ERRORS}
    if run is not None:
        asked = request.GET.get("error", "")
        context["error"] = error = int(asked) if asked in map(str, ERRORS) else USUAL
        context |= _planned(run, error / 100)
    return render(request, "console/vote_plans.html", context)


def _planned(run: AnalysisRun, error: float) -> dict[str, Any]:
    try:
        found = vote_plans.question_plans(run, error=error)
    except NothingToPlanFrom as nothing:
        return {"nothing": str(nothing)}
    shown = [_shown(plan) for plan in found]
    texts = _texts_of(run.study, [pair for each in shown for pair in each["pairs"]])
    return {
        "questions": [
            {**each, "pairs": [_named(pair, texts) for pair in each["pairs"]]} for each in shown
        ],
        "assumes": vote_plans.ASSUMES,
        "percent": percent(run.confidence),
        "ahead": AHEAD,
    }


def _shown(plan: QuestionPlan) -> dict[str, Any]:
    waiting = plan.open
    return {
        "plan": plan,
        "rows": records(plan.plans),
        "finished": len(plan.topics) - len(waiting),
        "pairs": records(waiting.head(MOST_PAIRS)),
    }


def _texts_of(study: Study, pairs: Sequence[dict[str, Any]]) -> dict[str, Response]:
    """The texts of the pairs of all questions, by their keys."""
    keys = {pair[side] for pair in pairs for side in ("a", "b")}
    texts = Response.objects.filter(corpus=study.corpus, key__in=keys).defer("text")
    return {each.key: each for each in texts.select_related("system", "topic")}


def _named(pair: dict[str, Any], texts: dict[str, Response]) -> dict[str, Any]:
    """With the query of the topic, and the texts by whom they are of: their keys say little."""
    named = {side: response_name(texts[pair[side]]) for side in ("a", "b") if pair[side] in texts}
    query = texts[pair["a"]].topic.query if pair["a"] in texts else ""
    return {**pair, **named, "query": query}
