"""Pages of machine judges."""

from functools import partial
from typing import Any

from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation.clock import database_now
from annotation.models import Study, WorkNotice
from annotation.people import access
from annotation.people.access import Act, user_of
from annotation.people.access.roles import check as check_right
from annotation.texts.translation import translated_error
from judging import tasks
from judging.banks.secrets import hidden_items, hidden_keys
from judging.calls.asking import BadAsker, may_be_deleted
from judging.calls.progress import progress_of
from judging.calls.prompts import BadPrompt
from judging.machines import setting_up, withdrawing
from judging.machines.forecasts import forecast_of
from judging.machines.item_prompts import for_people_alone
from judging.machines.label_counts import label_counts
from judging.machines.previews import PromptPreview, preview
from judging.machines.prompt_variables import READY, check, ready_for
from judging.models import MachineJudge, Prompt
from judging.pages import asker_views, askers, machine_forms

COUNTED_WHILE_RUNNING = 2_000  # calls whose labels are counted at each look


@login_required
@require_GET
def machines(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    """Show the judges of a study with their progress."""
    study = _study(request, slug, version, Act.VIEW)
    judges = MachineJudge.objects.filter(study=study).select_related("study", "prompt", "rater")
    rows = [(judge, progress_of(judge, now=database_now())) for judge in judges]
    return render(request, "console/machines/list.html", {"study": study, "rows": rows})


@login_required
@require_http_methods(["GET", "POST"])
def machine_new(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    """Set a judge up, or preview its prompt about a real item."""
    study = _study(request, slug, version, Act.RUN)
    context: dict[str, Any] = {
        "study": study,
        "variables": setting_up.variables_of(study),
        "ready": ready_for(setting_up.variables_of(study)),
        "for_people": for_people_alone(study),
    }
    if request.method == "GET":
        form = machine_forms.JudgeForm(initial=_begun(request, study))
        return render(request, "console/machines/new.html", context | {"form": form})
    form = machine_forms.JudgeForm(request.POST)
    context |= {"form": form, "key_typed": bool(request.POST.get("key"))}
    is_right = form.is_valid()
    try:
        if request.POST.get("do") == "preview":
            context["preview"] = _typed_preview(request, study)
            return render(request, "console/machines/new.html", context)
        if is_right:
            judge = _set_up(request, study, form)
            return redirect("machine", study.slug, study.version, judge.pk)
    except (BadPrompt, BadAsker) as error:
        context["refused"] = translated_error(error)
    return render(request, "console/machines/new.html", context, status=422)


@login_required
@require_GET
def machine(request: HttpRequest, slug: str, version: int, pk: int) -> HttpResponse:
    """Show a judge: progress, failures, prompt. htmx requests the progress alone."""
    study = _study(request, slug, version, Act.VIEW)
    judge = _judge(study, pk)
    if request.headers.get("HX-Request"):
        return render(request, "console/machines/_progress.html", _progress(study, judge))
    return _page(request, study, judge, askers.TermsForm(initial=askers.terms_of(judge)))


def _page(
    request: HttpRequest, study: Study, judge: MachineJudge, form: askers.TermsForm
) -> HttpResponse:
    """Render the page of a judge; refused terms stay as typed."""
    context = _progress(study, judge) | {
        "form": form,
        "key_typed": bool(form.data.get("key")),
        "may_be_deleted": may_be_deleted(judge),
        "for_people": for_people_alone(study),
    }
    context |= _looked_at(request, judge)
    status = 422 if form.is_bound else 200
    return render(request, "console/machines/judge.html", context, status=status)


@login_required
@require_POST
def machine_act(request: HttpRequest, slug: str, version: int, pk: int) -> HttpResponse:
    """Run, pause, retry failed calls, change the terms, withdraw, restore, or delete."""
    study = _study(request, slug, version, Act.VIEW)
    judge = _judge(study, pk)
    check_right(study, Act.RUN)
    at = [slug, version]
    return asker_views.answer_act(
        request,
        partial(_act, request, judge),
        show=partial(_page, request, study, judge),
        at=reverse("machine", args=[*at, judge.pk]),
        list_at=reverse("machines", args=at),
    )


def _act(request: HttpRequest, judge: MachineJudge) -> str:
    """Return the message. Raises BadAsker."""
    do, by = request.POST.get("do"), user_of(request)
    message = askers.act_on(
        request,
        judge,
        kind=WorkNotice.Kind.JUDGE,
        path=reverse("machine", args=[judge.study.slug, judge.study.version, judge.pk]),
        task=tasks.rate,
        run=lambda: setting_up.run(
            judge=judge, items=_number(request.POST.get("items", "")), by=by
        ),
        running=gettext("Judge started."),
        pause=partial(setting_up.pause, judge=judge, by=by),
        retry=partial(setting_up.retry, judge=judge, by=by),
        change=partial(setting_up.change, judge=judge, by=by),
    )
    if message is not None:
        return message
    if do == "withdraw":
        gone = withdrawing.withdraw(judge=judge, by=by)
        return gettext("Judge withdrawn. Analyses now ignore %(n)s judgments.") % {"n": f"{gone:,}"}
    if do == "bring_back":
        back = withdrawing.restore(judge=judge, by=by, now=database_now())
        return gettext("Judge restored. %(n)s judgments count again.") % {"n": f"{back:,}"}
    if do == "delete":
        withdrawing.delete(judge=judge, by=by)
        return gettext("%(name)s deleted.") % {"name": judge}
    raise BadAsker("unknown_action", gettext("Unknown action for a judge."))


def _study(request: HttpRequest, slug: str, version: int, may: Act) -> Study:
    return access.study_for(
        request.user, slug=slug, version=version, may=may, kind=Study.Kind.JUDGING
    )


def _judge(study: Study, pk: int) -> MachineJudge:
    rows = MachineJudge.objects.select_related("study", "prompt", "rater")
    judge: MachineJudge = get_object_or_404(rows, study=study, pk=pk)
    judge.study = study  # knows what this person may do
    return judge


def _number(typed: str) -> int | None:
    """Return the number of items, None for all. Raises BadAsker."""
    typed = typed.strip()
    if typed and not (typed.isdecimal() and len(typed) < 9):
        raise BadAsker(
            "not_a_number", gettext("Enter a whole number of items, or leave empty for all.")
        )
    return int(typed) if typed else None


def _begun(request: HttpRequest, study: Study) -> dict[str, Any]:
    """Return the initial values: those of another judge, or a ready wording."""
    if other := askers.asker_to_copy(request, MachineJudge.objects.filter(study=study)):
        return machine_forms.begun() | machine_forms.like(other)
    ready = {words.key: words for words in ready_for(setting_up.variables_of(study))}
    words = ready.get(request.GET.get("wording", "")) or READY["plain"]
    verdict = {"structured": False, "at_once": "False"} if words.key == "verdict" else {}
    wording = {"prompt": words.key, "system": words.system, "user": words.user}
    return machine_forms.begun() | wording | verdict


def _typed_preview(request: HttpRequest, study: Study) -> PromptPreview | None:
    """Return the preview of typed values before they are saved. Raises BadPrompt."""
    data = request.POST
    system, user = (data.get(name, "").replace("\r\n", "\n") for name in ("system", "user"))
    check(system=system, user=user, known=setting_up.variables_of(study))
    return preview(
        study=study,
        prompt=Prompt(study=study, system=system, user=user),
        at_once=data.get("at_once") != "False",
        structured=bool(data.get("structured")),
    )


@transaction.atomic
def _set_up(request: HttpRequest, study: Study, form: machine_forms.JudgeForm) -> MachineJudge:
    """Save the prompt and the judge. Raises BadPrompt or BadAsker; then neither is saved."""
    data, now, by = form.cleaned_data, database_now(), user_of(request)
    prompt = setting_up.save_prompt(
        study=study, key=data["prompt"], **form.wording(), by=by, now=now
    )
    return setting_up.set_up(
        study=study,
        name=data["name"],
        prompt=prompt,
        character=form.character(),
        terms=form.terms(),
        key=data["key"],
        by=by,
        now=now,
    )


def _progress(study: Study, judge: MachineJudge) -> dict[str, Any]:
    context = askers.progress_context(judge)
    ended = not context["is_running"]
    few = context["progress"].calls <= COUNTED_WHILE_RUNNING
    return {
        "study": study,
        "judge": judge,
        "labels": label_counts(judge) if ended or few else None,
        "ahead": forecast_of(judge) if ended else None,
        **context,
    }


def _looked_at(request: HttpRequest, judge: MachineJudge) -> dict[str, Any]:
    """Return the prompt about one of its items, and the answers that could not be read."""
    typed = (request.GET.get(name, "").replace("\x00", "") for name in ("item", "order"))
    number, order = (int(text) if text.isdecimal() and len(text) < 9 else 0 for text in typed)
    item_preview, unfit = None, ""
    try:
        item_preview = preview(
            study=judge.study,
            prompt=judge.prompt,
            at_once=judge.at_once,
            structured=judge.structured,
            number=number,
            order=order,
            hidden=hidden_keys(judge.study),
        )
    except BadPrompt as error:
        unfit = translated_error(error)
    calls = judge.calls.exclude(item__in=hidden_items(judge.study))
    context = askers.answers_context(request, judge, "item__topic", calls=calls)
    return context | {"preview": item_preview, "unfit": unfit}
