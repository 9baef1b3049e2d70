"""Forms and page contents that machine judges and rounds of queries share."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any, TypeVar

from django import forms
from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext
from rest_framework import serializers

from annotation import jobs
from annotation.clock import database_now
from annotation.lists import page_of
from annotation.models import WorkNotice
from annotation.people import notifying
from annotation.people.access import user_of
from judging.calls.asking import MOST_AT_ONCE, BadAsker, Terms
from judging.calls.keys import key_of_server
from judging.calls.progress import failures_of, progress_of
from judging.calls.prompts import LIMIT, ReadyPrompt
from judging.models.calls import Asker

A = TypeVar("A", bound=Asker)
CALLS_A_PAGE = 20
MOST_SEED = 2**31 - 1
TERMS = ("base_url", "price_in", "price_out", "budget", "at_most")  # of the API
NEW = {"protocol": "chat", "structured": True, "temperature": 0, "at_most": 8}


class RoundActSerializer(serializers.Serializer[Any]):
    """Act on a round of calls over the API."""

    do = serializers.ChoiceField(choices=["run", "pause", "delete", "restore"])


def _price() -> forms.DecimalField:
    return forms.DecimalField(required=False, min_value=Decimal(0), max_digits=12, decimal_places=4)


def count_field(*, most: int, least: int = 0, required: bool = True) -> forms.IntegerField:
    return forms.IntegerField(required=required, min_value=least, max_value=most)


class TermsForm(forms.Form):
    """Terms, which may change later: address, key, prices, budget, speed."""

    base_url = forms.CharField(max_length=300)
    key = forms.CharField(required=False, max_length=500)
    price_in, price_out = _price(), _price()
    budget = forms.DecimalField(
        required=False, min_value=Decimal(0), max_digits=10, decimal_places=2
    )
    at_most = count_field(least=1, most=MOST_AT_ONCE)
    repeats = forms.BooleanField(required=False)

    def terms(self) -> Terms:
        data = self.cleaned_data
        names = ("base_url", "price_in", "price_out", "budget", "at_most", "repeats")
        return Terms(**{name: data[name] for name in names})


class AskerForm(TermsForm):
    """All settings of an asker with the wording of its prompt."""

    name = forms.CharField(max_length=100)
    model = forms.CharField(max_length=100)
    protocol = forms.ChoiceField(choices=Asker.Protocol.choices)
    prompt = forms.SlugField(max_length=40)
    system = forms.CharField(required=False, max_length=LIMIT, strip=False)
    user = forms.CharField(max_length=LIMIT, strip=False)
    structured = forms.BooleanField(required=False)
    temperature = forms.FloatField(required=False, min_value=0, max_value=2)
    max_tokens = count_field(least=1, most=100_000)
    seed = count_field(most=MOST_SEED, required=False)

    def settings(self, *names: str) -> dict[str, Any]:
        """Return the settings of the model, and others by name."""
        of_model = ("model", "protocol", "structured", "temperature", "max_tokens", "seed")
        return {name: self.cleaned_data[name] for name in (*of_model, *names)}

    def wording(self) -> dict[str, str]:
        """Return the system and the user message, with the ends of lines that are stored."""
        return {name: self.cleaned_data[name].replace("\r\n", "\n") for name in ("system", "user")}


def terms_of(asker: Asker) -> dict[str, Any]:
    return {
        "base_url": asker.base_url,
        "price_in": _typed(asker.price_in),
        "price_out": _typed(asker.price_out),
        "budget": asker.budget,
        "at_most": asker.at_most,
        "repeats": asker.repeats,
    }


def copy_of(asker: Any) -> dict[str, Any]:
    """Return the initial values of a copy of this asker, without its key."""
    return terms_of(asker) | {
        "model": asker.model,
        "protocol": asker.protocol,
        "prompt": asker.prompt.key,
        "system": asker.prompt.system,
        "user": asker.prompt.user,
        "structured": asker.structured,
        **asker.settings,
    }


def _typed(price: Decimal | None) -> str:
    """Return the price without the zeros of its column."""
    return "" if price is None else f"{price.normalize():f}"


def asker_to_copy(request: HttpRequest, askers: "QuerySet[A]") -> A | None:
    typed = request.GET.get("like", "")
    pk = typed if typed.isdecimal() and len(typed) < 18 else 0
    return askers.filter(pk=pk).select_related("prompt").first()


def begun(
    request: HttpRequest, rounds: "QuerySet[Any]", ready: ReadyPrompt, *copied: str, **new: Any
) -> dict[str, Any]:
    """Return the initial values of a round: `new` ones with a ready prompt, or a copy.

    What the copied round left to the endpoint, its copy leaves to it as well. `copied` are its
    fields of its kind.
    """
    words = {"prompt": ready.key, "system": ready.system, "user": ready.user}
    if other := asker_to_copy(request, rounds):
        fields = {name: getattr(other, name) for name in copied}
        new |= {"temperature": None, "seed": None} | copy_of(other) | fields
    return NEW | words | new


def round_context(one: Asker, name: str, *at: Any) -> dict[str, Any]:
    """Return the context of a round's page: progress, and addresses by URL name and place."""
    return progress_context(one) | {
        "round": one,
        "round_url": reverse(name, args=at),
        "act_url": reverse(f"{name}_act", args=at),
        "new_url": reverse(f"{name}_new", args=at[:-1]),
    }


def progress_context(asker: Asker) -> dict[str, Any]:
    return {
        "progress": progress_of(asker, now=database_now()),
        "failures": failures_of(asker),
        "is_running": asker.state == Asker.State.RUNNING,
    }


def answers_context(
    request: HttpRequest, asker: Asker, *shown: str, calls: "QuerySet[Any] | None" = None
) -> dict[str, Any]:
    """Return a page of the answers that failed in the requested way, among the readable calls."""
    error = request.GET.get("error", "").replace("\x00", "")
    readable = asker.calls.all() if calls is None else calls
    calls = readable.filter(error=error[:20]).exclude(error="")
    calls = calls.select_related(*shown).defer("request").order_by("pk")
    return {
        "error": error,
        "page": page_of(calls, request, rows_a_page=CALLS_A_PAGE),
        "has_key": bool(asker.sealed_key) or bool(key_of_server(asker.base_url)),
    }


def expect(asker: Asker, *, kind: WorkNotice.Kind, path: str, user: User) -> None:
    """Record that the user wants an e-mail when the work ends, if they chose so."""
    now = database_now()
    notifying.expect(user=user, kind=kind, work=asker.pk, title=asker.name, path=path, now=now)


def act_on(
    request: HttpRequest,
    asker: Asker,
    *,
    kind: WorkNotice.Kind,
    path: str,
    task: Any,
    run: Callable[[], None],
    running: str,
    pause: Callable[[], None],
    retry: Callable[..., int],
    change: Callable[..., object],
) -> str | None:
    """Run, pause, retry or change an asker; return the message, None for another act.

    Raises BadAsker.
    """
    do = request.POST.get("do")
    if do in ("run", "retry"):
        expect(asker, kind=kind, path=path, user=user_of(request))
    if do == "run":
        run()
        jobs.send_after_commit(task, asker.pk)
        return running
    if do == "pause":
        pause()
        return gettext("Paused. Waiting for calls already sent.")
    if do == "retry":
        again = retry(error=request.POST.get("error", "").replace("\x00", "")[:20])
        jobs.send_after_commit(task, asker.pk)
        return gettext("Retrying %(n)s calls.") % {"n": f"{again:,}"}
    if do == "change":
        form = TermsForm(request.POST)
        if not form.is_valid():
            field, faults = next(iter(form.errors.items()))
            raise BadAsker("bad_terms", f"{field}: {faults[0]}")
        key = "" if request.POST.get("no_key") else form.cleaned_data["key"] or None
        change(terms=form.terms(), key=key)
        return gettext("Saved.")
    return None
