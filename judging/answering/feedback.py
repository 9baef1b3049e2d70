"""Feedback after a training item: the right answers and the given ones."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.safestring import SafeString

from annotation.models import Assignment
from annotation.texts.markdown import rendered
from judging.answering.scales import canonical
from judging.answering.unanswered import Questions
from judging.items.contents import key_of
from judging.items.kinds import item_kind
from judging.models import ItemRole, ItemSlot, Judgment, Presentation, Question


@dataclass(frozen=True)
class QuestionFeedback:
    """A question with its right and given answers, by label."""

    question: Question
    right: str
    answered: Sequence[str]
    is_right: bool


@dataclass(frozen=True)
class Feedback:
    told: Sequence[QuestionFeedback]
    explanation: SafeString


def training_in(presentations: Iterable[Presentation]) -> list[Presentation]:
    """Return the training pages, which come first."""
    return [
        presentation
        for presentation in presentations
        if presentation.item.role == ItemRole.TRAINING
    ]


def open_training(
    presentations: Iterable[Presentation],
    *,
    counts: Mapping[tuple[int, int], int],
    wanted: Mapping[int, int],
) -> int | None:
    """Return the position of the first unanswered training page."""
    for presentation in training_in(presentations):
        n = counts.get((presentation.item_id, presentation.instrument_id), 0)
        if not presentation.is_erased and n < wanted[presentation.position]:
            return presentation.position
    return None


def feedback_on(
    *, assignment: Assignment, presentation: Presentation, questions: Questions
) -> Feedback:
    """Return the feedback on an answered page."""
    check = presentation.item.check_of
    assert check is not None
    judgments: dict[int, list[Judgment]] = defaultdict(list)
    rows = Judgment.objects.filter(assignment=assignment, item=presentation.item_id)
    for row in rows.exclude(raw="").order_by("slot"):
        judgments[row.question_id].append(row)
    contents = _contents(presentation)
    answered_questions = [
        QuestionFeedback(
            question=question,
            right=_right(question, check.expected[question.key], presentation, contents),
            answered=[_label(question, row.raw) for row in judgments[question.pk]],
            is_right={row.value for row in judgments[question.pk]}
            == {check.expected[question.key]},
        )
        for question in presentation.asked(questions.get(presentation.instrument_id, {}).values())
        if question.key in check.expected
    ]
    return Feedback(answered_questions, rendered(check.spec["explanation"]))


def _contents(presentation: Presentation) -> dict[str, str]:
    slots = ItemSlot.objects.filter(item=presentation.item_id).select_related(
        "response", "passage", "segment__response", "criterion"
    )
    return {slot.name: key_of(slot.content) for slot in slots}


def _right(
    question: Question, expected: str, presentation: Presentation, contents: dict[str, str]
) -> str:
    """Return the label of the right answer in the order of this worker."""
    spec: dict[str, Any] = question.scale.spec
    places = item_kind(presentation.item.kind).drawn(contents)
    for option in spec.get("options", []):
        answer = canonical(
            spec=spec,
            raw=option["code"],
            shown=tuple(presentation.order.split(",")),
            places=places,
            contents=contents,
        )
        if answer.value == expected:
            return str(option["label"])
    return expected


def _label(question: Question, raw: str) -> str:
    options = question.scale.spec.get("options", [])
    return next((str(option["label"]) for option in options if option["code"] == raw), raw)
