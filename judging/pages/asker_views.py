"""Views that the pages of LLM judges, authors, coders and rounds share."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeVar

from django.contrib import messages
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext

from annotation.clock import database_now
from annotation.models import WorkNotice
from annotation.people.access import user_of
from annotation.texts.translation import translated_error
from judging.calls import running_rounds
from judging.calls.asking import BadAsker, ModelSettings, Terms, may_be_deleted
from judging.calls.prompts import BadPrompt
from judging.calls.running_rounds import Round
from judging.pages import askers
from judging.pages.askers import AskerForm, TermsForm

F = TypeVar("F", bound=AskerForm)


def answer_new(
    request: HttpRequest,
    form: F,
    *,
    show: Callable[..., HttpResponse],
    preview: Callable[[F], Any],
    save: Callable[[F], str],
) -> HttpResponse:
    """Preview the entered settings, or save them and go to the address that `save` returns."""
    key_typed = bool(request.POST.get("key"))
    wants_preview = request.POST.get("do") == "preview"
    if wants_preview:  # a preview needs no name and no address
        for name in ("name", "base_url"):
            form.fields[name].required = False
    try:
        if form.is_valid() and wants_preview:
            return show(form, key_typed=key_typed, preview=preview(form))
        if form.is_valid():
            return redirect(save(form))
    except (BadPrompt, BadAsker) as error:
        return show(form, key_typed=key_typed, refused=translated_error(error), status=422)
    return show(form, key_typed=key_typed, status=422)


def answer_act(
    request: HttpRequest,
    act: Callable[[], str],
    *,
    show: Callable[[TermsForm], HttpResponse],
    at: str,
    list_at: str,
) -> HttpResponse:
    """Act and return to the asker; `act` returns a message. Refused terms are shown again."""
    do = request.POST.get("do")
    try:
        messages.success(request, act())
    except BadAsker as error:
        messages.error(request, translated_error(error))
        return show(TermsForm(request.POST)) if do == "change" else redirect(at)
    return redirect(list_at if do == "delete" else at)


def answer_round_act(
    request: HttpRequest,
    one: Round,
    *,
    show: Callable[[TermsForm], HttpResponse],
    at: str,
    list_at: str,
    **how: Any,
) -> HttpResponse:
    """Act on a round and return to it; `how` is that of `_act_on_round`."""
    act = partial(_act_on_round, request, one, path=at, **how)
    return answer_act(request, act, show=show, at=at, list_at=list_at)


def _act_on_round(
    request: HttpRequest,
    one: Round,
    *,
    kind: WorkNotice.Kind,
    path: str,
    task: Any,
    delete: Callable[..., bool],
    restore: Callable[..., None],
    restored_below: bool = True,
) -> str:
    """Run, pause, retry, change, delete or restore a round; return the message. Raises BadAsker."""
    do, by, values = request.POST.get("do"), user_of(request), {"name": one.name}
    message = askers.act_on(
        request,
        one,
        kind=kind,
        path=path,
        task=task,
        run=partial(running_rounds.run, round=one, by=by),
        running=gettext("Round started."),
        pause=partial(running_rounds.pause, round=one, by=by),
        retry=partial(running_rounds.retry, round=one, by=by),
        change=partial(running_rounds.change, round=one, by=by),
    )
    if message is not None:
        return message
    if do == "delete":
        if delete(round=one, by=by) and restored_below:
            return gettext("%(name)s deleted. You can restore it below.") % values
        return gettext("%(name)s deleted.") % values
    if do == "bring_back":
        restore(round=one, by=by)
        return gettext("%(name)s restored. Select Continue to resume the calls.") % values
    raise BadAsker("unknown_action", gettext("Unknown action for a round."))


@transaction.atomic
def set_up(
    setting_up: Any,
    data: Mapping[str, Any],
    by: User | None,
    *,
    terms: Terms,
    manner: ModelSettings,
    owner: dict[str, Any],
    **prompt_owner: Any,
) -> Any:
    """Save the prompt and the round of entered data, or neither. Raises BadPrompt or BadAsker.

    `setting_up` is the module of that name; `owner` are its further arguments.
    """
    now = database_now()
    words = {name: data[name] for name in ("system", "user")}
    prompt = setting_up.save_prompt(key=data["prompt"], by=by, now=now, **words, **prompt_owner)
    return setting_up.set_up(
        name=data["name"],
        prompt=prompt,
        manner=manner,
        terms=terms,
        key=data["key"],
        by=by,
        now=now,
        **owner,
    )


def answer_round(
    request: HttpRequest,
    template: str,
    one: Round,
    form: TermsForm,
    context: dict[str, Any],
    *shown: str,
    calls: "QuerySet[Any] | None" = None,
) -> HttpResponse:
    """Render the page of a round; refused terms keep the entered values.

    `shown` are the relations of its `calls` that the list of failed answers shows.
    """
    context |= askers.answers_context(request, one, *shown, calls=calls)
    context |= {
        "form": form,
        "key_typed": bool(form.data.get("key")),
        "goes_for_good": may_be_deleted(one),
    }
    return render(request, template, context, status=422 if form.is_bound else 200)
