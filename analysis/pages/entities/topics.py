"""Topics of a study, with their numbers of texts, items and votes."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q, QuerySet
from django.utils.translation import gettext

from analysis.analyses.groups import UNNAMED
from analysis.pages.entities.newest_results import newest_of
from analysis.pages.entities.responses import responses_of
from analysis.pages.entities.votes import count_by
from analysis.pages.results.pages.responses import scored_keys
from annotation.lists import ListColumn, ListFilter, RecordList
from annotation.models import Assignment, Response, Study, Topic
from annotation.texts.sentences import marked
from judging.models import Item
from writing.models import WritingTask


@dataclass(frozen=True)
class ListedTopic:
    """Topic in a list; `works` are the assignments of a writing study."""

    topic: Topic
    items: int | None
    votes: int | None
    works: int | None
    responses: int


def topics_of(study: Study) -> "QuerySet[Topic]":
    """Return the topics that the study uses, in the order of the corpus."""
    items = Item.objects.filter(study=study).values("topic")
    tasks = WritingTask.objects.filter(task__batch__study=study).values("topic")
    is_about = Q(pk__in=tasks) if study.kind == Study.Kind.WRITING else Q(pk__in=items)
    return Topic.objects.filter(is_about).order_by("pk")


def shown(study: Study, topics: Sequence[Topic]) -> list[ListedTopic]:
    pks = [topic.pk for topic in topics]
    judges = study.kind == Study.Kind.JUDGING
    topic_of = dict(Item.objects.filter(study=study, topic__in=pks).values_list("pk", "topic"))
    items, votes = Counter(topic_of.values()), Counter[int]()
    # By the ids of their items, which a database looks up: for a topic it would go through all.
    for item, n in count_by(study, "item", list(topic_of)).items() if judges else ():
        votes[topic_of[item]] += n
    by = "task__writing_task__topic"
    works = _counts(Assignment.objects.filter(**{"study": study, f"{by}__in": pks}), by)
    responses = _counts(responses_of(study).filter(topic__in=pks), "topic")
    return [
        ListedTopic(
            topic=topic,
            items=items[topic.pk] if judges else None,
            votes=votes[topic.pk] if judges else None,
            works=None if judges else works.get(topic.pk, 0),
            responses=responses.get(topic.pk, 0),
        )
        for topic in topics
    ]


def _counts(rows: "QuerySet[Any]", by: str) -> dict[int, int]:
    return dict(rows.order_by().values_list(by).annotate(n=Count("pk")))


def _columns(study: Study) -> list[ListColumn]:
    judges = study.kind == Study.Kind.JUDGING
    counted = [gettext("Items"), gettext("Votes")] if judges else [gettext("Assignments")]
    return [
        ListColumn(gettext("Topic"), "query"),
        *(ListColumn(title, number=True) for title in [*counted, gettext("Texts")]),
        ListColumn(gettext("Key"), "key"),
    ]


def _group(study: Study, value: str) -> Q:
    """Return the condition of topics with a scored text of a system, style or origin."""
    newest = newest_of(study)
    if newest is None:
        return Q(pk=None)
    scored = scored_keys(newest)
    unnamed = [origin for origin, name in UNNAMED.items() if name == value]
    style, _, origin = value.partition(", ")
    of_group = (
        Q(system__key=value) | Q(system=None, origin__in=unnamed) | Q(style=style, origin=origin)
    )
    texts = Response.objects.filter(of_group, corpus=study.corpus_id).values_list("topic", "key")
    return Q(pk__in={topic for topic, key in texts if key in scored})


def _group_said(study: Study, value: str) -> str:
    newest = newest_of(study)
    return newest.words.of_group(value) if newest else value


LISTING = RecordList(
    key="topics",
    title=marked("Topics"),
    rows=topics_of,
    shown=shown,
    columns=_columns,
    filters=(ListFilter("group", marked("Compared texts"), _group, _group_said),),
    search_in=("query", "key", "description"),
)
