"""Pages of LLM coders: models that code the units of a coding."""

from functools import partial
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation.clock import database_now
from annotation.models import WorkNotice
from annotation.people import access
from annotation.people.access import Act, user_of
from annotation.people.access.roles import check as check_right
from annotation.texts.translation import translated_error
from judging import tasks
from judging.banks.secrets import hidden_items, units_about
from judging.calls.asking import BadAsker, may_be_deleted
from judging.calls.prompts import BadPrompt
from judging.coders import setting_up, wording
from judging.coders.forecasts import forecast_of
from judging.coders.preparing import messages_of, missing
from judging.coders.setting_up import Manner
from judging.coders.wording import READY
from judging.coding.coding_units import codebook_of
from judging.models import CoderPrompt, CoderRound, Coding, CodingUnit
from judging.pages import askers
from judging.pages.askers import NEW, AskerForm, TermsForm, copy_of, terms_of
from judging.pages.coding_pages import coding_of

BASE = "console/coders/_base.html"  # of the templates that rounds share


class CoderForm(AskerForm):
    def manner(self) -> Manner:
        return Manner(**self.settings())


@login_required
@require_http_methods(["GET", "POST"])
def coder_new(request: HttpRequest, slug: str, version: int, pk: int) -> HttpResponse:
    """Set an LLM coder up, or preview its prompt on a comment, and its price."""
    study = access.study_for(request.user, slug=slug, version=version, may=Act.VIEW)
    coding = coding_of(study, pk)
    check_right(study, Act.RUN)
    context: dict[str, Any] = {
        "study": study,
        "coding": coding,
        "priced": study,
        "round_base": BASE,
        "variables": wording.VARIABLES,
    }
    if request.method == "GET":
        form = CoderForm(initial=_begun(request, coding))
        return render(request, "console/coders/new.html", context | {"form": form})
    form = CoderForm(request.POST)
    context |= {"form": form, "key_typed": bool(request.POST.get("key"))}
    wants_preview = request.POST.get("do") == "preview"
    if wants_preview:  # a preview needs no name and no address
        for name in ("name", "base_url"):
            form.fields[name].required = False
    try:
        if form.is_valid() and wants_preview:
            context["preview"] = _typed_preview(coding, form)
            return render(request, "console/coders/new.html", context)
        if form.is_valid():
            made = _set_up(request, coding, form)
            return redirect("coder", slug, version, pk, made.pk)
    except (BadPrompt, BadAsker) as error:
        context["refused"] = translated_error(error)
    return render(request, "console/coders/new.html", context, status=422)


@login_required
@require_GET
def coder(request: HttpRequest, slug: str, version: int, pk: int, round: int) -> HttpResponse:
    """Show an LLM coder: forecast, progress, failures, prompt. htmx requests the progress alone."""
    study = access.study_for(request.user, slug=slug, version=version, may=Act.VIEW)
    one = coder_of(coding_of(study, pk), round)
    if request.headers.get("HX-Request"):
        return render(request, "console/coders/_progress.html", _progress(one))
    return _page(request, one, TermsForm(initial=terms_of(one)))


@login_required
@require_POST
def coder_act(request: HttpRequest, slug: str, version: int, pk: int, round: int) -> HttpResponse:
    """Run, pause, retry failed calls, change the terms, delete, or restore."""
    study = access.study_for(request.user, slug=slug, version=version, may=Act.VIEW)
    one = coder_of(coding_of(study, pk), round)
    check_right(study, Act.RUN)
    try:
        message = _act(request, one)
    except BadAsker as error:
        messages.error(request, translated_error(error))
        if request.POST.get("do") == "change":
            return _page(request, one, TermsForm(request.POST))
    else:
        messages.success(request, message)
        if request.POST.get("do") == "delete":
            return redirect("coding", slug, version, pk)
    return redirect("coder", slug, version, pk, round)


def coder_of(coding: Coding, pk: int) -> CoderRound:
    """Return an LLM coder whose study knows the role of the user. Raises Http404."""
    one = get_object_or_404(CoderRound.objects.select_related("prompt"), coding=coding, pk=pk)
    one.coding = coding
    return one


def address(one: CoderRound) -> str:
    return reverse("coder", args=_place(one))


def _place(one: CoderRound) -> list[Any]:
    return [one.study.slug, one.study.version, one.coding_id, one.pk]


def _act(request: HttpRequest, one: CoderRound) -> str:
    """Return the message. Raises BadAsker."""
    do, by, values = request.POST.get("do"), user_of(request), {"name": one.name}
    message = askers.act_on(
        request,
        one,
        kind=WorkNotice.Kind.CODERS,
        path=address(one),
        task=tasks.code_comments,
        run=partial(setting_up.run, round=one, by=by),
        running=gettext("Round started."),
        pause=partial(setting_up.pause, round=one, by=by),
        retry=partial(setting_up.retry, round=one, by=by),
        change=partial(setting_up.change, round=one, by=by),
    )
    if message is not None:
        return message
    if do == "delete":
        setting_up.delete(round=one, by=by)
        return gettext("%(name)s deleted.") % values
    if do == "bring_back":
        setting_up.restore(round=one, by=by)
        return gettext("%(name)s restored. Select Continue to resume the calls.") % values
    raise BadAsker("unknown_action", gettext("Unknown action for a round."))


def _begun(request: HttpRequest, coding: Coding) -> dict[str, Any]:
    """Return the initial values: those of another LLM coder, or the ready wording."""
    other = askers.asker_to_copy(request, CoderRound.objects.filter(coding__study=coding.study))
    if other is not None:
        return {"temperature": None, "seed": None} | copy_of(other)
    return NEW | {
        "prompt": READY.key,
        "system": READY.system,
        "user": READY.user,
        "max_tokens": Manner.max_tokens,
    }


def _typed_preview(coding: Coding, form: CoderForm) -> dict[str, Any]:
    """Return a preview of the unsaved form values. Raises BadPrompt."""
    data, manner, terms = form.cleaned_data, form.manner(), form.terms()
    system, user = (data[name].replace("\r\n", "\n") for name in ("system", "user"))
    wording.check(system=system, user=user)
    one = CoderRound(
        coding=coding,
        prompt=CoderPrompt(study=coding.study, system=system, user=user),
        settings=manner.settings,
        price_in=terms.price_in,
        price_out=terms.price_out,
    )
    return {"told": _told(one, _first(coding)), "forecast": forecast_of(one)}


def _first(coding: Coding) -> CodingUnit | None:
    """Return the first unit that the reader may read: none on a secret entry."""
    units = coding.units.select_related("instrument").order_by("position")
    return units.exclude(pk__in=_hidden(coding)).first()


def _hidden(coding: Coding) -> "QuerySet[Any]":
    return units_about(coding.study, hidden_items(coding.study)).order_by().values("pk")


def _told(one: CoderRound, unit: CodingUnit | None) -> list[dict[str, str]]:
    return messages_of(one, unit, codebook_of(one.coding)) if unit else []


@transaction.atomic
def _set_up(request: HttpRequest, coding: Coding, form: CoderForm) -> CoderRound:
    """Save the prompt and the LLM coder, or neither. Raises BadPrompt or BadAsker."""
    data, now, by = form.cleaned_data, database_now(), user_of(request)
    wording = {name: data[name] for name in ("system", "user")}
    prompt = setting_up.save_prompt(
        study=coding.study, key=data["prompt"], by=by, now=now, **wording
    )
    return setting_up.set_up(
        coding=coding,
        name=data["name"],
        prompt=prompt,
        manner=form.manner(),
        terms=form.terms(),
        key=data["key"],
        by=by,
        now=now,
    )


def _progress(one: CoderRound) -> dict[str, Any]:
    context = askers.progress_context(one)
    place = _place(one)
    return context | {
        "study": one.study,
        "owner": one.study,
        "coding": one.coding,
        "round_base": BASE,
        "round": one,
        "round_url": address(one),
        "act_url": reverse("coder_act", args=place),
        "new_url": reverse("coder_new", args=place[:-1]),
        "forecast": None if context["progress"].calls else forecast_of(one),
        "unwritten": missing(one).count(),
    }


def _page(request: HttpRequest, one: CoderRound, form: TermsForm) -> HttpResponse:
    """Render the page of an LLM coder; refused terms keep the entered values."""
    calls = one.calls.exclude(unit__in=_hidden(one.coding))
    unit = _first(one.coding)
    context = _progress(one) | askers.answers_context(request, one, "unit", calls=calls)
    context |= {
        "form": form,
        "key_typed": bool(form.data.get("key")),
        "goes_for_good": may_be_deleted(one),
        "told": _told(one, unit),
    }
    status = 422 if form.is_bound else 200
    return render(request, "console/coders/round.html", context, status=status)
