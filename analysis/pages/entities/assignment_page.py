"""Page of one assignment: its events, decisions and answers."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.shortcuts import get_object_or_404
from django.utils.translation import gettext

from analysis.pages.entities.assignments import shown, works_of
from analysis.pages.entities.flags import Standard, marks_of
from analysis.pages.entities.names import answer_said, item_name, slots_of
from analysis.pages.entities.votes import order_said
from annotation.fieldwork.review import reviewing
from annotation.fieldwork.review.platform_states import state_of
from annotation.models import Assignment, Study
from annotation.texts.sentences import marked
from judging.answering.page_layout import pages_of
from judging.banks.secrets import hidden_items, hide_words, typed_questions
from judging.models import ItemSlot, Judgment, Presentation, Question, Role
from judging.review.redo_changes import redos_of
from writing.review import submissions

State = Assignment.State
ENDS = {
    State.RETURNED: marked("Returned"),
    State.EXPIRED: marked("Timed out"),
    State.WITHDRAWN: marked("Withdrew"),
}


@dataclass(frozen=True)
class HistoryEvent:
    """Event in the history of an assignment."""

    at: datetime
    what: str
    by: str = ""
    reason: str = ""


@dataclass(frozen=True)
class AnsweredPage:
    """Page of a questionnaire as its worker saw it.

    `answers` are by question, None where nothing was answered; an answer on one slot names it.
    """

    presentation: Presentation
    number: int
    name: str
    order: str
    answers: Sequence[str]
    seconds: float | None
    comments: Sequence[str]


@dataclass(frozen=True)
class ShownAnswerChange:
    """Answer before and after a redo, in words."""

    item: int
    number: int
    topic: str
    question: str
    slot: str
    before: str
    after: str


def work_of(study: Study, pk: int) -> Assignment:
    work = get_object_or_404(works_of(study), pk=pk)
    work.study = study
    return work


def context(study: Study, work: Assignment) -> dict[str, Any]:
    (row,) = shown(study, [work])
    decisions = list(work.decisions.order_by("pk"))
    writing = getattr(work, "writing", None)
    judges = study.kind == Study.Kind.JUDGING
    return {
        "work": work,
        "row": row,
        "moments": _moments(work, decisions),
        "marks": marks_of(work, Standard.of(study)),
        "decisions": decisions,
        "platform": state_of(work),
        "last": decisions[-1] if decisions else None,
        "decidable": work.state in reviewing.DECIDABLE,
        "redoable": work.state == State.SUBMITTED,
        "writing": writing,
        "entry": submissions.answers(study.entry_form, work.entry_answers),
        "exit": submissions.answers(study.exit_form, work.exit_answers),
        "parts": _parts(study, work) if judges else [],
        "redos": _redos(study, work) if judges else [],
    }


def _moments(work: Assignment, decisions: Sequence[Any]) -> list[HistoryEvent]:
    """Return the events from the arrival to the last decision."""
    events = [
        (work.arrived_at, gettext("Arrived")),
        (work.started_at, gettext("Agreed")),
        (work.worked_at, gettext("First save")),
        (work.submitted_at, gettext("Submitted")),
        (work.ended_at if work.state in ENDS else None, gettext(ENDS.get(State(work.state), ""))),
    ]
    moments = [HistoryEvent(at, what) for at, what in events if at is not None]
    moments += [
        HistoryEvent(
            decision.decided_at,
            decision.get_decision_display().capitalize(),
            decision.reviewer,
            decision.reason,
        )
        for decision in decisions
    ]
    for submission in work.platform_submissions.all():
        what = gettext("On {platform}: {status}").format(
            platform=work.study.get_recruitment_display(), status=submission.get_status_display()
        )
        moments.append(HistoryEvent(submission.changed_at, what))
    return sorted(moments, key=lambda each: each.at)


def _parts(study: Study, work: Assignment) -> list[dict[str, Any]]:
    """Return the questions and pages of the questionnaire, by instrument."""
    pages = list(
        work.presentations.select_related("item__topic", "item__check_of")
        .defer("item__topic__description", "item__topic__turns")
        .order_by("position")
    )
    slots = slots_of([page.item for page in pages], study)
    in_use = study.questions.select_related("scale", "criterion").defer("criterion__definition")
    questions = list(in_use.order_by("position"))
    given: dict[tuple[int, int], list[Judgment]] = {}
    judgments = list(work.judgments.exclude(raw="").order_by("slot"))
    hide_words(study, judgments)
    for judgment in judgments:
        given.setdefault((judgment.item_id, judgment.question_id), []).append(judgment)
    instruments = {instrument.pk: instrument.title for instrument in study.instruments.all()}
    numbers = {
        presentation.pk: page.number
        for page in pages_of(pages, study=study)
        for presentation in page.presentations
    }
    hidden = set(hidden_items(study).values_list("item", flat=True))
    parts = []
    for instrument in dict.fromkeys(page.instrument_id for page in pages):
        mine = [question for question in questions if question.instrument_id == instrument]
        parts.append(
            {
                "title": instruments[instrument],
                "questions": mine,
                "pages": [
                    _page(
                        page,
                        numbers[page.pk],
                        mine,
                        given,
                        _name(page, slots.get(page.item_id, [])),
                        is_hidden=page.item_id in hidden,
                    )
                    for page in pages
                    if page.instrument_id == instrument
                ],
            }
        )
    return parts


def _redos(study: Study, work: Assignment) -> list[dict[str, Any]]:
    """Return each requested redo with the answers that changed since."""
    redos = redos_of(work)
    if not redos:
        return []
    pages = list(work.presentations.select_related("item__topic").order_by("position"))
    numbers = {
        presentation.item_id: page.number
        for page in pages_of(pages, study=study)
        for presentation in page.presentations
    }
    topics = {page.item_id: page.item.topic.query for page in pages}
    question_by_pk = {
        question.pk: question for question in study.questions.select_related("scale", "criterion")
    }
    typed = set(typed_questions(study))
    hidden = set(hidden_items(study).values_list("item", flat=True)) if typed else set()
    return [
        {
            "redo": redo,
            "changes": sorted(
                (
                    ShownAnswerChange(
                        item=change.item,
                        number=numbers[change.item],
                        topic=topics[change.item],
                        question=question_by_pk[change.question].criterion.name,
                        slot=change.slot,
                        before=answer_said(question_by_pk[change.question], change.before),
                        after=answer_said(question_by_pk[change.question], change.after),
                    )
                    for change in redo.changes
                    if change.item in numbers
                    and not (change.item in hidden and change.question in typed)
                ),
                key=lambda each: each.number,
            ),
        }
        for redo in redos
    ]


def _name(page: Presentation, slots: Sequence[ItemSlot]) -> str:
    """Return the name of a page; a check also names its role, without its texts."""
    check = page.item.check_of
    if check is None:
        return item_name(slots)
    label = str(check).capitalize()
    return label if check.role == Role.ATTENTION else f"{label}: {item_name(slots)}"


def _page(
    page: Presentation,
    number: int,
    questions: Sequence[Question],
    given: dict[tuple[int, int], list[Judgment]],
    name: str,
    *,
    is_hidden: bool = False,
) -> AnsweredPage:
    """Return a page; comments on a hidden one are left out, as they may quote it."""
    answers = [given.get((page.item_id, question.pk), []) for question in questions]
    every = [judgment for answer in answers for judgment in answer]
    times = [judgment.milliseconds for judgment in every if judgment.milliseconds is not None]
    remarks = (page.comment, *(judgment.comment for judgment in every))
    return AnsweredPage(
        presentation=page,
        number=number,
        name=name,
        order=order_said(page.item, page.order),
        answers=[
            "; ".join(_said(question, judgment) for judgment in answer)
            for question, answer in zip(questions, answers, strict=True)
        ],
        seconds=max(times) / 1000 if times else None,
        comments=[] if is_hidden else list(filter(None, remarks)),
    )


def _said(question: Question, given: Judgment) -> str:
    text = answer_said(question, given.raw)
    return f"{given.slot}: {text}" if given.slot else text
