"""Recording a judge's answers as judgments of its rater, as imported labels are.

A question about an item is judged once every order of it is answered. If two orders disagree, the
judgment is a tie or the first answer, by the judge's settings. A judgment from two orders has an
empty `shown`.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef

from judging.answering.recording import COMMENT_LIMIT
from judging.labels.saving import ImportedLabel, LabelReport, write_labels
from judging.machines.fields import AnswerField, ModelQuestion, ShownItem, fields_of
from judging.machines.item_prompts import interviews_for, materials
from judging.models import MachineCall, MachineJudge, Question, Rater

AT_ONCE = 500  # items
WITHDRAWN = MachineJudge.State.WITHDRAWN
Group = list[MachineCall]  # what was asked of an item together, in every order


def take_answers(*, judge: MachineJudge, now: datetime) -> LabelReport:
    """Record the complete answers that are not counted yet; safe to repeat.

    Nothing is recorded for a withdrawn judge.
    """
    report = LabelReport(judge.name)
    questions = {(question.instrument_id, question.key): question for question in _questions(judge)}
    questions_by_call = {
        (interview.instrument.pk, interview.asked): interview.questions
        for interview in interviews_for(judge)
    }
    while items := _settled(judge):
        with transaction.atomic():
            Rater.objects.select_for_update(no_key=True).get(pk=judge.rater_id)
            if MachineJudge.objects.filter(pk=judge.pk, state=WITHDRAWN).exists():
                return report
            calls = list(
                MachineCall.objects.filter(judge=judge, item__in=items)
                .select_related("item")
                .defer("request", "raw")
                .order_by("item", "instrument", "asked", "order")
            )
            labels = list(_labels(judge, calls, questions_by_call, questions))
            write_labels(judge.rater, labels, now, report)
            done = [
                call.pk
                for group in _groups(calls)
                if all(one.state == MachineCall.State.ANSWERED for one in group)
                for call in group
            ]
            MachineCall.objects.filter(pk__in=done).update(counted=True)
    return report


def _questions(judge: MachineJudge) -> Sequence[Question]:
    return list(Question.objects.filter(study=judge.study_id))


def _settled(judge: MachineJudge) -> list[int]:
    """Return items with an uncounted answer whose other orders are answered, too."""
    mine = MachineCall.objects.filter(judge=judge)
    other = mine.filter(
        item=OuterRef("item"), instrument=OuterRef("instrument"), asked=OuterRef("asked")
    ).exclude(state=MachineCall.State.ANSWERED)
    rows = mine.filter(~Exists(other), state=MachineCall.State.ANSWERED, counted=False)
    return list(rows.order_by("item").values_list("item", flat=True).distinct()[:AT_ONCE])


def _groups(calls: Sequence[MachineCall]) -> list[Group]:
    groups: dict[tuple[int, int, str], Group] = defaultdict(list)
    for call in calls:
        groups[call.item_id, call.instrument_id, call.asked].append(call)
    return list(groups.values())


def _labels(
    judge: MachineJudge,
    calls: Sequence[MachineCall],
    asked: dict[tuple[int, str], tuple[ModelQuestion, ...]],
    questions: dict[tuple[int, str], Question],
) -> Iterator[ImportedLabel]:
    material_by_item = materials(
        list({call.item_id: call.item for call in calls}.values()), words=False
    )
    for group in _groups(calls):
        if any(answered.state != MachineCall.State.ANSWERED for answered in group):
            continue
        first = group[0]
        material = material_by_item[first.item_id]
        page = material.page(material.orders[0])
        for field in fields_of(asked[first.instrument_id, first.asked], page):
            question = questions[first.instrument_id, field.asked.key]
            answers = [(call.parsed or {}).get(field.key) for call in group]
            value = together(answers, field.asked.spec, judge.on_disagreement)
            if value is None:
                continue
            answer = field.answer(_code(field, value, page), page)
            shown = first.shown if len(group) == 1 else ""
            reasons = (call.reasons.get(field.key, "") for call in group)
            yield ImportedLabel(
                line=0,
                key=(first.item_id, question.pk, field.slot, shown),
                raw=answer.raw,
                value=answer.value,
                score=answer.score,
                comment="\n\n".join(filter(None, reasons))[:COMMENT_LIMIT],
            )


def together(values: Sequence[Any], spec: Mapping[str, Any], on_disagreement: str) -> Any:
    """Return the answer of all orders together, None for none."""
    if all(value == values[0] for value in values):
        return values[0]
    if None in values:
        return None
    if on_disagreement == MachineJudge.Disagreement.FIRST:
        return values[0]
    options = spec.get("options") or []
    return next((option["code"] for option in options if option["role"] == "tie"), None)


def _code(field: AnswerField, value: Any, page: ShownItem) -> str:
    """Return the code of the option with this value in the designed order."""
    if not field.choices:
        return str(value) if field.is_text else f"{value:.15g}"
    for option in field.asked.spec["options"]:
        if field.answer(option["code"], page).value == value:
            return str(option["code"])
    return str(value)
