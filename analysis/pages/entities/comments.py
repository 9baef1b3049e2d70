"""Comments of participants on whole pages of a judging study."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q, QuerySet
from django.utils.translation import gettext

from analysis.exports.other_answers import comments_of
from analysis.pages.entities.assignments import LISTING as WORKS
from analysis.pages.entities.assignments import topic_said
from analysis.pages.entities.names import item_name, slots_of
from annotation.lists import ListColumn, ListFilter, RecordList
from annotation.models import Assignment, Study, Worker
from annotation.people.pseudonyms import people_with_id
from annotation.texts.sentences import marked
from judging.models import Presentation

State = next(filter_ for filter_ in WORKS.filters if filter_.name == "state")


@dataclass(frozen=True)
class CommentRow:
    """Page with its comment and the name of its item."""

    page: Presentation
    item: str


def rows_of(study: Study) -> "QuerySet[Presentation]":
    """Return the pages with a comment, the newest work first."""
    rows = comments_of(study).select_related(
        "item__topic", "item__check_of", "assignment__worker", "assignment__study"
    )
    return rows.defer("item__topic__description", "item__topic__turns").order_by(
        "-assignment", "position"
    )


def shown(study: Study, pages: Sequence[Presentation]) -> list[CommentRow]:
    slots = slots_of({page.item_id: page.item for page in pages}.values(), study)
    return [CommentRow(page, item_name(slots.get(page.item_id, []))) for page in pages]


def _state(study: Study, value: str) -> Q:
    works = Assignment.objects.filter(State.condition(study, value), study=study)
    return Q(assignment__in=works)


def _people_with(_: Study, words: str) -> "QuerySet[Worker]":
    named = Worker.objects.filter(pseudonym__icontains=words)
    return named | people_with_id(Worker.objects.all(), words)


LISTING = RecordList(
    key="comments",
    title=marked("Comments"),
    one=marked("comment"),
    rows=rows_of,
    shown=shown,
    columns=lambda _: [
        ListColumn(gettext("Topic"), "item__topic__query"),
        ListColumn(gettext("Item")),
        ListColumn(gettext("Comment")),
        ListColumn(gettext("Participant"), "assignment__worker__pseudonym"),
        ListColumn(gettext("Page"), "position", number=True),
        ListColumn(gettext("State"), "assignment__state"),
    ],
    filters=(
        ListFilter("state", State.title, _state, State.label, State.choices),
        ListFilter("worker", marked("Participant"), "assignment__worker__pseudonym"),
        ListFilter("topic", marked("Topic"), "item__topic__key", topic_said),
    ),
    search_in=("comment", "item__topic__query"),
    search_hint=marked("Words, topic, pseudonym or platform ID"),
    search_related=(("assignment__worker", _people_with),),
    kinds=(Study.Kind.JUDGING,),
)
