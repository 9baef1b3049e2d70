"""Progress of an asker: its calls, costs, forecast and speed."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Avg, Count, Max, Min, Q
from django.utils.translation import gettext

from annotation.clock import database_now
from annotation.people.notifying import STOPPED, WorkEnd
from annotation.texts.time_left import WorkProgress, seconds_left
from judging.calls import costs
from judging.calls.askers import kind_of
from judging.models.calls import Asker, Call

State = Call.State
LATELY = timedelta(minutes=1)


@dataclass(frozen=True)
class Failures:
    """Calls with the same failure; `said` is the message of one of them."""

    error: str
    calls: int
    said: str
    unknown: bool


@dataclass(frozen=True)
class CallProgress:
    """Calls by state; costs in the study's currency, None if a price is unknown."""

    answered: int
    copied: int
    waiting: int
    sent: int
    failed: int
    unread: int  # of the failed, those that a model answered
    unknown: int
    unprepared: int  # items or passages, before there are calls
    cost: float | None
    at_most: float | None
    mean: float | None
    a_minute: int
    lately: float = LATELY.total_seconds()  # seconds in which these were answered

    @property
    def calls(self) -> int:
        return self.answered + self.waiting + self.sent + self.failed + self.unknown

    @property
    def forecast(self) -> float | None:
        """The total cost if the rest costs what the others did."""
        if self.cost is None or self.mean is None:
            return None
        return self.cost + self.mean * (self.waiting + self.sent)

    @property
    def work(self) -> WorkProgress:
        """Calls that have ended of all, and the time left at the speed of the last minute."""
        left = self.waiting + self.sent
        seconds = seconds_left(self.lately, self.a_minute, self.a_minute + left)
        return WorkProgress(self.calls - left, self.calls, seconds)

    @property
    def unparsed(self) -> float | None:
        """The share of a model's answers that could not be read."""
        heard = self.answered + self.unread
        return self.unread / heard if heard else None

    def sentence(self) -> str:
        sentence = gettext("{answered:,} of {calls:,} calls answered, {failed:,} failed").format(
            answered=self.answered, calls=self.calls, failed=self.failed
        )
        sentence += f", {self.unknown:,} unknown" if self.unknown else ""
        return sentence + (
            gettext("; cost so far {cost:.4f}").format(cost=self.cost)
            if self.cost is not None
            else ""
        )


def end_of(askers: type[Asker], pk: int) -> WorkEnd | None:
    """Return how the calls of an asker ended; None while it runs. A person's pause is no end."""
    asker = askers._default_manager.filter(pk=pk).first()
    if asker is None:
        return STOPPED
    if asker.state == Asker.State.RUNNING:
        return None
    is_done = asker.state == Asker.State.DONE
    if not is_done and not (asker.state == Asker.State.PAUSED and asker.said):
        return STOPPED
    last = asker.calls.aggregate(last=Max("answered_at"))["last"]
    return WorkEnd(last, failed=not is_done)


def progress_of(asker: Asker, *, now: datetime) -> CallProgress:
    """Return the progress of an asker in four queries."""
    calls = asker.calls.all()
    by_state = dict(
        calls.order_by().values_list("state").annotate(n=Count("pk")).values_list("state", "n")
    )
    paid = Q(cost_micro__gt=0, copied=False)
    lately = Q(answered_at__gt=now - LATELY, answered_at__lte=now)
    more = calls.aggregate(
        known_before=Count("pk", filter=Q(copied=True, state=State.ANSWERED)),
        unread=Count("pk", filter=Q(state=State.FAILED, error__in=Call.UNREAD)),
        mean=Avg("cost_micro", filter=paid),
        lately=Count("pk", filter=lately),
        since=Min("answered_at", filter=lately),
    )
    since = more["since"] or now - LATELY
    spent = costs.spent(asker)
    return CallProgress(
        answered=by_state.get(State.ANSWERED, 0),
        copied=more["known_before"],
        waiting=by_state.get(State.PREPARED, 0),
        sent=by_state.get(State.SENT, 0),
        failed=by_state.get(State.FAILED, 0),
        unread=more["unread"],
        unknown=by_state.get(State.UNKNOWN, 0),
        unprepared=0 if by_state else kind_of(type(asker)).missing(asker),
        cost=spent.known / costs.MICRO if spent else None,
        at_most=spent.at_most / costs.MICRO if spent else None,
        mean=more["mean"] / costs.MICRO if more["mean"] is not None else None,
        a_minute=more["lately"],
        lately=(now - since).total_seconds(),
    )


def round_row(one: Any) -> dict[str, Any]:
    """Return a round with its progress, for the API."""
    progress = progress_of(one, now=database_now())
    counts = ("calls", "unprepared", "answered", "failed", "unread", "cost")
    return {
        "id": one.pk,
        **{name: getattr(one, name) for name in ("name", "state", "said", "model", "made_at")},
        "prompt": str(one.prompt),
        **{name: getattr(progress, name) for name in counts},
    }


def failures_of(asker: Asker) -> list[Failures]:
    """Return the failures by kind, the most frequent first."""
    rows = asker.calls.filter(state__in=[State.FAILED, State.UNKNOWN])
    kinds = rows.order_by().values("error", "state").annotate(n=Count("pk")).order_by("-n", "error")
    failures = []
    for kind in kinds:
        call = rows.filter(error=kind["error"], state=kind["state"]).order_by("pk").first()
        message = call.said if call else ""
        failures.append(Failures(kind["error"], kind["n"], message, kind["state"] == State.UNKNOWN))
    return failures
