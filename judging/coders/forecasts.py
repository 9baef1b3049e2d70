"""Forecast of the cost of an LLM coder."""

from dataclasses import dataclass

from django.db.models import Count, Sum
from django.db.models.functions import Length

from judging.calls.costs import MICRO, cost
from judging.coders import wording
from judging.coders.preparing import listed, missing
from judging.coding.coding_units import codebook_of
from judging.models import CoderRound

SIGNS = 4  # characters of English that a token has, about
ANSWER = 30  # tokens of an answer, about


@dataclass(frozen=True)
class CoderForecast:
    """Costs in the study's currency, None if a price is unknown; `most` for longest answers."""

    calls: int
    tokens_in: int
    tokens_out: int
    cost: float | None
    most: float | None


def forecast_of(round: CoderRound) -> CoderForecast:
    """Return the forecast of the units without a call. The round may be unsaved."""
    units = round.coding.units.all() if round.pk is None else missing(round)
    figures = units.order_by().aggregate(n=Count("pk"), signs=Sum(Length("text")))
    n, signs = figures["n"], figures["signs"] or 0
    around = len(round.prompt.system) + len(round.prompt.user) + len(wording.HOW)
    around += len(listed(codebook_of(round.coding)))
    tokens_in = (signs + around * n) // SIGNS
    limit = round.settings["max_tokens"]
    tokens_out = min(ANSWER, limit) * n
    about, most = (cost(round, tokens_in, out) for out in (tokens_out, limit * n))
    return CoderForecast(
        calls=n,
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        cost=None if about is None else about / MICRO,
        most=None if most is None else most / MICRO,
    )
