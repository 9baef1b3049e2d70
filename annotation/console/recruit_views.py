"""Recruit: how people come to a study, its batches, and what can be done with them."""

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.db.models import prefetch_related_objects
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_http_methods

from annotation import jobs, tasks
from annotation.clock import database_now
from annotation.fieldwork.recruiting import completion_codes
from annotation.models import Batch, Study
from annotation.people import access
from annotation.people.access import Act
from annotation.studies import batch_acts
from annotation.studies.act_effects import ActEffect, BatchTerms, terms_of, terms_of_batches
from annotation.studies.batching import NotReady, stamp_of
from annotation.studies.creating import RefusedSetting
from annotation.studies.drafts.kinds import kind_of
from annotation.studies.pilot_results import pilot_and_next, pilot_results
from annotation.texts.translation import translated_error

LABELS = {
    "pay": gettext_lazy("Pay per task"),
    "minutes": gettext_lazy("Minutes per task"),
    "votes": gettext_lazy("Participants per task"),
    "topics": gettext_lazy("More topics"),
    "items": gettext_lazy("Maximum items"),
}
FURTHER = {"extend": {"votes": gettext_lazy("More participants per task")}}  # where an act adds
DONE = {
    "open": gettext_lazy("Batch {batch} is open."),
    "terms": gettext_lazy("Batch {batch} saved."),
    "pause": gettext_lazy("Batch {batch} is paused."),
    "resume": gettext_lazy("Batch {batch} is open."),
    "extend": gettext_lazy("Places added to batch {batch}."),
    "close": gettext_lazy("Batch {batch} is closed. The analysis has started."),
    "repeat": gettext_lazy("Batch {batch} is planned. Open it to start."),
    "topics": gettext_lazy("Batch {batch} is planned. Open it to start."),
    "undecided": gettext_lazy("Batch {batch} is planned. Open it to start."),
    "unknown": gettext_lazy("Batch {batch} is planned. Open it to start."),
}


@dataclass(frozen=True)
class BatchRow:
    """A batch on the page, and what can be done with it as it is."""

    offer: BatchTerms
    possible: list[batch_acts.BatchAct]
    is_next: bool = False  # whether to open it is the next thing to do
    waits_for: str = ""  # the name of a batch that runs

    @property
    def at_once(self) -> list[tuple[batch_acts.BatchAct, str]]:
        """Acts done by one click and undone by another, with their effects."""
        same = ActEffect(self.offer, self.offer)
        return [(act, " ".join(act.says(same))) for act in self.possible if act.at_once]

    @property
    def looked_at(self) -> list[batch_acts.BatchAct]:
        """Acts with a page that explains them; acts of the study have their own links."""
        return [act for act in self.possible if not act.at_once and not act.of_study]


def _lines(offers: list[BatchTerms], *, running: str, waits: bool) -> list[BatchRow]:
    """Return the batches as rows.

    `running` is the name of the running pilot; `waits`: its results should be reviewed first.
    """
    draft = Batch.State.DRAFT
    planned = next((offer.batch for offer in offers if offer.batch.state == draft), None)
    return [
        BatchRow(
            offer,
            batch_acts.acts_for(offer.batch),
            is_next=offer.batch == planned and not running and not waits,
            waits_for=running if offer.batch.state == draft else "",
        )
        for offer in offers
    ]


@login_required
@require_GET
def recruit(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    """Show recruitment and batches.

    An htmx request gets only the batches; it sends the states that its page shows.
    """
    study = access.study_for(request.user, slug=slug, version=version, may=Act.VIEW)
    # What of topics is left looks at the batches, and each act at the studies on the platform.
    prefetch_related_objects([study], "batches", "platform_studies")
    batches = list(study.batches.all())
    for batch_row in batches:
        batch_row.study = study
    offers = terms_of_batches(batches)
    pilot = pilot_and_next(offers)
    lessons = pilot_results(pilot[0]) if pilot else None
    terms_first = bool(pilot and lessons and lessons.proposes_other_terms(pilot[1]))
    running = next((batch.name for batch in batches if batch.teaches), "")
    lines = _lines(offers, running=running, waits=terms_first)
    states = ",".join(f"{line.offer.batch.state}{line.is_next:d}" for line in lines)
    moving = {
        "study": study,
        "lines": lines,
        "states": states,
        "recruits": any(batch.state != Batch.State.CLOSED for batch in batches),
    }
    if getattr(request, "htmx", False):
        partial = render(request, "console/recruit/_waves.html", moving)
        if request.GET.get("states", "") != states:  # what can be done is another by now
            partial["HX-Reswap"] = "outerHTML"
        return partial
    code, rounds = request.GET.get("code", ""), kind_of(study.kind).next_rounds
    context = {
        **moving,
        "lessons": lessons,
        "terms_first": terms_first and lessons and lessons.is_over,
        "planned": pilot[1] if pilot else None,
        "code": code,
        "code_work": completion_codes.work_of(study=study, code=code) if code else None,
        "topics_left": kind_of(study.kind).topics_left(study) if study.launched_at else 0,
        "is_round_due": bool(study.launched_at and rounds and rounds.is_due(study)),
        "like": next((batch for batch in reversed(batches) if not batch.onboarding), None),
    }
    return render(request, "console/recruit/recruit.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def batch_act(request: HttpRequest, slug: str, version: int, number: int, act: str) -> HttpResponse:
    """Preview an act on a batch with counts and money, and perform it as previewed.

    An htmx request gets only the preview. The page of a slow act comes without it and asks for it;
    `wait` says to have it at once.
    """
    may = Act.RUN if request.method == "POST" else Act.VIEW
    study = access.study_for(request.user, slug=slug, version=version, may=may)
    chosen, batch = batch_acts.ACTS.get(act), study.batches.filter(number=number).first()
    if chosen is None or batch is None:
        raise Http404("Batch not found.")
    batch.study = study
    context: dict[str, Any] = {"study": study, "batch": batch, "act": chosen, "status": 200}
    if chosen.key == "open":
        context["running"] = _running(study)
    if request.method == "POST" and _performed(request, chosen, batch, context):
        return redirect("recruit", slug, version)
    partial = getattr(request, "htmx", False)
    is_asked = request.method == "POST" or partial or "wait" in request.GET
    context["is_pending"] = chosen.is_slow and not is_asked
    _preview(request, chosen, batch, context)
    template = "console/recruit/_effect.html" if partial else "console/recruit/act.html"
    return render(request, template, context, status=context["status"])


def _running(study: Study) -> BatchTerms | None:
    """Return the running batch that a new one should wait for, or None."""
    running = next((batch for batch in study.batches.all() if batch.teaches), None)
    if running is None:
        return None
    running.study = study
    return terms_of(running)


def _performed(
    request: HttpRequest, act: batch_acts.BatchAct, batch: Batch, context: dict[str, Any]
) -> bool:
    """Return whether it is done; otherwise the context says why not."""
    assert isinstance(request.user, User)
    if act.final and _words(request.POST.get("name", "")) != _words(batch.name):
        context |= {"wrong_name": True, "status": 422}
        return False
    try:
        arguments = batch_acts.parsed_arguments(act, request.POST)
        made = batch_acts.perform(
            act=act,
            batch=batch,
            user=request.user,
            now=database_now(),
            stamp=None if act.at_once else request.POST.get("stamp", ""),
            said=arguments,
            confirmed=request.POST.get("confirmed") == "yes",
        )
        if batch.study.recruitment == Study.Recruitment.PROLIFIC:
            jobs.send_after_commit(tasks.follow_batches, batch.study_id)
    except RefusedSetting as error:
        context |= {"faults": {error.name: error.reasons}, "status": 422}
    except batch_acts.ActNotConfirmed:
        context |= {"unconfirmed": True, "status": 422}
    except NotReady as error:
        context |= {"refused": translated_error(error), "status": 409}
    else:
        messages.success(request, DONE[act.key].format(batch=made.name))
        return True
    return False


def _words(text: str) -> str:
    return " ".join(text.split())


def _preview(
    request: HttpRequest, act: batch_acts.BatchAct, batch: Batch, context: dict[str, Any]
) -> None:
    """Say what it would come to, with the figures that somebody typed, or else the usual ones."""
    batch.refresh_from_db(fields=["state", "pay", "minutes"])
    usual = batch_acts.usual(act, terms_of(batch))
    typed = request.POST if request.method == "POST" else request.GET
    values = {name: typed.get(name, value) for name, value in usual.items()}
    faults = context.setdefault("faults", {})
    try:
        arguments = batch_acts.parsed_arguments(act, values)
        if not context["is_pending"]:
            effect = batch_acts.preview(act=act, batch=batch, now=database_now(), said=arguments)
            context |= {"says": act.says(effect), "asks": effect.asks}
    except RefusedSetting as error:
        faults.setdefault(error.name, error.reasons)
    except NotReady as error:
        context.setdefault("refused", translated_error(error))
    context["stamp"] = stamp_of(batch)
    labels = LABELS | FURTHER.get(act.key, {})
    context["fields"] = [
        {"name": name, "label": labels[name], "value": value, "fault": faults.get(name)}
        for name, value in values.items()
    ]
