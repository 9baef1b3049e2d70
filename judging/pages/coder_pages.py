"""Pages of LLM coders: models that code the units of a coding."""

from functools import partial
from typing import Any

from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation.models import WorkNotice
from annotation.people import access
from annotation.people.access import Act, user_of
from annotation.people.access.roles import check as check_right
from judging import tasks
from judging.banks.secrets import hidden_items, units_about
from judging.calls import running_rounds
from judging.coders import setting_up, wording
from judging.coders.forecasts import forecast_of
from judging.coders.preparing import messages_of, missing
from judging.coders.setting_up import Manner
from judging.coders.wording import READY
from judging.coding.coding_units import codebook_of
from judging.models import CoderPrompt, CoderRound, Coding, CodingUnit
from judging.pages import asker_views, askers
from judging.pages.askers import AskerForm, TermsForm, terms_of
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

    def show(form: CoderForm, *, status: int = 200, **more: Any) -> HttpResponse:
        shown = context | {"form": form} | more
        return render(request, "console/coders/new.html", shown, status=status)

    if request.method == "GET":
        return show(CoderForm(initial=_begun(request, coding)))
    return asker_views.answer_new(
        request,
        CoderForm(request.POST),
        show=show,
        preview=partial(_typed_preview, coding),
        save=lambda form: address(_set_up(request, coding, form)),
    )


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
    return asker_views.answer_round_act(
        request,
        one,
        show=partial(_page, request, one),
        at=address(one),
        list_at=reverse("coding", args=[slug, version, pk]),
        kind=WorkNotice.Kind.CODERS,
        task=tasks.code_comments,
        delete=running_rounds.delete,
        restore=running_rounds.restore,
        restored_below=False,
    )


def coder_of(coding: Coding, pk: int) -> CoderRound:
    """Return an LLM coder whose study knows the role of the user. Raises Http404."""
    one = get_object_or_404(CoderRound.objects.select_related("prompt"), coding=coding, pk=pk)
    one.coding = coding
    return one


def address(one: CoderRound) -> str:
    return reverse("coder", args=_place(one))


def _place(one: CoderRound) -> list[Any]:
    return [one.study.slug, one.study.version, one.coding_id, one.pk]


def _begun(request: HttpRequest, coding: Coding) -> dict[str, Any]:
    rounds = CoderRound.objects.filter(coding__study=coding.study)
    return askers.begun(request, rounds, READY, max_tokens=Manner.max_tokens)


def _typed_preview(coding: Coding, form: CoderForm) -> dict[str, Any]:
    """Return a preview of the unsaved form values. Raises BadPrompt."""
    words, manner, terms = form.wording(), form.manner(), form.terms()
    wording.check(**words)
    one = CoderRound(
        coding=coding,
        prompt=CoderPrompt(study=coding.study, **words),
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


def _set_up(request: HttpRequest, coding: Coding, form: CoderForm) -> CoderRound:
    """Save the prompt and the LLM coder, or neither. Raises BadPrompt or BadAsker."""
    how: dict[str, Any] = {"terms": form.terms(), "manner": form.manner()}
    how |= {"study": coding.study, "owner": {"coding": coding}}
    made: CoderRound = asker_views.set_up(setting_up, form.cleaned_data, user_of(request), **how)
    return made


def _progress(one: CoderRound) -> dict[str, Any]:
    context = askers.round_context(one, "coder", *_place(one))
    return context | {
        "study": one.study,
        "owner": one.study,
        "coding": one.coding,
        "round_base": BASE,
        "forecast": None if context["progress"].calls else forecast_of(one),
        "unwritten": missing(one).count(),
    }


def _page(request: HttpRequest, one: CoderRound, form: TermsForm) -> HttpResponse:
    """Render the page of an LLM coder; refused terms keep the entered values."""
    calls = one.calls.exclude(unit__in=_hidden(one.coding))
    context = _progress(one) | {"told": _told(one, _first(one.coding))}
    return asker_views.answer_round(
        request, "console/coders/round.html", one, form, context, "unit", calls=calls
    )
