"""Search across visible studies, corpora, workers, texts and topics: one query each."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext

from annotation.corpora.systems import writer_of
from annotation.models import Assignment, Draft, Response, Topic
from annotation.people import access
from annotation.people.access import Person
from annotation.people.pseudonyms import hashes_of_id
from annotation.studies.drafts.lookup import all_as_seen

MOST = 20  # of each kind


@dataclass(frozen=True)
class Hit:
    """`where` says to what it belongs, `what` what it is."""

    name: str
    address: str
    where: str = ""
    what: str = ""


@dataclass(frozen=True)
class HitGroup:
    """Hits of one kind; `more` that there are others."""

    title: str
    hits: list[Hit]
    more: bool = False


def found(user: Person, sought: str) -> list[HitGroup]:
    """Return the records with all words in their names; kinds without a hit are left out."""
    words = sought.split()
    if not words:
        return []
    groups = [
        _group(gettext("Studies"), _studies(user, words)),
        _group(gettext("Corpora"), _corpora(user, words)),
        _group(gettext("Participants"), _workers(user, words)),
        _group(gettext("Topics"), _topics(user, words)),
        _group(gettext("Texts"), _texts(user, words)),
    ]
    return [group for group in groups if group.hits]


def _group(title: str, hits: list[Hit]) -> HitGroup:
    return HitGroup(title, hits[:MOST], more=len(hits) > MOST)


def _having(
    rows: "QuerySet[Any]", words: list[str], *fields: str, otherwise: Q | None = None
) -> "QuerySet[Any]":
    """Return the rows with each word in one of the fields, or matching `otherwise`.

    Returns one row more than is shown.
    """
    named = Q()
    for word in words:
        anywhere = Q()
        for field in fields:
            anywhere |= Q(**{f"{field}__icontains": word})
        named &= anywhere
    return rows.filter(named | otherwise if otherwise else named)[: MOST + 1]


def _studies(user: Person, words: list[str]) -> list[Hit]:
    launched = access.visible_studies(user).latest_versions()
    drafts = access.seen_by(user, Draft.objects.filter(study=None, deleted_at=None))
    hits = [
        Hit(
            str(launched_study),
            launched_study.get_absolute_url(),
            str(launched_study.corpus),
            launched_study.get_kind_display(),
        )
        for launched_study in _having(launched, words, "title", "slug")
    ]
    matches = list(_having(drafts.select_related("corpus", "base"), words, "title", "slug"))
    all_as_seen(matches, user=user)
    hits += [
        Hit(str(draft), draft.get_absolute_url(), str(draft.corpus or ""), _draft_of(draft))
        for draft in matches
    ]
    return hits


def _draft_of(draft: Draft) -> str:
    return gettext("{kind}, draft").format(kind=draft.get_kind_display())


def _corpora(user: Person, words: list[str]) -> list[Hit]:
    rows = _having(access.visible_corpora(user), words, "name", "slug")
    return [Hit(str(row), row.get_absolute_url()) for row in rows]


def _workers(user: Person, words: list[str]) -> list[Hit]:
    """Return a worker once in each study, by pseudonym or exact platform ID."""
    mine = access.visible_studies(user).values("pk")
    rows = Assignment.objects.filter(study__in=mine).exclude(worker__pseudonym__contains="/")
    hashes = hashes_of_id(" ".join(words))
    by_id = Q(worker__external_hash__in=hashes) | Q(session_hash__in=hashes)
    named = rows.order_by("worker__pseudonym", "study").values_list(
        "worker__pseudonym", "study__slug", "study__version", "study__title"
    )
    return [
        Hit(pseudonym, reverse("worker_page", args=[slug, version, pseudonym]), title)
        for pseudonym, slug, version, title in _having(
            named.distinct(), words, "worker__pseudonym", otherwise=by_id
        )
    ]


def _topics(user: Person, words: list[str]) -> list[Hit]:
    mine = access.visible_corpora(user).values("pk")
    rows = Topic.objects.filter(corpus__in=mine).select_related("corpus")
    return [
        Hit(
            topic.query,
            reverse("corpus_topic", args=[topic.corpus.slug, topic.pk]),
            str(topic.corpus),
            topic.key,
        )
        for topic in _having(rows, words, "key", "query")
    ]


def _texts(user: Person, words: list[str]) -> list[Hit]:
    mine = access.visible_corpora(user).values("pk")
    rows = Response.objects.filter(corpus__in=mine).order_by("key", "pk")
    rows = rows.select_related("corpus", "topic", "system").only(
        "key", "style", "origin", "corpus", "topic__query", "system__name"
    )
    return [
        Hit(
            f"{writer_of(text)}: {text.topic.query}",
            reverse("corpus_response", args=[text.corpus.slug, text.pk]),
            str(text.corpus),
            text.key,
        )
        for text in _having(rows, words, "key")
    ]
