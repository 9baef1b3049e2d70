"""Answers of machine judges in the terms of the study."""

from collections.abc import Iterable
from typing import Any

from annotation.texts.sentences import marked
from annotation.texts.untrusted import storable
from judging.answering.scales import NotOnScale
from judging.calls.protocols import End
from judging.calls.replies import ENDS, CallOutcome, UnreadableAnswer
from judging.machines.fields import AnswerField, ShownItem, chosen_twice, fields_of
from judging.machines.item_prompts import interviews_for, materials
from judging.machines.replies import ParsedReply, read
from judging.models import MachineCall, MachineJudge


class Reader:
    """Reader of the answers to a judge's calls. What they show is looked up once a batch."""

    def __init__(self, judge: MachineJudge) -> None:
        self._judge = judge
        self._questions = {
            (each.instrument.pk, each.asked): each.questions for each in interviews_for(judge)
        }
        self._pages: dict[int, ShownItem] = {}

    def look_up(self, calls: Iterable[MachineCall]) -> None:
        """Load the pages of these calls, which have their items at hand."""
        every = list(calls)
        material_by_item = materials([each.item for each in every], words=False)
        for each in every:
            order = tuple(each.shown.split(",")) if each.shown else ()
            self._pages[each.pk] = material_by_item[each.item_id].page(order)

    def read(self, call: MachineCall, text: str, *, end: End = End.DONE) -> CallOutcome:
        page, raw = self._pages.pop(call.pk), storable(text)
        if end in ENDS:
            kind, said = ENDS[end]
            return CallOutcome(raw, error=kind, said=said)
        fields = fields_of(self._questions[call.instrument_id, call.asked], page)
        try:
            said_of = read(raw, fields, structured=self._judge.structured)
            parsed = _parsed(said_of, fields, page)
        except UnreadableAnswer as error:
            return CallOutcome(raw, error=error.kind, said=storable(str(error)))
        # Escaped in JSON, a half of a sign comes into being only when that is read.
        reasons = {key: storable(reason) for key, reason in said_of.reasons.items()}
        return CallOutcome(raw, parsed, reasons)

    def forget(self, call: MachineCall) -> None:
        self._pages.pop(call.pk, None)


def _parsed(said: ParsedReply, fields: list[AnswerField], page: ShownItem) -> dict[str, Any]:
    """Return the canonical answers by field. Raises UnreadableAnswer."""
    parsed: dict[str, Any] = {}
    for field in fields:
        code = said.codes[field.key]
        if code is None:
            parsed[field.key] = None
            continue
        try:
            answer = field.answer(code, page)
        except NotOnScale as error:
            raise UnreadableAnswer(
                "unparsed", f"“{code[:30]}” is not on the scale of “{field.name}”."
            ) from error
        parsed[field.key] = answer.score if field.asked.spec["kind"] == "range" else answer.value
    if page.kind.distinct_choices and chosen_twice(parsed, fields):
        raise UnreadableAnswer(
            "unparsed", marked("The same text was chosen as the best and the worst.")
        )
    return parsed
