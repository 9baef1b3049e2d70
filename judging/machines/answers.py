"""Answers of machine judges in the terms of the study."""

from collections.abc import Iterable
from typing import Any

from annotation.texts.sentences import marked
from annotation.texts.untrusted import storable
from judging.answering.scales import NotOnScale
from judging.calls.askers import ReplyReader
from judging.calls.replies import UnreadableAnswer
from judging.machines.fields import AnswerField, ShownItem, chosen_twice, fields_of
from judging.machines.item_prompts import interviews_for, materials
from judging.machines.replies import ParsedReply, read
from judging.models import MachineCall, MachineJudge


class Reader(ReplyReader):
    """Reader of the answers to a judge's calls."""

    def __init__(self, judge: MachineJudge) -> None:
        self._judge = judge
        self._questions = {
            (interview.instrument.pk, interview.asked): interview.questions
            for interview in interviews_for(judge)
        }
        self._pages: dict[int, ShownItem] = {}

    def look_up(self, calls: Iterable[MachineCall]) -> None:
        """Load the pages of these calls, which have their items at hand."""
        every = list(calls)
        material_by_item = materials([call.item for call in every], words=False)
        for one_call in every:
            order = tuple(one_call.shown.split(",")) if one_call.shown else ()
            self._pages[one_call.pk] = material_by_item[one_call.item_id].page(order)

    def parsed(self, call: MachineCall, raw: str) -> tuple[dict[str, Any], dict[str, str]]:
        page = self._pages[call.pk]
        fields = fields_of(self._questions[call.instrument_id, call.asked], page)
        reply = read(raw, fields, structured=self._judge.structured)
        # Escaped in JSON, a half of a sign comes into being only when that is read.
        reasons = {key: storable(reason) for key, reason in reply.reasons.items()}
        return _parsed(reply, fields, page), reasons

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
        raise UnreadableAnswer("unparsed", marked("The same text is both best and worst."))
    return parsed
