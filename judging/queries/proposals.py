"""Proposed queries on the review page, with similar topics."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from annotation.models import Corpus, Topic
from judging.models import ProposedQuery, QueryRound
from judging.queries.passage_choice import draw
from judging.queries.similarity import QueryIndex, SimilarQuery


@dataclass(frozen=True)
class StratifiedSample:
    """Number of proposals drawn at random from each round, by the id of the round.

    A round usually has one model: Rackauckas et al. (2024) drew 100, 50, 30 and 20 queries of four
    models. Decisions do not change the sample, and a larger one contains a smaller one.
    """

    sizes: tuple[tuple[int, int], ...]
    seed: int = 0

    def drawn(self, corpus: Corpus) -> list[int]:
        """Return the ids of the drawn proposals, of all states."""
        drawn: list[int] = []
        for query_round, size in self.sizes:
            rows = listed(corpus).filter(call__round=query_round)
            pks = [str(pk) for pk in rows.values_list("pk", flat=True)]
            drawn += map(int, draw(pks, size, self.seed))
        return drawn


@dataclass(frozen=True)
class ProposalFilter:
    """Filter by state, round (None: all), similarity to a topic, and random sample."""

    state: str = ProposedQuery.State.WAITING
    round: int | None = None
    alike: bool = False
    sample: StratifiedSample | None = None


@dataclass(frozen=True)
class ProposalWithTopic:
    """A proposal with its most similar topic, if one is similar enough."""

    proposal: ProposedQuery
    like: SimilarQuery | None


def known_topics(corpus: Corpus) -> QueryIndex:
    return QueryIndex.of(
        Topic.objects.filter(corpus=corpus).order_by("pk").values_list("key", "query")
    )


def listed(corpus: Corpus) -> "QuerySet[ProposedQuery]":
    """Return all proposals but those of a deleted round that are not accepted."""
    deleted = Q(call__round__state=QueryRound.State.WITHDRAWN)
    hidden = deleted & ~Q(state=ProposedQuery.State.ACCEPTED)
    return ProposedQuery.objects.filter(~hidden, call__round__corpus=corpus)


def rows(corpus: Corpus, narrowed: ProposalFilter) -> "QuerySet[ProposedQuery]":
    """Return the proposals of a filter in the order of their passages."""
    narrowed_rows = listed(corpus).filter(state=narrowed.state)
    if narrowed.round is not None:
        narrowed_rows = narrowed_rows.filter(call__round=narrowed.round)
    if narrowed.sample is not None:
        narrowed_rows = narrowed_rows.filter(pk__in=narrowed.sample.drawn(corpus))
    return narrowed_rows.order_by("call", "position")


def alike(corpus: Corpus, pks: Sequence[int]) -> list[int]:
    """Return the proposals that are similar to a topic. Compares each with all topics: pass few."""
    index = known_topics(corpus)
    words = ProposedQuery.objects.filter(pk__in=pks).values_list("pk", "text", "edited")
    like = {pk for pk, text, edited in words if index.like(edited or text)}
    return [pk for pk in pks if pk in like]


def shown(corpus: Corpus, pks: Sequence[int]) -> list[ProposalWithTopic]:
    """Return the proposals in this order; an accepted one is not compared with its own topic."""
    related = ("call__round__prompt", "call__passage__topic", "decided_by", "topic")
    mine = ProposedQuery.objects.filter(call__round__corpus=corpus).select_related(*related)
    by_pk = mine.defer("call__request", "call__raw").in_bulk(list(pks))
    index = known_topics(corpus)
    return [
        ProposalWithTopic(by_pk[pk], None if by_pk[pk].topic_id else index.like(by_pk[pk].words))
        for pk in pks
        if pk in by_pk
    ]
