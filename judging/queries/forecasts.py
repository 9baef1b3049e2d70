"""Forecast of a round's cost."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Sum
from django.db.models.functions import Length

from annotation.models import Passage
from judging.calls.costs import MICRO, cost
from judging.models import QueryRound
from judging.queries import wording
from judging.queries.joining import SIGNS, groups_of

A_QUERY = 20  # tokens that a query takes, about, with its signs
MANY = 500  # passages in one query of the database


@dataclass(frozen=True)
class RoundForecast:
    """Costs in the round's currency, None if a price is unknown; `most` for longest answers."""

    calls: int
    queries: int
    tokens_in: int
    tokens_out: int
    cost: float | None
    most: float | None


def forecast_of(round: QueryRound, passages: Sequence[int] | None = None) -> RoundForecast:
    """Return the forecast of a saved round; or of an unsaved one with these passages."""
    pks = passages if passages is not None else list(round.passages.values_list("pk", flat=True))
    signs, starts = 0, len(pks)
    if round.joined is not None:
        topics = set(Passage.objects.filter(pk__in=pks).order_by().values_list("topic", flat=True))
        groups = groups_of(topics, round.joined)
        pks = [pk for start in pks for pk in groups.get(start, [start])]
    for start in range(0, len(pks), MANY):
        rows = Passage.objects.filter(pk__in=pks[start : start + MANY])
        sums = rows.aggregate(n=Sum(Length("text") + Length("title")))
        signs += sums["n"] or 0
    around = len(round.prompt.system) + len(round.prompt.user) + len(wording.HOW)
    around += len(wording.listed(round.examples))
    tokens_in = (signs + around * starts) // SIGNS
    limit = round.settings["max_tokens"]
    tokens_out = min(round.number * A_QUERY, limit) * starts
    about, most = (cost(round, tokens_in, out) for out in (tokens_out, limit * starts))
    return RoundForecast(
        calls=starts,
        queries=starts * round.number,
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        cost=None if about is None else about / MICRO,
        most=None if most is None else most / MICRO,
    )
