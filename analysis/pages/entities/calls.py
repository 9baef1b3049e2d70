"""Calls of LLM judges: their items, results and costs."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q, QuerySet
from django.utils.translation import gettext

from analysis.pages.entities.names import item_name, slots_of
from annotation.lists import ListColumn, ListFilter, RecordList, by_number
from annotation.models import Study
from annotation.texts.sentences import marked
from judging.calls.costs import MICRO
from judging.models import MachineCall, MachineJudge
from judging.models.calls import Call

STATES = {
    Call.State.PREPARED.value: marked("queued"),
    Call.State.SENT.value: marked("sent"),
    Call.State.ANSWERED.value: marked("answered"),
    Call.State.FAILED.value: marked("failed"),
    Call.State.UNKNOWN.value: marked("no response"),
}


@dataclass(frozen=True)
class CallRow:
    """Call in a list, with the name of its item; `cost` is None where it is not known."""

    call: MachineCall
    item: str
    state: str
    cost: float | None


def calls_of(study: Study) -> "QuerySet[MachineCall]":
    """Return the calls of a study, the newest first."""
    rows = MachineCall.objects.filter(judge__study=study)
    rows = rows.select_related("judge", "item__topic").defer("request", "raw", "parsed")
    return rows.order_by("-pk")


def shown(study: Study, calls: Sequence[MachineCall]) -> list[CallRow]:
    slots = slots_of({call.item_id: call.item for call in calls}.values(), study)
    return [
        CallRow(
            call,
            item_name(slots.get(call.item_id, [])),
            gettext(STATES[call.state]),
            None if call.cost_micro is None else call.cost_micro / MICRO,
        )
        for call in calls
    ]


_judge = by_number("judge")


def _judge_said(study: Study, value: str) -> str:
    judges = MachineJudge.objects.filter(calls__in=calls_of(study).filter(_judge(study, value)))
    return judges.values_list("name", flat=True).first() or value


LISTING = RecordList(
    key="calls",
    title=marked("Calls to LLM judges"),
    rows=calls_of,
    shown=shown,
    columns=lambda _: [
        ListColumn(gettext("Item")),
        ListColumn(gettext("Judge"), "judge__name"),
        ListColumn(gettext("State"), "state"),
        ListColumn(gettext("Error")),
        ListColumn(gettext("Tokens"), number=True),
        ListColumn(gettext("Cost"), "cost_micro", number=True),
        ListColumn(gettext("Answered"), "answered_at"),
    ],
    filters=(
        ListFilter("judge", marked("Judge"), _judge, _judge_said),
        ListFilter("state", marked("State"), "state", STATES, STATES),
        ListFilter(
            "copied",
            marked("Answer"),
            lambda _, value: Q(copied=True, state=Call.State.ANSWERED),
            lambda *_: gettext("from an earlier call"),
        ),
    ),
    search_in=("said",),
    kinds=(Study.Kind.JUDGING,),
)
