"""Calls are made before they are sent: one for each item, order and round of questions."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef

from judging.items.notes import Notes
from judging.machines import hashes, protocols
from judging.machines.asked import fields_of, schema
from judging.machines.forgetting import forget_erased
from judging.machines.material import (
    Interview,
    Material,
    interviews_for,
    materials,
    messages,
    notes_for,
)
from judging.machines.prompts import BadPrompt
from judging.models import Item, MachineCall, MachineJudge

AT_ONCE = 200  # items whose texts are in memory
FRAME = 100  # tokens, at most, that a server adds around what is sent


def prepare(*, judge: MachineJudge, go_on: Callable[[], bool] = lambda: True) -> int:
    """Make the calls that are still missing; how many. Done again, or by two, it is done once.

    `go_on` is asked now and then. The calls of an item are made together or not at all. An item
    whose texts were withdrawn has none, and one that the prompt does not fit fails at once.
    """
    made = 0
    interviews = interviews_for(judge)
    for items in _chunks(missing(judge)):
        if not go_on():
            break
        made += _prepare(judge, items, interviews)
    forget_erased(judge=judge)  # what was withdrawn while its calls were made
    return made


def missing(judge: MachineJudge) -> list[int]:
    """The items that it shall judge and has no calls for, in order."""
    items = Item.objects.filter(study=judge.study_id)
    kinds = {each.instrument.item_kind for each in interviews_for(judge)}
    items = items.filter(kind__in=kinds)
    if judge.wanted is not None:
        drawn = sorted(
            items.values_list("pk", flat=True), key=lambda pk: _draw(judge.study.seed, pk)
        )
        items = items.filter(pk__in=drawn[: judge.wanted])
    known = MachineCall.objects.filter(judge=judge, item=OuterRef("pk"))
    return list(items.filter(~Exists(known)).order_by("pk").values_list("pk", flat=True))


def _draw(seed: int, pk: int) -> str:
    """Fifty items are the first of the hundred that are drawn later."""
    return hashlib.sha256(f"{seed}:{pk}".encode()).hexdigest()


def _chunks(pks: Sequence[int]) -> Iterator[list[Item]]:
    for start in range(0, len(pks), AT_ONCE):
        some = Item.objects.filter(pk__in=pks[start : start + AT_ONCE]).order_by("pk")
        yield list(some.select_related("topic"))


@transaction.atomic
def _prepare(judge: MachineJudge, items: Sequence[Item], interviews: Sequence[Interview]) -> int:
    notes = notes_for(interviews, items)
    calls = [
        call
        for material in materials(items).values()
        for interview in interviews
        if interview.instrument.item_kind == material.item.kind
        for call in calls_of(judge, material, interview, notes[interview.instrument.pk])
    ]
    MachineCall.objects.bulk_create(calls, batch_size=500, ignore_conflicts=True)
    return len(calls)


def calls_of(
    judge: MachineJudge, material: Material, interview: Interview, notes: Notes
) -> Iterator[MachineCall]:
    orders = material.orders if judge.orders == MachineJudge.Orders.BOTH else material.orders[:1]
    for number, order in enumerate(orders):
        call = MachineCall(
            judge=judge,
            team_id=judge.study.team_id,
            item=material.item,
            instrument=interview.instrument,
            order=number,
            shown=",".join(order),
            asked=interview.asked,
            questions=[each.key for each in interview.questions],
        )
        try:
            call.request = request_of(judge, material, order, interview, notes)
        except BadPrompt as error:
            call.request, call.state = {}, MachineCall.State.FAILED
            call.error, call.said = "prompt", str(error)
        sent = hashes.as_sent(call.request)
        call.most_in = len(sent) + FRAME  # a token is a byte at least
        call.prompt_hash = hashes.hash_of(judge, sent)
        yield call


def request_of(
    judge: MachineJudge,
    material: Material,
    order: tuple[str, ...],
    interview: Interview,
    notes: Notes,
) -> dict[str, Any]:
    """As it is sent. Raises BadPrompt."""
    fields = fields_of(interview.questions, material.page(order))
    return protocols.body(
        protocols.Protocol(judge.protocol),
        messages=messages(
            prompt=judge.prompt, material=material, order=order, interview=interview, notes=notes
        ),
        model=judge.model,
        temperature=judge.settings.get("temperature"),
        max_tokens=judge.settings.get("max_tokens"),
        seed=judge.settings.get("seed"),
        schema=schema(fields) if judge.structured else None,
    )
