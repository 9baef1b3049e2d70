"""Deciding on proposed queries: an accepted one becomes a topic of the corpus.

As an import does, this only adds: a new topic with a copy of its passages; existing pools stay. A
launched study keeps its topics; a further batch or another study may draw the new ones.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Model, QuerySet
from django.utils.translation import gettext as _

from annotation import wiping
from annotation.models import Corpus, Passage, Topic
from annotation.people import access
from annotation.texts.coded_errors import CodedError
from judging.models import ProposedQuery, QueryRound
from judging.queries.joining import joined_with
from judging.queries.replies import LONGEST, flat

State = ProposedQuery.State
KEY = "proposed-"


class CannotDecide(CodedError):
    """Refusal of a decision; the message gives the reason."""


@dataclass(frozen=True)
class DecidedQueries:
    """Number of proposals decided, of those that are topics already, and of late ones."""

    done: int
    same: int = 0
    late: int = 0


@transaction.atomic
def accept(
    *,
    corpus: Corpus,
    proposals: Sequence[int],
    by: User,
    now: datetime,
    shown: str = State.WAITING,
) -> DecidedQueries:
    """Make each proposal in its shown state a topic, unless a topic has the same query."""
    _lock(corpus)
    open_ones = _there(corpus, proposals).filter(state=shown).exclude(state=State.ACCEPTED)
    rows = list(open_ones.select_related("call__passage", "call__round"))
    known_queries = {
        flat(query) for query in Topic.objects.filter(corpus=corpus).values_list("query", flat=True)
    }
    new: list[ProposedQuery] = []
    for row in rows:
        if flat(row.words) not in known_queries:
            known_queries.add(flat(row.words))
            new.append(row)
    keys = _free_keys(corpus, new)
    for proposal, key in zip(new, keys, strict=True):
        proposal.topic = Topic.objects.create(corpus=corpus, key=key, query=proposal.words)
        sources = joined_with(proposal.call.passage, proposal.call.round.joined)
        for rank, source in enumerate(sources, start=1):
            Passage.objects.create(
                topic=proposal.topic,
                key=source.key,
                rank=rank,
                title=source.title,
                text=source.text,
            )
        proposal.state, proposal.decided_by, proposal.decided_at = State.ACCEPTED, by, now
    ProposedQuery.objects.bulk_update(
        new, ["topic", "state", "decided_by", "decided_at"], batch_size=200
    )
    _record(corpus, by, "approved proposed queries", new)
    late = len(set(proposals)) - len(rows)
    return DecidedQueries(len(new), same=len(rows) - len(new), late=late)


@transaction.atomic
def reject(*, corpus: Corpus, proposals: Sequence[int], by: User, now: datetime) -> DecidedQueries:
    _lock(corpus)
    rows = list(_there(corpus, proposals).filter(state=State.WAITING))
    for row in rows:
        row.state, row.decided_by, row.decided_at = State.REJECTED, by, now
    ProposedQuery.objects.bulk_update(rows, ["state", "decided_by", "decided_at"], batch_size=200)
    _record(corpus, by, "rejected proposed queries", rows)
    return DecidedQueries(len(rows), late=len(set(proposals)) - len(rows))


@transaction.atomic
def edit(
    *, corpus: Corpus, proposal: int, text: str, by: User, shown: str = State.WAITING
) -> ProposedQuery:
    """Save a person's wording of a proposal that is no topic. Raises CannotDecide."""
    _lock(corpus)
    editable = _rows(corpus, [proposal]).select_related("call__round")
    query = editable.exclude(state=State.ACCEPTED).first()
    if query is None:
        raise CannotDecide(
            "already_topic", _("This query is already a topic. Undo the approval first.")
        )
    if query.call.round.state == QueryRound.State.WITHDRAWN:
        raise CannotDecide(
            "round_deleted", _("This query's round has been deleted. Restore it first.")
        )
    if query.state != shown:
        raise CannotDecide("decided_since", _("Someone else just decided on this query."))
    words = " ".join(text.replace("\x00", "").split())
    if not any(sign.isalnum() for sign in words) or len(words) > LONGEST:
        raise CannotDecide(
            "bad_length", _("Enter a query of 1 to %(n)s characters.") % {"n": LONGEST}
        )
    before, query.edited = query.words, "" if words == query.text else words
    if query.words != before:
        query.save(update_fields=["edited"])
        summary = f"{query.pk}: {before} → {query.words}"
        access.record(user=by, act="edited a proposed query", what=summary, of=corpus)
    return query


@transaction.atomic
def take_back(*, corpus: Corpus, proposals: Sequence[int], by: User) -> DecidedQueries:
    """Return proposals to waiting; delete the topic of an accepted one unless it is used."""
    _lock(corpus)
    decided = _rows(corpus, proposals).exclude(state=State.WAITING)
    rows = list(decided.select_related("call__passage", "call__round"))
    topics = {row.topic_id for row in rows if row.topic_id is not None}
    list(Topic.objects.select_for_update().filter(pk__in=topics).order_by("pk"))
    used = _used(
        {
            row.topic_id: len(joined_with(row.call.passage, row.call.round.joined))
            for row in rows
            if row.topic_id is not None
        }
    )
    back = [row for row in rows if row.topic_id not in used]
    gone = [proposal.topic_id for proposal in back if proposal.topic_id is not None]
    for proposed in back:
        proposed.state, proposed.topic, proposed.decided_by, proposed.decided_at = (
            State.WAITING,
            None,
            None,
            None,
        )
    ProposedQuery.objects.bulk_update(
        back, ["topic", "state", "decided_by", "decided_at"], batch_size=200
    )
    if gone:
        Topic.objects.filter(pk__in=gone).delete()
        wiping.mark_erasure()
    _record(corpus, by, "undid decisions on proposed queries", back)
    return DecidedQueries(len(back), late=len(set(proposals)) - len(back))


def _used(topics: Mapping[int, int]) -> set[int]:
    """Return the topics with anything but the passages of the proposal; their number by topic."""
    passages = Passage.objects.filter(topic__in=topics).values_list("pk", "topic")
    topic_by_passage = dict(passages)
    pools = Counter(topic_by_passage.values())
    used = {topic for topic, n in pools.items() if n > topics[topic]}
    used |= _with_others(Topic, topics, besides=(Passage, ProposedQuery))
    return used | {topic_by_passage[other] for other in _with_others(Passage, topic_by_passage)}


def _with_others(
    model: type[Model], pks: Collection[int], besides: tuple[type[Model], ...] = ()
) -> set[int]:
    """Return the rows that other tables refer to, in a query a table."""
    used: set[int] = set()
    fields: list[Any] = model._meta.get_fields(include_hidden=True)
    for field in fields:
        is_back = field.one_to_many or field.one_to_one
        if (
            not is_back
            or not field.auto_created
            or field.concrete
            or field.related_model in besides
        ):
            continue
        rows = field.related_model._base_manager.filter(**{f"{field.field.name}__in": pks})
        used |= set(rows.order_by().values_list(field.field.attname, flat=True).distinct())
    return used


def _lock(corpus: Corpus) -> None:
    """Let decisions and imports run one after the other."""
    Corpus.objects.select_for_update().get(pk=corpus.pk)


def _rows(corpus: Corpus, proposals: Sequence[int]) -> "QuerySet[ProposedQuery]":
    rows = ProposedQuery.objects.filter(pk__in=set(proposals), call__round__corpus=corpus)
    return rows.order_by("pk")


def _there(corpus: Corpus, proposals: Sequence[int]) -> "QuerySet[ProposedQuery]":
    return _rows(corpus, proposals).exclude(call__round__state=QueryRound.State.WITHDRAWN)


def _free_keys(corpus: Corpus, proposals: Sequence[ProposedQuery]) -> list[str]:
    """Return topic keys that name their origin and are not in use."""
    keys = Topic.objects.filter(corpus=corpus, key__startswith=KEY).values_list("key", flat=True)
    taken, free_keys = set(keys), []
    for proposal in proposals:
        key = f"{KEY}{proposal.pk}"
        while key in taken:
            key += "-"
        free_keys.append(key)
    return free_keys


def _record(corpus: Corpus, by: User, act: str, decided: Sequence[ProposedQuery]) -> None:
    if decided:
        numbers = ", ".join(str(proposal.pk) for proposal in decided)
        access.record(user=by, act=act, what=f"{len(decided):,}: {numbers}", of=corpus)
