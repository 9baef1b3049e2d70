"""Making a round's calls before they are sent: one for each passage."""

from collections.abc import Callable
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from annotation.models import Passage
from judging.calls import requests
from judging.calls.prompts import messages
from judging.models import QueryCall, QueryRound
from judging.queries import wording
from judging.queries.joining import joined_with, text_of
from judging.queries.replies import schema

AT_ONCE = 200  # passages whose texts are in memory


def missing(round: QueryRound) -> "QuerySet[Passage]":
    """Return the passages of a round without a call."""
    calls = QueryCall.objects.filter(round=round, passage=OuterRef("pk"))
    return round.passages.filter(~Exists(calls)).order_by("pk")


def prepare(*, round: QueryRound, go_on: Callable[[], bool] = lambda: True) -> int:
    """Make the missing calls and return their number; safe to repeat and to run twice at once."""
    made = 0
    while go_on():
        passages = list(missing(round).select_related("topic")[:AT_ONCE])
        if not passages:
            break
        with transaction.atomic():
            calls = [call_of(round, passage) for passage in passages]
            QueryCall.objects.bulk_create(calls, batch_size=500, ignore_conflicts=True)
        made += len(calls)
    return made


def call_of(round: QueryRound, passage: Passage) -> QueryCall:
    call = QueryCall(round=round, team_id=round.corpus.team_id, passage=passage)
    requests.fill(call, round, lambda: request_of(round, passage))
    return call


def request_of(round: QueryRound, passage: Passage) -> dict[str, Any]:
    """Return the request body for one call. Raises BadPrompt."""
    return requests.body_of(round, messages=messages_of(round, passage), schema=schema())


def messages_of(round: QueryRound, passage: Passage) -> list[dict[str, str]]:
    """Return the messages about a passage. Raises BadPrompt."""
    return messages(
        system=round.prompt.system,
        user=round.prompt.user,
        values={
            "passage": text_of(joined_with(passage, round.joined)),
            "title": passage.title,
            "query": passage.topic.query,
            "number": str(round.number),
            "examples": wording.listed(round.examples),
            "answers": wording.HOW,
        },
    )
