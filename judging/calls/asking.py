"""Terms on which a model is asked; starting, pausing and retrying. Callers write the audit log."""

from dataclasses import asdict, dataclass
from decimal import Decimal
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

from django.db import transaction
from django.db.models import F, QuerySet
from django.utils.translation import gettext

from annotation.outgoing import addresses
from annotation.texts.translation import translated_error
from judging.calls import costs
from judging.calls.keys import seal
from judging.models.calls import Asker, Call

MOST_AT_ONCE = 128
State = Asker.State


class BadTerms(ValueError):
    """Refusal of terms; the message gives the reason."""


@dataclass(frozen=True)
class Terms:
    """Terms that may change: address, prices, budget, speed."""

    base_url: str
    price_in: Decimal | None = None
    price_out: Decimal | None = None
    budget: Decimal | None = None
    at_most: int = 8
    repeats: bool = False


def checked(terms: Terms) -> Terms:
    """Return the terms as they are stored. Raises BadTerms."""
    try:
        base_url = addresses.check(terms.base_url)
    except addresses.BadAddress as error:
        raise BadTerms(translated_error(error)) from error
    if terms.budget is not None and (terms.price_in is None or terms.price_out is None):
        raise BadTerms(gettext("A budget can only be kept where both prices are known."))
    if any(
        each is not None and each < 0 for each in (terms.price_in, terms.price_out, terms.budget)
    ):
        raise BadTerms(gettext("Prices and budgets are not below 0."))
    if not 1 <= terms.at_most <= MOST_AT_ONCE:
        raise BadTerms(
            gettext("Between 1 and {most_at_once} calls go out at the same time.").format(
                most_at_once=MOST_AT_ONCE
            )
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
def send_again(*, asker: Asker, error: str) -> int:
    """Send failed or lost calls with this error again, with new keys; return their number.

    Their possible costs stay counted. A withdrawn asker sends none.
    """
    if _row(asker).select_for_update(no_key=True).get().state == State.WITHDRAWN:
        return 0
    calls = asker.calls.select_for_update().filter(
        error=error, state__in=[Call.State.FAILED, Call.State.UNKNOWN]
    )
    again = list(calls.exclude(request={}).only("pk", "state", "most_in", "cost_micro", "attempt"))
    for each in again:
        unheard = each.state == Call.State.UNKNOWN or (each.cost_micro is None and each.attempt)
        risk = costs.most(asker, each) if unheard else 0
        each.state, each.error = Call.State.PREPARED, ""
        each.said, each.raw, each.answered_at = "", "", None
        each.key, each.risked_micro = uuid4(), F("risked_micro") + (risk or 0)
    fields = ["state", "error", "said", "raw", "answered_at", "key", "risked_micro"]
    asker.calls.bulk_update(again, fields, batch_size=200)
    if again:
        _row(asker).update(state=State.RUNNING, said="", strikes=0)
    return len(again)


def _row(asker: Asker) -> "QuerySet[Any]":
    return type(asker)._default_manager.filter(pk=asker.pk)
