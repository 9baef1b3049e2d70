"""Texts of a study: those that are judged in it, or were written in it."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Q, QuerySet
from django.utils.translation import gettext

from analysis.pages.entities.assignments import topic_said
from analysis.pages.entities.newest_results import Score, newest_of, scores_in
from analysis.pages.entities.votes import count_by
from annotation.corpora.text_names import response_name
from annotation.lists import ListColumn, ListFilter, RecordList
from annotation.models import Response, Study
from annotation.models.corpus import Origin, Style
from annotation.texts.sentences import marked
from judging.authors.files import written_texts
from judging.models import ItemSlot
from writing.models import Writing


@dataclass(frozen=True)
class ListedResponse:
    """Text in a list; `score` by the ranking question, `scores` by all requested ones."""

    response: Response
    name: str
    items: int | None
    votes: int | None
    score: Score | None
    scores: Sequence[Score]


def responses_of(study: Study) -> "QuerySet[Response]":
    """Return the responses of a study, topic by topic."""
    if study.kind == Study.Kind.WRITING:
        written = Writing.objects.filter(assignment__study=study, response__isnull=False)
        where = Q(pk__in=written.values("response"))
        where |= Q(pk__in=written_texts(study).values("pk"))
    else:
        slots = ItemSlot.objects.filter(item__study=study)
        whole, parts = slots.exclude(response=None), slots.exclude(segment=None)
        where = Q(pk__in=whole.values("response")) | Q(pk__in=parts.values("segment__response"))
    rows = Response.objects.filter(where).select_related("topic", "system", "author")
    return rows.defer("text", "topic__description", "topic__turns").order_by("topic", "pk")


def shown(
    study: Study, responses: Sequence[Response], *, every_score: bool = False
) -> list[ListedResponse]:
    """Return the rows of responses, with the score by the ranking question, or by each."""
    judges = study.kind == Study.Kind.JUDGING
    newest = newest_of(study) if judges else None
    by = newest.headline if newest else ""
    topics = {response.topic.key for response in responses}
    scores = scores_in(newest, topics, questions=None if every_score else [by])
    of = items_with(study, [response.pk for response in responses]) if judges else {}
    votes = count_by(study, "item", list({pk for pks in of.values() for pk in pks}))
    return [
        ListedResponse(
            response=response,
            name=response_name(response),
            items=len(of.get(response.pk, ())) if judges else None,
            votes=sum(votes.get(pk, 0) for pk in of.get(response.pk, ())) if judges else None,
            score=headline(scores.get(response.key, ()), by),
            scores=scores.get(response.key, ()),
        )
        for response in responses
    ]


def headline(scores: Iterable[Score], question: str) -> Score | None:
    return next((score for score in scores if score.question == question), None)


def items_with(study: Study, responses: Sequence[int]) -> Mapping[int, set[int]]:
    """Return the items that contain each response, or a part of it."""
    here = ItemSlot.objects.filter(item__study=study)
    items: dict[int, set[int]] = defaultdict(set)
    for by in ("response", "segment__response"):
        rows = here.filter(**{f"{by}__in": responses}).order_by()
        for response, item in rows.values_list(by, "item"):
            items[response].add(item)
    return items


def _systems(study: Study) -> Mapping[str, str]:
    return dict(study.corpus.systems.order_by("key").values_list("key", "name"))


def _columns(study: Study) -> list[ListColumn]:
    judges = study.kind == Study.Kind.JUDGING
    counted = (
        [ListColumn(gettext("Items"), number=True), ListColumn(gettext("Votes"), number=True)]
        if judges
        else []
    )
    ranked = (
        [ListColumn(gettext("Rank"), number=True), ListColumn(gettext("Score"), number=True)]
        if judges
        else []
    )
    return [
        ListColumn(gettext("Topic"), "topic__query"),
        ListColumn(gettext("Text")),
        ListColumn(gettext("Words"), "words", number=True),
        *counted,
        *ranked,
        *([] if judges else [ListColumn(gettext("Author"), "author__pseudonym")]),
        ListColumn(gettext("Key"), "key"),
    ]


LISTING = RecordList(
    key="responses",
    title=marked("Texts"),
    rows=responses_of,
    shown=shown,
    columns=_columns,
    filters=(
        ListFilter("topic", marked("Topic"), "topic__key", topic_said),
        ListFilter(
            "style",
            marked("Style"),
            "style",
            choices=lambda _: {each.value: str(each.label) for each in Style},
        ),
        ListFilter(
            "origin",
            marked("Written by"),
            "origin",
            choices=lambda _: {
                Origin.HUMAN.value: "people",
                Origin.LLM.value: gettext("language models"),
            },
        ),
        ListFilter(
            "system",
            marked("System"),
            "system__key",
            lambda study, value: _systems(study).get(value, value),
        ),
        ListFilter("worker", marked("Writer"), "author__pseudonym"),
    ),
    search_in=("topic__query", "key", "system__name"),
)
