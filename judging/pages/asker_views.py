"""Views that the pages and the APIs of LLM judges, authors and rounds share."""

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext
from rest_framework.request import Request
from rest_framework.response import Response as Answer

from annotation import jobs
from annotation.console.api.resource import DomainRefusal, understood
from annotation.models import WorkNotice
from annotation.people.access import Person, user_of
from annotation.texts.translation import translated_error
from judging.calls import running_rounds
from judging.calls.asking import BadAsker
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


def start_round(
    one: Round, by: Person | None, *, kind: WorkNotice.Kind, path: str, task: Any
) -> None:
    """Start a round and note who wants an e-mail when it ends. Raises BadAsker."""
    user = by if isinstance(by, User) else None
    running_rounds.run(round=one, by=user)
    if user is not None:
        askers.expect(one, kind=kind, path=path, user=user)
    jobs.send_after_commit(task, one.pk)


def answer_act_of_api(
    request: Request,
    one: Round,
    by: Person | None,
    *,
    run: Callable[[], None],
    delete: Callable[[], bool],
    restore: Callable[[], None],
    row: Callable[[], dict[str, Any]],
) -> Answer:
    """Act on a round and return its row; one deleted for good is shown as it was, withdrawn."""
    do = understood(askers.RoundActSerializer, request.data)["do"]
    before = row() if do == "delete" else {}
    try:
        if do == "run":
            run()
        elif do == "pause":
            running_rounds.pause(round=one, by=by if isinstance(by, User) else None)
        elif do == "restore":
            restore()
        elif not delete():
            return Answer(before | {"state": one.State.WITHDRAWN})
    except BadAsker as error:
        raise DomainRefusal(error) from error
    return Answer(row())
