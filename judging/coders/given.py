"""Codes that LLM coders chose. Only reads."""

from django.db.models import QuerySet

from judging.coders.replies import NAME
from judging.models import CoderCall, CoderRound, Coding


def llm_coders(coding: Coding) -> "QuerySet[CoderRound]":
    """Return the LLM coders of a coding that are not deleted."""
    rounds = CoderRound.objects.filter(coding=coding).exclude(state=CoderRound.State.WITHDRAWN)
    return rounds.select_related("prompt", "coding__study").order_by("pk")


def codes_of(round: CoderRound) -> dict[int, frozenset[str]]:
    """Return the codes of each unit that an LLM coder has coded."""
    calls = CoderCall.objects.filter(
        round=round, state=CoderCall.State.ANSWERED, unit__isnull=False
    )
    return {
        unit: frozenset((parsed or {}).get(NAME, ()))
        for unit, parsed in calls.order_by("pk").values_list("unit", "parsed")
    }
