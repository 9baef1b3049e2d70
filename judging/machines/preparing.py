"""Making a judge's calls before they are sent: one for each item, order and interview."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.db.models.functions import Coalesce

from judging.calls import requests
from judging.calls.forgetting import forget_erased
from judging.items.notes import Notes
from judging.machines.draws import Candidate, drawn
from judging.machines.fields import fields_of, schema
from judging.machines.item_prompts import (
    Interview,
    Material,
    interviews_for,
    materials,
    messages,
    notes_for,
)
from judging.models import Item, ItemSlot, Judgment, MachineCall, MachineJudge
from judging.models.raters import PEOPLE
from judging.raters.cells import retired_criteria, unknown_to
from judging.raters.pools import KINDS

AT_ONCE = 200  # items whose texts are in memory


def prepare(*, judge: MachineJudge, go_on: Callable[[], bool] = lambda: True) -> int:
    """Make the missing calls and return their number; safe to repeat and to run twice at once.

    `go_on` is asked now and then. The calls of an item are made together. An item with a withdrawn
    text has none; one that the prompt does not fit fails at once.
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
    """Return the items without calls, in the order of the calls."""
    items = items_of(judge)
    asked_items = MachineCall.objects.filter(judge=judge, item=OuterRef("pk"))
    unasked = list(items.filter(~Exists(asked_items)).order_by("pk").values_list("pk", flat=True))
    if (
        judge.wanted is None
        or judge.wanted >= len(unasked) + items.filter(Exists(asked_items)).count()
    ):
        return unasked
    free = set(unasked)
    draw = drawn(_candidates(judge, items), n=judge.wanted, seed=judge.study.seed)
    return [pk for pk in draw if pk in free]


def count_missing(judge: MachineJudge) -> int:
    """Return the number of `missing` items without a draw."""
    items, calls = items_of(judge), MachineCall.objects.filter(judge=judge, item=OuterRef("pk"))
    asked_count, item_count = items.filter(Exists(calls)).count(), items.count()
    wanted = item_count if judge.wanted is None else min(judge.wanted, item_count)
    return max(0, wanted - asked_count)


def items_of(judge: MachineJudge) -> "QuerySet[Item]":
    """Return the items to ask an LLM judge about.

    Leaves out entries that are retired in the study's revision of a bank. In studies of ungraded
    cells, also leaves out what the judge graded in other studies of the bank.
    """
    instruments = [interview.instrument for interview in interviews_for(judge)]
    kinds = {instrument.item_kind for instrument in instruments}
    items = Item.objects.filter(study=judge.study_id, kind__in=kinds)
    of_banks = [instrument for instrument in instruments if instrument.bank_id]
    if not of_banks:
        return items
    entries = ItemSlot.objects.filter(item=OuterRef("pk"), criterion__isnull=False)
    if retired := retired_criteria(judge.study):
        in_use = Exists(entries.exclude(criterion__in=retired))
        items = items.filter(~Exists(entries) | in_use)
    limited = {row.item_kind for row in of_banks if row.design.get("cells") == "unknown"}
    return unknown_to(judge.rater, items, study=judge.study, kinds=limited) if limited else items


def _candidates(judge: MachineJudge, items: "QuerySet[Item]") -> list[Candidate]:
    """Return all items that may be drawn.

    Items of earlier calls come first, then those of other judges, so that models can be compared;
    then those that people have answered, so that models can be compared with people.
    """
    calls = MachineCall.objects.filter(item__study=judge.study_id).order_by()
    others: Counter[int] = Counter(
        pk for _, pk in calls.values_list("judge", "item").distinct().iterator()
    )
    mine = set(calls.filter(judge=judge).values_list("item", flat=True).iterator())
    judged = set(
        Judgment.objects.filter(item__study=judge.study_id, rater__kind__in=KINDS[PEOPLE])
        .order_by()
        .values_list("item", flat=True)
        .distinct()
    )
    systems: dict[int, set[int]] = defaultdict(set)
    slots = ItemSlot.objects.filter(item__in=items).order_by()
    shown = Coalesce("response__system", "segment__response__system")
    for pk, system in slots.values_list("item", shown).iterator():
        if system is not None:
            systems[pk].add(system)
    return [
        Candidate(
            pk, (kind, topic), tuple(systems[pk]), (int(pk in mine), others[pk], int(pk in judged))
        )
        for pk, kind, topic in items.order_by("pk").values_list("pk", "kind", "topic__key")
    ]


def _chunks(pks: Sequence[int]) -> Iterator[list[Item]]:
    for start in range(0, len(pks), AT_ONCE):
        some = Item.objects.filter(pk__in=pks[start : start + AT_ONCE]).order_by("pk")
        yield list(some.select_related("topic"))


@transaction.atomic
def _prepare(judge: MachineJudge, items: Sequence[Item], interviews: Sequence[Interview]) -> int:
    notes = notes_for(interviews, items, locked=True)
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
            questions=[question.key for question in interview.questions],
        )
        requests.fill(call, judge, partial(request_of, judge, material, order, interview, notes))
        yield call


def request_of(
    judge: MachineJudge,
    material: Material,
    order: tuple[str, ...],
    interview: Interview,
    notes: Notes,
) -> dict[str, Any]:
    """Return the request body for one call. Raises BadPrompt."""
    fields = fields_of(interview.questions, material.page(order))
    return requests.body_of(
        judge,
        messages=messages(
            prompt=judge.prompt, material=material, order=order, interview=interview, notes=notes
        ),
        schema=schema(fields),
    )
