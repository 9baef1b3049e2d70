"""Setting up, starting, pausing and retrying of askers. Callers write the audit log."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any, TypeVar
from urllib.parse import urlsplit
from uuid import uuid4

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, Model, Q, QuerySet
from django.utils.translation import gettext

from annotation.outgoing import addresses
from annotation.texts.coded_errors import CodedError
from annotation.texts.translation import translated_error
from judging.calls import costs
from judging.calls.keys import seal
from judging.calls.prompts import ReadyPrompt
from judging.models.calls import Asker, Call, Wording

W = TypeVar("W", bound=Wording)
MOST_AT_ONCE = 128
State = Asker.State


class BadAsker(CodedError):
    """Refusal to set up or change an asker; the message gives the reason."""


@dataclass(frozen=True)
class ModelSettings:
    """Settings of a model, beside its prompt. They never change."""

    model: str
    protocol: str = "chat"
    structured: bool = True
    temperature: float | None = 0
    max_tokens: int = 500
    seed: int | None = None

    @property
    def settings(self) -> dict[str, Any]:
        """The settings of a request; None leaves one to the endpoint."""
        names = ("temperature", "max_tokens", "seed")
        values = {name: getattr(self, name) for name in names}
        return {name: value for name, value in values.items() if value is not None}


@dataclass(frozen=True)
class Terms:
    """Terms that may change: address, prices, budget, speed."""

    base_url: str
    price_in: Decimal | None = None
    price_out: Decimal | None = None
    budget: Decimal | None = None
    at_most: int = 8
    repeats: bool = False


def called(asker: Asker) -> str:
    """Return the name of the asker in the audit log."""
    return f"{asker.name} ({asker.model})"


@transaction.atomic
def save_prompt(
    model: type[W],
    *,
    check: Callable[..., None],
    key: str,
    system: str,
    user: str,
    by: User | None,
    now: datetime,
    ready: ReadyPrompt | None = None,
    **owner: Model,
) -> W:
    """Return the prompt of this name with this wording: the newest version, or a new one.

    `owner` is its study or corpus, by name. Without any wording, the `ready` prompt is used.
    Raises BadPrompt, by `check`.
    """
    if ready and not system.strip() and not user.strip():
        system, user = ready.system, ready.user
    key = key or (ready.key if ready else "")
    system, user = (text.replace("\r\n", "\n") for text in (system, user))
    check(system=system, user=user)
    for row in owner.values():
        type(row)._base_manager.select_for_update(no_key=True).get(pk=row.pk)
    prompt: dict[str, Any] = {"key": key, **owner}
    newest = model._default_manager.filter(**prompt).order_by("version").last()
    if newest is not None and (newest.system, newest.user) == (system, user):
        return newest
    version = newest.version + 1 if newest else 1
    return model._default_manager.create(
        version=version, system=system, user=user, made_by=by, made_at=now, **prompt
    )


def new_columns(
    *, name: str, prompt: Wording, manner: ModelSettings, terms: Terms, key: str, now: datetime
) -> dict[str, Any]:
    """Return the columns that a new asker of any kind has."""
    return {
        "name": name,
        "prompt": prompt,
        "model": manner.model.strip(),
        "protocol": manner.protocol,
        "structured": manner.structured,
        "settings": manner.settings,
        "sealed_key": seal(key.strip()),
        "made_at": now,
        **asdict(terms),
    }


def may_be_deleted(asker: Asker) -> bool:
    """Return whether no call was sent or answered."""
    return not asker.calls.filter(Q(attempt__gt=0) | Q(state=Call.State.ANSWERED)).exists()


def checked(terms: Terms) -> Terms:
    """Return the terms as they are stored. Raises BadAsker."""
    try:
        base_url = addresses.check(terms.base_url)
    except addresses.BadAddress as error:
        raise BadAsker("bad_address", translated_error(error)) from error
    if terms.budget is not None and (terms.price_in is None or terms.price_out is None):
        raise BadAsker("budget_without_prices", gettext("To set a budget, enter both prices."))
    if any(
        amount is not None and amount < 0
        for amount in (terms.price_in, terms.price_out, terms.budget)
    ):
        raise BadAsker("negative_amount", gettext("Prices and budgets can't be negative."))
    if not 1 <= terms.at_most <= MOST_AT_ONCE:
        raise BadAsker(
            "parallel_calls",
            gettext("Enter 1 to {most_at_once} parallel calls.").format(most_at_once=MOST_AT_ONCE),
        )
    return Terms(**(asdict(terms) | {"base_url": base_url}))


@transaction.atomic
def change_terms(*, asker: Asker, terms: Terms, key: str | None) -> None:
    """Save checked terms and a key: None keeps the key, an empty one removes it.

    A key is sent only to the host that it was entered for: another host needs it again.
    """
    locked = _row(asker).select_for_update(no_key=True).get()
    moved = urlsplit(locked.base_url)[:2] != urlsplit(terms.base_url)[:2]
    stored_key = b"" if moved else bytes(locked.sealed_key)
    sealed = stored_key if key is None else seal(key.strip())
    _row(asker).update(sealed_key=sealed, **asdict(terms))


def let_run(*, asker: Asker, **wishes: Any) -> bool:
    """Start sending calls; return False if the asker runs already or is withdrawn."""
    rows = _row(asker).exclude(state__in=[State.RUNNING, State.WITHDRAWN])
    return bool(rows.update(state=State.RUNNING, said="", strikes=0, **wishes))


def let_pause(*, asker: Asker) -> bool:
    """Stop sending calls and wait for those that were sent; return False if none are sent."""
    return bool(_row(asker).filter(state=State.RUNNING).update(state=State.PAUSED, said=""))


@transaction.atomic
def send_again(*, asker: Asker, error: str, **only: Any) -> int:
    """Send failed or lost calls with this error again, with new keys; return their number.

    Their possible costs stay counted. A withdrawn asker sends none. `only` narrows the calls.
    """
    if _row(asker).select_for_update(no_key=True).get().state == State.WITHDRAWN:
        return 0
    calls = asker.calls.select_for_update().filter(
        error=error, state__in=[Call.State.FAILED, Call.State.UNKNOWN], **only
    )
    again = list(calls.exclude(request={}).only("pk", "state", "most_in", "cost_micro", "attempt"))
    for call in again:
        unheard = call.state == Call.State.UNKNOWN or (call.cost_micro is None and call.attempt)
        risk = costs.most(asker, call) if unheard else 0
        call.state, call.error = Call.State.PREPARED, ""
        call.said, call.raw, call.answered_at = "", "", None
        call.key, call.risked_micro = uuid4(), F("risked_micro") + (risk or 0)
    fields = ["state", "error", "said", "raw", "answered_at", "key", "risked_micro"]
    asker.calls.bulk_update(again, fields, batch_size=200)
    if again:
        _row(asker).update(state=State.RUNNING, said="", strikes=0)
    return len(again)


def _row(asker: Asker) -> "QuerySet[Any]":
    return type(asker)._default_manager.filter(pk=asker.pk)
