"""Codes that LLM coders chose. Only reads."""

from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from judging.calls.progress import progress_of
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


def coder_row(one: CoderRound, now: datetime) -> dict[str, Any]:
    """Return an LLM coder with its progress, for the API."""
    progress = progress_of(one, now=now)
    return {
        "id": one.pk,
        "name": one.name,
        "state": one.state,
        "said": one.said,
        "model": one.model,
        "prompt": str(one.prompt),
        "made_at": one.made_at,
        "calls": progress.calls,
        "unprepared": progress.unprepared,
        "answered": progress.answered,
        "failed": progress.failed,
        "unread": progress.unread,
        "cost": progress.cost,
    }
