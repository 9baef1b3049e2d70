"""Try it: a draft's page for walking the worker's way or running a simulated crowd."""

from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST

from annotation import jobs, tasks
from annotation.clock import database_now
from annotation.console.builder.annotated_sections import fault_views
from annotation.console.builder.choosing_views import head_of
from annotation.fieldwork.trials import ending, making, recording_trials, simulating
from annotation.fieldwork.work.refusals import NoTaskLeft
from annotation.models import Assignment, Draft, Place, Simulation, Study, Task, Trial, WorkNotice
from annotation.people import access, notifying
from annotation.people.access import Act, user_of
from annotation.studies.drafts.kinds import kind_of
from annotation.studies.drafts.launching import HasFaults
from annotation.studies.drafts.lookup import draft_for
from annotation.studies.drafts.saving import DraftClosed
from annotation.texts.time_left import WorkProgress, seconds_left


class SimulationForm(forms.Form):
    """A crowd; `competence` is in percent."""

    workers = forms.IntegerField(required=False, min_value=2, max_value=1000)
    competence = forms.IntegerField(initial=73, min_value=5, max_value=95)
    difference = forms.FloatField(initial=0.5, min_value=0, max_value=5)


@login_required
@require_http_methods(["GET", "POST"])
def try_it(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the link of one's own trial and its actions, or create it."""
    may = Act.EDIT if request.method == "POST" else Act.VIEW
    one = draft_for(request.user, pk=pk, may=may)
    context: dict[str, Any] = {}
    if request.method == "POST":
        try:
            making.make_trial(draft=one, user=user_of(request), now=database_now())
        except DraftClosed as error:
            return redirect(error.draft)
        except HasFaults as error:
            context["refused"] = error.faults
        else:
            return redirect("draft_try", pk)
    context = _page(request, one) | context
    if "refused" in context:
        context["faults"] = fault_views(context["refused"], context["all_sections"])
    status = 409 if "refused" in context else 200
    return render(request, _template(one), context, status=status)


def _template(draft: Draft) -> str:
    """Return the template: a launched study can only be tried by a simulated crowd."""
    return "console/frozen/simulate.html" if draft.study else "console/draft/try.html"


def _page(request: HttpRequest, draft: Draft) -> dict[str, Any]:
    if draft.study:
        draft.study.role = draft.role  # they have the same people
    simulation = Simulation.objects.filter(draft=draft).select_related("study").first()
    mine = Trial.objects.select_related("study").filter(draft=draft, user=user_of(request)).first()
    tried = recording_trials.last_tried(draft)
    return {
        **head_of(draft),
        "study": draft.study,
        "current": "try",
        "trial": mine,
        "variants": variants_of(mine) if mine else [],
        "trials_of_others": _of_others(draft, request),
        "link": settings.PUBLIC_URL + mine.study.public_path if mine else "",
        "may_edit": access.may(draft, Act.EDIT),
        "simulation": simulation,
        **(_done(simulation.study) if simulation and simulation.study else {}),
        "form": SimulationForm(),
        "tried": tried,
        "tried_how": recording_trials.tried_of(tried) if tried else None,
    }


def _of_others(draft: Draft, request: HttpRequest) -> QuerySet[Trial]:
    """Their links are open to whoever has them, so whoever may change the draft can end them."""
    rows = Trial.objects.filter(draft=draft).exclude(user=user_of(request))
    return rows.select_related("user").order_by("pk")


def _done(study: Study) -> dict[str, Any]:
    """Return how far the crowd is."""
    done = Assignment.objects.counting().filter(study=study).count()
    places = Place.objects.filter(task__batch__study=study).count()
    began = study.launched_at or database_now()
    left = seconds_left((database_now() - began).total_seconds(), done, places)
    return {
        "simulation_done": done,
        "simulation_places": places,
        "work": WorkProgress(done, places, left),
    }


@login_required
@require_POST
def try_variant(request: HttpRequest, pk: int) -> HttpResponse:
    """Begin the task `task` of one's own trial, which is of a variant, as another worker."""
    one = draft_for(request.user, pk=pk, may=Act.EDIT)
    trial = Trial.objects.select_related("study").filter(draft=one, user=user_of(request)).first()
    wanted = request.POST.get("task", "")
    variants = {str(task): task for task, _ in variants_of(trial)} if trial else {}
    if trial is None or wanted not in variants:
        return redirect("draft_try", pk)
    task = Task.objects.get(pk=variants[wanted])
    try:
        work = making.begin_with(trial=trial, task=task, user=user_of(request), now=database_now())
    except NoTaskLeft:
        messages.error(request, gettext("Someone just took this task. Choose another."))
        return redirect("draft_try", pk)
    return redirect("work", work.token)


def variants_of(trial: Trial) -> list[tuple[int, str]]:
    """Return for each variant a task with a free place; nothing if all tasks ask for the same."""
    names = kind_of(trial.study.kind).variants(trial.study)
    free = Place.objects.filter(task__in=names, assignment=None).order_by("-task__number")
    first = {names[task]: task for task in free.values_list("task", flat=True)}
    return sorted(((task, name) for name, task in first.items()), key=lambda each: each[1])


@login_required
@require_POST
def end_trial(request: HttpRequest, pk: int) -> HttpResponse:
    """Delete one's own trial now, or that of `person`. Done twice, it is done once."""
    one = draft_for(request.user, pk=pk, may=Act.EDIT)
    person = request.POST.get("person", "")
    whose = int(person) if person.isdecimal() and len(person) <= 9 else user_of(request).pk
    for trial in Trial.objects.select_related("study").filter(draft=one, user=whose):
        ending.end(study=trial.study)
    messages.success(request, gettext("Trial deleted."))
    return redirect("draft_try", pk)


@login_required
@require_POST
def simulate(request: HttpRequest, pk: int) -> HttpResponse:
    """Have a copy of the draft answered by a simulated crowd; asked twice it is one."""
    one = draft_for(request.user, pk=pk, may=Act.EDIT)
    form = SimulationForm(request.POST)
    context: dict[str, Any] = {}
    if form.is_valid():
        values = form.cleaned_data
        try:
            made = simulating.ask(
                draft=one,
                user=user_of(request),
                workers=values["workers"],
                competence=values["competence"] / 100,
                difference=values["difference"],
                now=database_now(),
            )
        except HasFaults as error:
            context["refused"] = error.faults
        else:
            notifying.expect(
                user=user_of(request),
                kind=WorkNotice.Kind.SIMULATION,
                work=made.pk,
                title=one.title,
                path=reverse("draft_try", args=[pk]),
                now=database_now(),
            )
            jobs.send_after_commit(tasks.simulate, made.pk)
            return redirect("draft_try", pk)
    context = _page(request, one) | context | {"form": form}
    if "refused" in context:
        context["faults"] = fault_views(context["refused"], context["all_sections"])
    return render(request, _template(one), context, status=422)


@login_required
@require_POST
def end_simulation(request: HttpRequest, pk: int) -> HttpResponse:
    """Delete the simulated copy now. Done twice, it is done once."""
    one = draft_for(request.user, pk=pk, may=Act.EDIT)
    ending.end_simulation(draft=one)
    messages.success(request, gettext("Simulated copy deleted."))
    return redirect("draft_try", pk)
