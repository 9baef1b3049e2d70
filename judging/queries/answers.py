"""Answers to the calls of a round."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q, Sum

from annotation.texts.untrusted import storable
from judging.calls.askers import ReplyReader
from judging.calls.costs import MICRO
from judging.models import QueryCall, QueryRound
from judging.queries.replies import NAME, read


@dataclass(frozen=True)
class Answers:
    """Counts of a round; `cost` in its currency, None if a price is unknown."""

    answered: int
    failed: int
    cost: float | None


def answers_of(rounds: Sequence[QueryRound]) -> list[Answers]:
    """Return the counts of each round in one query."""
    calls = QueryCall.objects.filter(round__in=rounds).order_by().values("round")
    counted = calls.annotate(
        answered=Count("pk", filter=Q(state=QueryCall.State.ANSWERED)),
        failed=Count("pk", filter=Q(state=QueryCall.State.FAILED)),
        cost=Sum("cost_micro"),
    )
    by_round = {row["round"]: row for row in counted}
    answers = []
    for query_round in rounds:
        row = by_round.get(query_round.pk, {"answered": 0, "failed": 0, "cost": 0})
        is_priced = query_round.price_in is not None and query_round.price_out is not None
        cost = (row["cost"] or 0) / MICRO if is_priced else None
        answers.append(Answers(row["answered"], row["failed"], cost))
    return answers


class QueryReader(ReplyReader):
    """Reader of the answers to a round's calls."""

    def __init__(self, round: QueryRound) -> None:
        self._round = round

    def parsed(self, call: QueryCall, raw: str) -> tuple[dict[str, Any], dict[str, str]]:
        queries = read(raw, most=self._round.number, structured=self._round.structured)
        # Escaped in JSON, a half of a sign comes into being only when that is read.
        return {NAME: [storable(query) for query in queries]}, {}
