"""Pages of LLM authors: models that write the texts of a writing study."""

from functools import partial
from typing import Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation.clock import database_now
from annotation.models import Study, Topic, WorkNotice
from annotation.people import access
from annotation.people.access import Act, user_of
from annotation.people.access.roles import check as check_right
from judging import tasks
from judging.authors import setting_up, wording
from judging.authors.files import style_figures, summary_of
from judging.authors.forecasts import forecast_of
from judging.authors.preparing import brief_of, messages_of, missing, wanted
from judging.authors.setting_up import AuthorSettings
from judging.authors.wording import READY
from judging.calls import running_rounds
from judging.calls.asking import BadAsker
from judging.calls.progress import progress_of
from judging.models import AuthorPrompt, AuthorRound
from judging.pages import asker_views, askers
from judging.pages.askers import AskerForm, TermsForm, terms_of

BASE = "console/authors/_base.html"  # of the templates that rounds share


class AuthorForm(AskerForm):
    """Settings of an author; no chosen style means all of the study."""

    styles = forms.MultipleChoiceField(required=False)

    def __init__(self, study: Study, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        styles: Any = self.fields["styles"]
        styles.choices = [(style.key, style.name) for style in brief_of(study).styles]

    def manner(self) -> AuthorSettings:
        settings = self.settings()
        return AuthorSettings(**settings | {"styles": tuple(self.cleaned_data["styles"])})


@login_required
@require_GET
def authors(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    """Show the authors of a study with their progress."""
    study = _study(request, slug, version, Act.VIEW)
    now = database_now()
    rounds = AuthorRound.objects.filter(study=study).select_related("study", "prompt")
    rows = [(one, progress_of(one, now=now), summary_of(one)) for one in rounds]
    return render(request, "console/authors/list.html", {"study": study, "rows": rows})


@login_required
@require_http_methods(["GET", "POST"])
def author_new(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    """Set an author up, or preview its prompt about a topic, and its price."""
    study = _study(request, slug, version, Act.RUN)
    context: dict[str, Any] = {
        "study": study,
        "priced": study,
        "round_base": BASE,
        "brief": brief_of(study),
        "variables": wording.VARIABLES,
    }

    def show(form: AuthorForm, *, status: int = 200, **more: Any) -> HttpResponse:
        shown = context | {"form": form} | more
        return render(request, "console/authors/new.html", shown, status=status)

    if request.method == "GET":
        return show(AuthorForm(study, initial=_begun(request, study)))
    return asker_views.answer_new(
        request,
        AuthorForm(study, request.POST),
        show=show,
        preview=partial(_typed_preview, study),
        save=lambda form: address(_set_up(request, study, form)),
    )


@login_required
@require_GET
def author(request: HttpRequest, slug: str, version: int, pk: int) -> HttpResponse:
    """Show an author: forecast, progress, failures, prompt. htmx requests the progress alone."""
    study = _study(request, slug, version, Act.VIEW)
    one = author_of(study, pk)
    if request.headers.get("HX-Request"):
        return render(request, "console/authors/_progress.html", _progress(study, one))
    return _page(request, study, one, TermsForm(initial=terms_of(one)))


@login_required
@require_POST
def author_act(request: HttpRequest, slug: str, version: int, pk: int) -> HttpResponse:
    """Run, pause, retry failed calls, change the terms, delete, or restore."""
    study = _study(request, slug, version, Act.VIEW)
    one = author_of(study, pk)
    check_right(study, Act.RUN)
    return asker_views.answer_round_act(
        request,
        one,
        show=partial(_page, request, study, one),
        at=address(one),
        list_at=reverse("authors", args=[slug, version]),
        kind=WorkNotice.Kind.AUTHORS,
        task=tasks.write_responses,
        delete=running_rounds.delete,
        restore=running_rounds.restore,
        restored_below=False,
    )


def author_of(study: Study, pk: int) -> AuthorRound:
    rows = AuthorRound.objects.select_related("study__corpus", "study__team", "prompt")
    return get_object_or_404(rows, study=study, pk=pk)


def address(one: AuthorRound) -> str:
    return reverse("author", args=[one.study.slug, one.study.version, one.pk])


def _study(request: HttpRequest, slug: str, version: int, may: Act) -> Study:
    return access.study_for(
        request.user, slug=slug, version=version, may=may, kind=Study.Kind.WRITING
    )


def _begun(request: HttpRequest, study: Study) -> dict[str, Any]:
    new = {"max_tokens": AuthorSettings.max_tokens, "styles": setting_up.styles_of(study, ())}
    rounds = AuthorRound.objects.filter(study=study)
    return askers.begun(request, rounds, READY, "styles", **new)


def _typed_preview(study: Study, form: AuthorForm) -> dict[str, Any]:
    """Return a preview of the unsaved form values. Raises BadPrompt and BadAsker."""
    manner, terms = form.manner(), form.terms()
    words = form.wording()
    wording.check(**words)
    one = AuthorRound(
        study=study,
        prompt=AuthorPrompt(study=study, **words),
        styles=setting_up.styles_of(study, manner.styles),
        settings=manner.settings,
        price_in=terms.price_in,
        price_out=terms.price_out,
    )
    brief = brief_of(study)
    texts = wanted(one, brief)
    if not texts:
        raise BadAsker("no_tasks", gettext("No tasks in these styles."))
    topic = Topic.objects.get(pk=texts[0][0])
    return {
        "told": messages_of(one, brief, topic, texts[0][1]),
        "forecast": forecast_of(one, brief, texts),
    }


def _set_up(request: HttpRequest, study: Study, form: AuthorForm) -> AuthorRound:
    """Save the prompt and the author, or neither. Raises BadPrompt or BadAsker."""
    how: dict[str, Any] = {"terms": form.terms(), "manner": form.manner()}
    how |= {"study": study, "owner": {"study": study}}
    made: AuthorRound = asker_views.set_up(setting_up, form.cleaned_data, user_of(request), **how)
    return made


def _progress(study: Study, one: AuthorRound) -> dict[str, Any]:
    context = askers.round_context(one, "author", study.slug, study.version, one.pk)
    brief, is_new = brief_of(study), not context["progress"].calls
    return context | {
        "study": study,
        "owner": study,
        "round_base": BASE,
        "forecast": forecast_of(one, brief) if is_new else None,
        "unwritten": len(missing(one, brief)),
        "summary": summary_of(one),
        "style_figures": style_figures(one, brief),
        "brief": brief,
    }


def _page(request: HttpRequest, study: Study, one: AuthorRound, form: TermsForm) -> HttpResponse:
    """Render the page of an author; refused terms keep the entered values."""
    brief = brief_of(study)
    texts = wanted(one, brief)
    topic = Topic.objects.filter(pk=texts[0][0]).first() if texts else None
    told = messages_of(one, brief, topic, texts[0][1]) if topic else []
    context = _progress(study, one) | {"first": topic, "told": told}
    return asker_views.answer_round(
        request, "console/authors/round.html", one, form, context, "topic"
    )
