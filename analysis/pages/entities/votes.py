"""Votes of a study: every counted answer of people and LLM judges."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext

from analysis.inputs.measures import measures_of
from analysis.pages.entities.assignments import topic_said
from analysis.pages.entities.names import answer_meant, item_name, letter_of, slots_of
from analysis.pages.entities.vote_counts import counted_now, vote_counts
from annotation.lists import ListColumn, ListFilter, ListQuery, RecordList, by_number
from annotation.models import Study
from annotation.texts.sentences import marked
from judging.banks.secrets import hidden_items, hide_words
from judging.items.kinds import item_kind
from judging.models import Item, ItemSlot, Judgment, Rater
from judging.raters.pools import EVERYBODY, KINDS, Pool


@dataclass(frozen=True)
class ListedVote:
    """Vote in a list; `answer` is independent of the order `shown`."""

    vote: Judgment
    item: str
    answer: str
    shown: str


def votes_of(study: Study) -> "QuerySet[Judgment]":
    """Return the counted votes of people and LLM judges, item by item."""
    return (
        EVERYBODY.judgments(study=study)
        .select_related("item__topic", "question__criterion", "question__scale", "rater")
        .defer("item__topic__description", "item__topic__turns", "question__criterion__definition")
        .order_by("item", "pk")
    )


def shown(study: Study, votes: Sequence[Judgment]) -> list[ListedVote]:
    slots = slots_of({vote.item_id: vote.item for vote in votes}.values(), study)
    hide_words(study, votes)
    return [
        ListedVote(
            vote,
            item_name(slots[vote.item_id]),
            meant(vote, slots[vote.item_id]),
            order_said(vote.item, vote.shown),
        )
        for vote in votes
    ]


def meant(vote: Judgment, slots: Sequence[ItemSlot]) -> str:
    """Return the answer of a vote; of a single slot, with its letter."""
    meaning = answer_meant(vote.question, vote.item.kind, vote.value, vote.raw, slots)
    return f"{letter_of(vote.item.kind, vote.slot)}: {meaning}" if vote.slot else meaning


def order_said(item: Item, order: str) -> str:
    """Return the letters from left to right, such as "B A"; "" without a drawn order."""
    names = order.split(",") if order else []
    drawn = item_kind(item.kind).drawn(names)
    return " ".join(letter_of(item.kind, name) for name in names if name in drawn)


def count_by(study: Study, name: str, among: Sequence[object]) -> dict[Any, int]:
    """Return the number of counted votes, by a field of them."""
    rows = EVERYBODY.judgments(study=study).filter(**{f"{name}__in": among}).order_by()
    return dict(rows.values_list(name).annotate(n=Count("*")))


def counts(study: Study, votes: "QuerySet[Any]", query: ListQuery, by: str) -> Mapping[Any, int]:
    """Return the numbers of votes by a field; cached for all votes and for a question."""
    if query.given.keys() - {"question", "sort"}:
        return counted_now(votes, by)
    return vote_counts(study, votes, by=by, narrowed=query["question"])


def keep_counts(study: Study) -> None:
    """Count the votes of a study ahead of the first visit to their list."""
    for by in ("question", "item__topic", "rater"):
        vote_counts(study, votes_of(study), by=by)


def question_of(study: Study, value: str) -> Q:
    pks = [measure.question for measure in measures_of(study) if measure.key == value]
    return Q(question__in=pks)


def question_said(study: Study, value: str) -> str:
    return questions(study).get(value, value)


def questions(study: Study) -> Mapping[str, str]:
    return {measure.key: measure.title for measure in measures_of(study)}


def with_response(study: Study, value: str) -> Q:
    """Return the condition of items that contain this response or a part of it."""
    return Q(pk__in=_items_with(study, value))


def _items_with(study: Study, value: str) -> set[int]:
    """Return the ids of the items, which a database looks up quicker than a join."""
    slots = ItemSlot.objects.filter(item__study=study)
    response = study.corpus.responses.filter(key=value).values_list("pk", flat=True).first()
    itself = slots.filter(response=response).values_list("item", flat=True)
    parts = slots.filter(segment__response=response).values_list("item", flat=True)
    return {*itself, *parts} if response else set()


def of_response(study: Study, value: str) -> Q:
    return Q(item__in=_items_with(study, value))


def response_said(study: Study, value: str) -> str:
    from annotation.corpora.text_names import response_name

    rows = study.corpus.responses.filter(key=value).select_related("system").defer("text")
    row = rows.first()
    return response_name(row) if row else value


def _labelling(study: Study, _: str) -> Q:
    """Return the condition of votes that labels and competence are estimated from."""
    read = [
        Q(question=measure.question) & ~Q(raw__in=measure.absent)
        for measure in measures_of(study)
        if measure.is_counted and measure.options
    ]
    return reduce(or_, read, Q(pk=None))


def item_said(study: Study, value: str) -> str:
    items = Item.objects.filter(study=study).filter(by_number("pk")(study, value))
    item = items.select_related("topic").first()
    return f"“{item.topic}”" if item else value


def _topics_with(study: Study, words: str) -> QuerySet[Any]:
    return study.corpus.topics.filter(query__icontains=words)


def _raters_with(_: Study, words: str) -> QuerySet[Any]:
    return Rater.objects.filter(pseudonym__icontains=words)


LISTING = RecordList(
    key="votes",
    title=marked("Votes"),
    rows=votes_of,
    shown=shown,
    columns=lambda _: [
        ListColumn(gettext("Topic"), "item__topic__query"),
        ListColumn(gettext("Item")),
        ListColumn(gettext("Question"), "question__position"),
        ListColumn(gettext("Answer")),
        ListColumn(gettext("Shown")),
        ListColumn(gettext("Rater"), "rater__pseudonym"),
        ListColumn(gettext("Time"), "milliseconds", number=True),
        ListColumn(gettext("Answered"), "answered_at"),
    ],
    filters=(
        ListFilter("question", marked("Question"), question_of, question_said, questions),
        ListFilter("rater", marked("Rater"), "rater__pseudonym"),
        ListFilter(
            "pool",
            marked("Pool"),
            lambda _, value: Pool(value).raters if value in KINDS else Q(pk=None),
        ),
        ListFilter(
            "read", marked("Used"), _labelling, lambda *_: gettext("for labels and competence")
        ),
        ListFilter("topic", marked("Topic"), "item__topic__key", topic_said),
        ListFilter("item", marked("Item"), by_number("item"), item_said),
        ListFilter("response", marked("Text"), of_response, response_said),
        ListFilter("work", marked("Assignment"), by_number("assignment")),
    ),
    search_in=("comment",),
    unsearched=lambda study: Q(item__in=hidden_items(study)),
    search_related=(("item__topic", _topics_with), ("rater", _raters_with)),
    kinds=(Study.Kind.JUDGING,),
    counts=counts,
    counted_by="question",
)
