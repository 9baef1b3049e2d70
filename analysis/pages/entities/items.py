"""Items of a judging study, with their numbers of votes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Q, QuerySet
from django.utils.translation import gettext

from analysis.pages.entities.assignments import topic_said
from analysis.pages.entities.names import item_name, slots_of
from analysis.pages.entities.votes import count_by, response_said, with_response
from annotation.lists import ListColumn, ListFilter, RecordList
from annotation.models import Study
from annotation.texts.sentences import marked
from judging.models import Item, TaskItem
from judging.raters.pools import EVERYBODY


@dataclass(frozen=True)
class ItemRow:
    item: Item
    name: str
    kind: str
    votes: int


def items_of(study: Study) -> "QuerySet[Item]":
    """Return the items of a study, topic by topic."""
    rows = (
        Item.objects.filter(study=study)
        .select_related("topic")
        .defer("topic__description", "topic__turns")
    )
    return rows.order_by("topic", "pk")


def shown(study: Study, items: Sequence[Item]) -> list[ItemRow]:
    slots = slots_of(items, study)
    votes = count_by(study, "item", [item.pk for item in items])
    return [
        ItemRow(
            item,
            item_name(slots.get(item.pk, [])),
            kind_said(item.kind),
            votes.get(item.pk, 0),
        )
        for item in items
    ]


def kind_said(kind: str) -> str:
    """Return the name of a kind of items, such as "Pair with documents"."""
    return kind.replace("_documents", gettext(" with documents")).replace("_", " and ").capitalize()


def _rated_by(study: Study, value: str) -> Q:
    given = EVERYBODY.judgments(study=study).filter(rater__pseudonym=value)
    return Q(pk__in=given.values("item"))


def _asked(study: Study, value: str) -> Q:
    tasks = TaskItem.objects.filter(instrument__study=study, instrument__key=value)
    return Q(pk__in=tasks.values("item"))


def _instruments(study: Study) -> Mapping[str, str]:
    return {instrument.key: instrument.title for instrument in study.instruments.all()}


LISTING = RecordList(
    key="items",
    title=marked("Items"),
    rows=items_of,
    shown=shown,
    columns=lambda _: [
        ListColumn(gettext("Topic"), "topic__query"),
        ListColumn(gettext("Judged")),
        ListColumn(gettext("Kind"), "kind"),
        ListColumn(gettext("Votes"), number=True),
    ],
    filters=(
        ListFilter("topic", marked("Topic"), "topic__key", topic_said),
        ListFilter("response", marked("Text"), with_response, response_said),
        ListFilter(
            "instrument",
            marked("Instrument"),
            _asked,
            lambda study, value: _instruments(study).get(value, value),
        ),
        ListFilter("rater", marked("Rater"), _rated_by),
    ),
    search_in=("topic__query", "key"),
    kinds=(Study.Kind.JUDGING,),
)
