"""Lists of participants' comments: on pages, as reasons for answers, and in forms."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet
from django.utils.translation import gettext

from analysis.pages.entities.assignments import LISTING as WORKS
from analysis.pages.entities.assignments import topic_said
from analysis.pages.entities.names import item_name, slots_of
from analysis.pages.entities.votes import (
    item_said,
    of_response,
    question_of,
    question_said,
    questions,
    response_said,
)
from annotation.lists import ListColumn, ListFilter, RecordList, by_number
from annotation.models import Assignment, Study, Worker
from annotation.people.pseudonyms import people_with_id
from annotation.texts.sentences import marked
from judging.banks.secrets import hidden_items
from judging.coding.comments import form_comments, form_texts, page_comments, reasons
from judging.models import Item, Judgment, Presentation

State = next(filter_ for filter_ in WORKS.filters if filter_.name == "state")
HINT = marked("Words, topic, pseudonym or platform ID")
LISTED = ("comments", "reasons", "form_comments")  # keys of these lists


@dataclass(frozen=True)
class CommentRow:
    """Comment on an item, from a page or as a reason; `question` is empty for a page."""

    item: Item
    name: str
    text: str
    work: Assignment
    method: str
    question: str = ""
    position: int | None = None


@dataclass(frozen=True)
class FormRow:
    """Assignment with the texts in its forms, as (form, key, label, text)."""

    work: Assignment
    texts: Sequence[tuple[str, str, str, str]]


def _pages_of(study: Study) -> "QuerySet[Presentation]":
    """Return the pages with a comment, the newest work first."""
    rows = page_comments(study).select_related(
        "item__topic", "item__check_of", "assignment__worker", "assignment__study", "instrument"
    )
    rows = rows.exclude(item__in=hidden_items(study))
    return rows.defer("item__topic__description", "item__topic__turns").order_by(
        "-assignment", "position"
    )


def _reasons_of(study: Study) -> "QuerySet[Judgment]":
    """Return the answers with a reason, newest work first."""
    rows = reasons(study).select_related(
        "item__topic", "item__check_of", "assignment__worker", "assignment__study",
        "question__instrument", "question__criterion",
    )  # fmt: skip
    rows = rows.exclude(item__in=hidden_items(study))
    return rows.defer("item__topic__description", "item__topic__turns").order_by(
        "-assignment", "item", "question__position"
    )


def _forms_of(study: Study) -> "QuerySet[Assignment]":
    """Return the assignments with a text in a form, newest first."""
    return form_comments(study).select_related("worker", "study").order_by("-pk")


def _pages_shown(study: Study, pages: Sequence[Presentation]) -> list[CommentRow]:
    slots = slots_of({page.item_id: page.item for page in pages}.values(), study)
    return [
        CommentRow(
            page.item,
            item_name(slots.get(page.item_id, [])),
            page.comment,
            page.assignment,
            page.instrument.title,
            position=page.position,
        )
        for page in pages
    ]


def _reasons_shown(study: Study, answers: Sequence[Judgment]) -> list[CommentRow]:
    slots = slots_of({answer.item_id: answer.item for answer in answers}.values(), study)
    return [
        CommentRow(
            answer.item,
            item_name(slots.get(answer.item_id, [])),
            answer.comment,
            answer.assignment,
            answer.question.instrument.title,
            question=answer.question.criterion.name,
        )
        for answer in answers
        if answer.assignment is not None  # those of participants have one
    ]


def _forms_shown(study: Study, works: Sequence[Assignment]) -> list[FormRow]:
    return [FormRow(work, form_texts(study, work)) for work in works]


def _state_of(study: Study, value: str) -> Q:
    works = Assignment.objects.filter(State.condition(study, value), study=study)
    return Q(assignment__in=works)


def _people_with(_: Study, words: str) -> "QuerySet[Worker]":
    named = Worker.objects.filter(pseudonym__icontains=words)
    return named | people_with_id(Worker.objects.all(), words)


def _methods(study: Study) -> Mapping[str, str]:
    """Return the titles of the methods, by key, if the study has several."""
    titles = dict(study.instruments.values_list("key", "title"))
    return titles if len(titles) > 1 else {}


def _method_said(study: Study, value: str) -> str:
    return dict(study.instruments.values_list("key", "title")).get(value, value)


def _filters(method: str) -> tuple[ListFilter[Study], ...]:
    return (
        ListFilter("method", marked("Method"), method, _method_said, _methods),
        ListFilter("state", State.title, _state_of, State.label, State.choices),
        ListFilter("worker", marked("Participant"), "assignment__worker__pseudonym"),
        ListFilter("topic", marked("Topic"), "item__topic__key", topic_said),
        ListFilter("item", marked("Item"), by_number("item"), item_said),
        ListFilter("response", marked("Text"), of_response, response_said),
    )


def _columns(method: str, last: ListColumn) -> Callable[[Study], Sequence[ListColumn]]:
    def columns(study: Study) -> list[ListColumn]:
        return [
            ListColumn(gettext("Topic"), "item__topic__query"),
            ListColumn(gettext("Item")),
            ListColumn(gettext("Comment")),
            *([ListColumn(gettext("Method"), method)] if _methods(study) else []),
            ListColumn(gettext("Participant"), "assignment__worker__pseudonym"),
            ListColumn(gettext(last.title), last.sort, number=last.number),
            ListColumn(gettext("State"), "assignment__state"),
        ]

    return columns


COMMON: dict[str, Any] = {
    "title": marked("Comments"),
    "search_in": ("comment", "item__topic__query"),
    "search_hint": HINT,
    "search_related": (("assignment__worker", _people_with),),
    "kinds": (Study.Kind.JUDGING,),
}
LISTING: RecordList[Study] = RecordList(
    key="comments",
    rows=_pages_of,
    shown=_pages_shown,
    columns=_columns("instrument__position", ListColumn(marked("Page"), "position", number=True)),
    filters=_filters("instrument__key"),
    **COMMON,
)
REASONS: RecordList[Study] = RecordList(
    key="reasons",
    rows=_reasons_of,
    shown=_reasons_shown,
    columns=_columns(
        "question__instrument__position", ListColumn(marked("Question"), "question__position")
    ),
    filters=(
        *_filters("question__instrument__key"),
        ListFilter("question", marked("Question"), question_of, question_said, questions),
    ),
    **COMMON,
)
FORMS: RecordList[Study] = RecordList(
    key="form_comments",
    title=marked("Comments"),
    rows=_forms_of,
    shown=_forms_shown,
    columns=lambda _: [
        ListColumn(gettext("Participant"), "worker__pseudonym"),
        ListColumn(gettext("Comment")),
        ListColumn(gettext("State"), "state"),
    ],
    filters=(
        ListFilter("state", State.title, State.condition, State.label, State.choices),
        ListFilter("worker", marked("Participant"), "worker__pseudonym"),
    ),
    search_in=("worker__pseudonym",),
    search_hint=HINT,
    search_related=(
        ("pk", lambda study, words: form_comments(study, words=words)),
        ("worker", _people_with),
    ),
)
