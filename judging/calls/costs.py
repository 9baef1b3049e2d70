"""Costs of calls in millionths of a currency unit: a price per million tokens, times tokens."""

from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal

from django.db.models import Count, Q, Sum

from judging.models.calls import Asker, Call

MICRO = 1_000_000
State = Call.State


@dataclass(frozen=True)
class Spent:
    """Money in millionths: `known` by the tokens of answers, `at_most` with unknown calls."""

    known: int
    at_most: int


def cost(asker: Asker, tokens_in: int | None, tokens_out: int | None) -> int | None:
    """Return the cost, rounded up; None if a price or the tokens are unknown."""
    if asker.price_in is None or asker.price_out is None:
        return None
    if tokens_in is None or tokens_out is None:
        return None
    exact = Decimal(tokens_in) * asker.price_in + Decimal(tokens_out) * asker.price_out
    return int(exact.to_integral_value(ROUND_CEILING))


def most(asker: Asker, call: Call) -> int | None:
    """Return the highest possible cost of a call; None if a price is unknown."""
    return cost(asker, call.most_in, asker.settings["max_tokens"])


def spent(asker: Asker) -> Spent | None:
    """Return the costs of all calls of an asker in one query; None if a price is unknown."""
    if asker.price_in is None or asker.price_out is None:
        return None
    # Sent, and what became of it is not known, or not how many tokens it took.
    open_ended = Q(state__in=[State.SENT, State.UNKNOWN]) | Q(
        state__in=[State.ANSWERED, State.FAILED], cost_micro=None, attempt__gt=0, copied=False
    )
    sums = asker.calls.aggregate(
        known=Sum("cost_micro"),
        risked=Sum("risked_micro"),
        tokens=Sum("most_in", filter=open_ended),
        calls=Count("pk", filter=open_ended),
    )
    known_cost = sums["known"] or 0
    waiting = cost(asker, sums["tokens"] or 0, sums["calls"] * asker.settings["max_tokens"])
    return Spent(known_cost, known_cost + (sums["risked"] or 0) + (waiting or 0))


def budget_micro(asker: Asker) -> int | None:
    return None if asker.budget is None else int(asker.budget * MICRO)
