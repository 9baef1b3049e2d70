"""Making the calls of an LLM coder before they are sent: one for each unit of its coding."""

from collections.abc import Callable, Sequence
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from judging.calls import requests
from judging.calls.prompts import messages
from judging.coders import wording
from judging.coders.replies import schema
from judging.coding.coding_units import codebook_of
from judging.models import Code, CoderCall, CoderRound, CodingUnit

AT_ONCE = 200  # units whose texts are in memory


def missing(round: CoderRound) -> "QuerySet[CodingUnit]":
    """Return the units without a call, also those that were added later."""
    calls = CoderCall.objects.filter(round=round, unit=OuterRef("pk"))
    return round.coding.units.filter(~Exists(calls)).order_by("position")


def prepare(*, round: CoderRound, go_on: Callable[[], bool] = lambda: True) -> int:
    """Make the missing calls and return their number; safe to repeat and to run twice at once.

    The units are locked: a withdrawal erases a unit before its call is made or after.
    """
    codes, made = codebook_of(round.coding), 0
    while go_on():
        with transaction.atomic():
            pks = list(missing(round).values_list("pk", flat=True)[:AT_ONCE])
            rows = CodingUnit.objects.filter(pk__in=pks).order_by("pk")
            units = list(rows.select_for_update(of=("self",)).select_related("instrument"))
            calls = [_call_of(round, unit, codes) for unit in units]
            CoderCall.objects.bulk_create(calls, batch_size=500, ignore_conflicts=True)
        if not pks:
            break
        made += len(calls)
    return made


def _call_of(round: CoderRound, unit: CodingUnit, codes: Sequence[Code]) -> CoderCall:
    call = CoderCall(round=round, team_id=round.study.team_id, unit=unit)
    keys = [code.key for code in codes]
    requests.fill(
        call,
        round,
        lambda: requests.body_of(
            round, messages=messages_of(round, unit, codes), schema=schema(keys)
        ),
    )
    return call


def messages_of(round: CoderRound, unit: CodingUnit, codes: Sequence[Code]) -> list[dict[str, str]]:
    """Return the messages about a unit. Raises BadPrompt."""
    return messages(
        system=round.prompt.system,
        user=round.prompt.user,
        values={
            "comment": unit.text,
            "codebook": listed(codes),
            "method": unit.instrument.title if unit.instrument else "",
            "kind": unit.kind,
            "answers": wording.HOW,
        },
    )


def listed(codes: Sequence[Code]) -> str:
    """Return the codebook as the prompt shows it."""
    rows: list[Any] = [
        wording.ListedCode(code.key, code.group, code.name, code.definition, code.examples)
        for code in codes
    ]
    return wording.listed(rows)
