"""Proposed queries as the page shows them: beside the topics that they are like. Only reads."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from annotation.models import Corpus, Topic
from judging.models import ProposedQuery, QueryRound
from judging.queries.likeness import Known, Like


@dataclass(frozen=True)
class Narrowed:
    """Those of a state, of a round (or all); of them only those like a topic (`alike`), or all."""

    state: str = ProposedQuery.State.WAITING
    round: int | None = None
    alike: bool = False


@dataclass(frozen=True)
class Shown:
    """`like`: the topic that it is most like, if any is like enough."""

    proposal: ProposedQuery
    like: Like | None


def known_topics(corpus: Corpus) -> Known:
    return Known.of(Topic.objects.filter(corpus=corpus).order_by("pk").values_list("key", "query"))


def listed(corpus: Corpus) -> "QuerySet[ProposedQuery]":
    """All but those of a deleted round that nobody has accepted."""
    deleted = Q(call__round__state=QueryRound.State.WITHDRAWN)
    hidden = deleted & ~Q(state=ProposedQuery.State.ACCEPTED)
    return ProposedQuery.objects.filter(~hidden, call__round__corpus=corpus)


def rows(corpus: Corpus, narrowed: Narrowed) -> "QuerySet[ProposedQuery]":
    """In the order of their passages."""
    found = listed(corpus).filter(state=narrowed.state)
    if narrowed.round is not None:
        found = found.filter(call__round=narrowed.round)
    return found.order_by("call", "position")


def alike(corpus: Corpus, pks: Sequence[int]) -> list[int]:
    """Those of these that are like a topic: each is held against all topics, so that these are
    few."""
    known = known_topics(corpus)
    words = ProposedQuery.objects.filter(pk__in=pks).values_list("pk", "text", "edited")
    like = {pk for pk, text, edited in words if known.like(edited or text)}
    return [pk for pk in pks if pk in like]


def shown(corpus: Corpus, pks: Sequence[int]) -> list[Shown]:
    """In this order, those of the corpus; an accepted one is not held against the topic that it
    is."""
    related = ("call__round__prompt", "call__passage__topic", "decided_by", "topic")
    mine = ProposedQuery.objects.filter(call__round__corpus=corpus).select_related(*related)
    by_pk = mine.defer("call__request", "call__raw").in_bulk(list(pks))
    known = known_topics(corpus)
    return [
        Shown(by_pk[pk], None if by_pk[pk].topic_id else known.like(by_pk[pk].words))
        for pk in pks
        if pk in by_pk
    ]
