"""Views of the planning page of a draft."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_GET

from analysis import tasks
from analysis.models import Forecast
from analysis.pages.planning.assumptions import PUBLISHED, PlanForm, pilots_for, usual_fee
from analysis.pages.planning.methods import method_plans
from analysis.pages.planning.pairs import WRITING, NoCurve
from analysis.pages.planning.power import ask, figure_of, sure_of, sureness_of, unsure_of
from analysis.stats.errors import BadSetting, CannotCompute
from annotation.clock import database_now
from annotation.console.builder.choosing_views import head_of
from annotation.corpora.contents import State, state_of
from annotation.models import Corpus, Draft, Study
from annotation.people import access
from annotation.people.access import Act
from annotation.studies.drafts.estimates import COUNTED
from annotation.studies.drafts.faults import faults_of
from annotation.studies.drafts.kinds import Outline, decoded
from annotation.studies.drafts.lookup import draft_for
from annotation.studies.drafts.plan_results import WANTED, PlannedPower, keep
from annotation.studies.drafts.schema import Document
from annotation.studies.drafts.workload import outline_or_why
from annotation.texts.time_left import WorkProgress, seconds_left
from annotation.texts.translation import translated_error


@login_required
@require_GET
def plan(request: HttpRequest, pk: int) -> HttpResponse:
    """Show workload and cost of a draft; the page fetches the power by itself."""
    draft = draft_for(request.user, pk=pk, may=Act.VIEW)
    if draft.study:
        return redirect(draft.study)
    head = head_of(draft)
    outline, why = _outline(draft, head["document"], head["corpus_state"])
    form = PlanForm(request.GET, pilots=pilots_for(request.user))
    is_valid = form.is_valid()
    context = {
        **head,
        "current": "plan",
        "form": form,
        "outline": outline,
        "why": why,
        "judges": draft.kind == Study.Kind.JUDGING,
        "asked": request.GET.urlencode(),
        "fields": _fields(form, head["document"]),
        "no_curve": WRITING,
    }
    if outline is not None:
        fee = form.fee_of(head["document"]) if is_valid else usual_fee(head["document"])
        context |= _figures(outline, head["document"], fee)
    return render(request, "console/draft/plan.html", context, status=200 if is_valid else 422)


@login_required
@require_GET
def certainty(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the power under the assumptions; the part asks again during a simulation."""
    draft = draft_for(request.user, pk=pk, may=Act.VIEW)
    document = decoded(draft.document)
    state = state_of(draft.corpus) if draft.corpus else None
    outline, why = _outline(draft, document, state)
    form = PlanForm(request.GET, pilots=pilots_for(request.user))
    context: dict[str, Any] = {"draft": draft, "why": why, "form": form, "document": document}
    if form.is_valid() and outline is not None and draft.corpus is not None:
        try:
            forecast = ask(
                *(draft, document, draft.corpus, outline),
                assuming=form,
                enqueue=tasks.enqueue_forecast,
                now=database_now(),
                state=state,
            )
        except (NoCurve, BadSetting) as error:
            context["why"] = translated_error(error)
        else:
            context |= _foreseen(forecast, draft, document, outline, form, state)
    return render(request, "console/draft/_certainty.html", context)


@login_required
@require_GET
def methods(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the plan of every built-in method on the corpus of a draft."""
    draft = draft_for(request.user, pk=pk, may=Act.VIEW)
    document = decoded(draft.document)
    form = PlanForm(request.GET, pilots=pilots_for(request.user))
    plans = []
    if draft.corpus is not None and form.is_valid():
        names = [instrument["name"] for instrument in document.instruments]
        fee = form.fee_of(document)
        plans = method_plans(draft.corpus, request.user, fee=fee, asked=names)
    context = {"draft": draft, "plans": plans}
    return render(request, "console/draft/_plan_methods.html", context)


def _foreseen(
    forecast: Forecast,
    draft: Draft,
    document: Document,
    outline: Outline,
    form: PlanForm,
    state: State | None,
) -> dict[str, Any]:
    """Return the context of a simulation, running or done."""
    if forecast.is_under_way:
        elapsed = (database_now() - forecast.asked_at).total_seconds()
        left = seconds_left(elapsed, forecast.done, 1)
        return {"forecast": forecast, "work": WorkProgress(forecast.done, 1, left)}
    if forecast.state == Forecast.State.FAILED:
        return {"why": gettext("The simulation failed three times.")}
    try:
        sure = sure_of(forecast, document, outline, assuming=form, fee=form.fee_of(document))
    except CannotCompute as error:
        _keep(draft, document, unsure_of(error), form, state)
        return {"why": translated_error(error)}
    _keep(draft, document, sureness_of(sure, assuming=form), form, state)
    return {"sure": sure, "figure": figure_of(sure), "wanted": WANTED}


def _keep(
    draft: Draft, document: Document, sureness: PlannedPower, form: PlanForm, state: State | None
) -> None:
    """Store the power for Check and the launch, but not from guesses or for mere viewers."""
    if draft.corpus is not None and form.is_found and access.may(draft, Act.EDIT):
        keep(
            draft=draft,
            document=document,
            corpus=draft.corpus,
            sureness=sureness,
            now=database_now(),
            state=state,
        )


def _outline(draft: Draft, document: Document, state: State | None) -> tuple[Outline | None, str]:
    corpus: Corpus | None = draft.corpus
    faults = faults_of(document, draft=draft)
    first = next((fault for fault in faults if fault.path.partition("/")[0] in COUNTED), None)
    if corpus is None or first is not None:
        reason = first.sentence if first else gettext("Choose a corpus.")
        return None, gettext("The workload can't be computed yet. {said}").format(said=reason)
    return outline_or_why(document, corpus, state)


def _fields(form: PlanForm, document: Document) -> list[tuple[Any, str, str]]:
    """Return each field with its explanation and its default."""
    fee = f"{100 * usual_fee(document):.3g}"
    share = form.pilot.share if form.is_valid() else PUBLISHED.share
    return [
        (
            form["share"],
            gettext(
                "Share of careful votes won against the second-best system. A tie is half a win."
            ),
            f"{100 * share:.0f}",
        ),
        (
            form["competence"],
            gettext("All other votes are random."),
            "100",
        ),
        (form["fee"], gettext("The platform charges this on top of pay; see your contract."), fee),
        (form["vat"], gettext("The fee shown includes VAT."), "0"),
    ]


def _figures(outline: Outline, document: Document, fee: float) -> dict[str, Any]:
    expected = outline.expected(target=document.recruitment.hourly_wage)
    most = document.recruitment.tasks_per_worker
    return {
        "workers": outline.people(tasks_per_worker=most)[0],
        "raters": outline.raters(tasks_per_worker=most),
        "expected": expected,
        "cost": float(outline.cost),
        "fee": 100 * fee,
        "cost_with_fees": float(outline.cost) * (1 + fee),
    }
