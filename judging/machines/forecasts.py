"""Forecast of what the rest of a judge's calls costs, as a range."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

from django.db.models import Avg, Count, Exists, OuterRef, StdDev

from judging.calls.costs import MICRO, cost
from judging.machines.item_prompts import interviews_for, materials, notes_for
from judging.machines.preparing import calls_of, count_missing, items_of
from judging.models import Item, MachineCall, MachineJudge

State = MachineCall.State
SAMPLE = 20  # items whose prompts are made for a forecast
# Bytes of a prompt that a token has (measured: see docs/methods/llm-judges.md).
LEAST_BYTES, MOST_BYTES = 2.5, 5.5
LEAST_ANSWER = 6  # tokens of an answer to one question
REASON = 25  # tokens of a reason of one sentence
LEAST_ANSWERS = 10  # paid answers, from which costs are extrapolated
ERRORS = 2.0  # standard errors to either side of their mean
LEAST_SPREAD = 0.05  # of the mean, where the first answers cost the same


@dataclass(frozen=True)
class CostForecast:
    """Cost of the calls that are not answered yet, from low to high; None without prices.

    answers: the number of paid answers behind it; 0 where prompts are all that is known, and an
    answer takes between a few tokens and as many as it may.
    """

    items: int
    calls: int
    low: float | None
    high: float | None
    answers: int


def forecast_of(judge: MachineJudge) -> CostForecast | None:
    """Return the forecast of all calls that are not answered yet; None if nothing is left."""
    waiting = judge.calls.filter(state=State.PREPARED)
    made = waiting.aggregate(n=Count("pk"), items=Count("item", distinct=True))
    missing = count_missing(judge)
    sample = _sample(judge) if missing else list(waiting.order_by("prompt_hash")[:SAMPLE])
    of_item = len(sample) / max(len({call.item_id for call in sample}), 1)
    calls = made["n"] + round(missing * of_item)
    if not calls:
        return None
    low, high, answers = _by_answers(judge, calls) or (*_by_prompts(judge, sample, calls), 0)
    return CostForecast(made["items"] + missing, calls, low, high, answers)


def _sample(judge: MachineJudge) -> Sequence[MachineCall]:
    """Return the calls of a few items, evenly over those without calls; nothing is saved."""
    interviews = interviews_for(judge)
    calls = MachineCall.objects.filter(judge=judge, item=OuterRef("pk"))
    rows = items_of(judge).filter(~Exists(calls))
    pks = list(rows.order_by("pk").values_list("pk", flat=True))
    chosen = pks[:: max(len(pks) // SAMPLE, 1)][:SAMPLE]
    items = list(Item.objects.filter(pk__in=chosen).select_related("topic"))
    notes = notes_for(interviews, items)
    return [
        call
        for material in materials(items).values()
        for interview in interviews
        if interview.instrument.item_kind == material.item.kind
        for call in calls_of(judge, material, interview, notes[interview.instrument.pk])
    ]


def _by_answers(judge: MachineJudge, calls: int) -> tuple[float, float, int] | None:
    """Return the cost by the mean of paid answers, with their number; None if they are few."""
    paid = judge.calls.filter(copied=False, cost_micro__isnull=False, attempt__gt=0)
    of = paid.aggregate(n=Count("pk"), mean=Avg("cost_micro"), sd=StdDev("cost_micro", sample=True))
    if of["n"] < LEAST_ANSWERS or judge.price_in is None:
        return None
    # The error of the mean of n answers, and of that of the calls to come.
    mean, error = float(of["mean"]), float(of["sd"]) * sqrt(1 / of["n"] + 1 / calls)
    half = max(ERRORS * error, LEAST_SPREAD * mean)
    low, high = (max(mean + sign * half, 0.0) * calls / MICRO for sign in (-1, 1))
    return low, high, of["n"]


def _by_prompts(
    judge: MachineJudge, sample: Sequence[MachineCall], calls: int
) -> tuple[float | None, float | None]:
    """Return the cost by the size of the prompts: with the shortest and the longest answers."""
    interviews = interviews_for(judge)
    questions = [question for interview in interviews for question in interview.questions]
    per_item = len(questions) / max(len(interviews), 1)
    reasons = sum(question.wants_reason for question in questions) / max(len(questions), 1)
    least = per_item * (LEAST_ANSWER + REASON * reasons)
    texts = sum(_bytes_of_texts(call.request) for call in sample) / max(len(sample), 1)
    whole = sum(call.most_in for call in sample) / max(len(sample), 1)
    low, high = (
        cost(judge, round(calls * size), round(calls * answer))
        for size, answer in (
            (texts / MOST_BYTES, least),
            (whole / LEAST_BYTES, judge.settings["max_tokens"]),
        )
    )
    return None if low is None else low / MICRO, None if high is None else high / MICRO


def _bytes_of_texts(request: Mapping[str, Any]) -> int:
    """Return the bytes of the messages, without the schema and the frame, which may be free."""
    messages = request.get("messages") or request.get("input") or []
    return sum(len(message["content"].encode()) for message in messages)
