"""Systems of a corpus by key, and texts without a system by their origin. Only reads."""

from collections.abc import Collection, Set
from dataclasses import dataclass

from django.db.models import Case, Count, Exists, F, OuterRef, Q, QuerySet, Value, When
from django.utils.translation import gettext

from annotation.models import Corpus, Response, System, Topic
from annotation.models.corpus import Origin
from annotation.texts.sentences import marked

# A text that was accepted in a writing study has no system.
ORIGIN = "origin:"
ORIGINS = {f"{ORIGIN}{origin}": origin for origin in Origin.values}
NAMES: dict[str, str] = {Origin.HUMAN: marked("human writers"), Origin.LLM: marked("LLM writers")}


@dataclass(frozen=True)
class SystemTexts:
    """Number of a system's texts that can be judged, and of their topics."""

    key: str
    name: str
    texts: int
    topics: int


def texts_by(systems: Collection[str] | None, *, response: str = "") -> Q:
    """Select the responses of these systems; all if None.

    `response` is the lookup prefix, such as response__.
    """
    if systems is None:
        return Q()
    origins = [ORIGINS[key] for key in systems if key in ORIGINS]
    of_none = Q(**{f"{response}system": None, f"{response}origin__in": origins})
    return Q(**{f"{response}system__key__in": list(systems)}) | of_none


def responses_of(corpus: Corpus, systems: Collection[str] | None = None) -> "QuerySet[Response]":
    """Return the responses of these systems that can be judged."""
    return Response.objects.filter(texts_by(systems), corpus=corpus).with_text()


def topics_of(
    corpus: Corpus,
    systems: Collection[str] | None = None,
    chosen: Collection[str] | None = None,
) -> "QuerySet[Topic]":
    """Return the topics with texts of these systems; all of the corpus if None.

    `chosen` restricts them to these keys.
    """
    topics = corpus.topics.all() if chosen is None else corpus.topics.filter(key__in=chosen)
    if systems is None:
        return topics
    return topics.filter(Exists(responses_of(corpus, systems).filter(topic=OuterRef("pk"))))


def name_of(origin: str) -> str:
    """Return the name of texts of this origin that have no system."""
    return gettext(NAMES[origin])


def writer_of(response: Response) -> str:
    """Return the system of a text, or its origin if it has none."""
    return response.system.name if response.system else name_of(response.origin)


def systems_with_texts(corpus: Corpus) -> list[SystemTexts]:
    """Those of a corpus by their keys, and last who wrote what is of no system. One query."""
    whose = Case(When(system=None, then=F("origin")), default=Value(""))
    rows = responses_of(corpus).order_by().annotate(whose=whose)
    counts = {"texts": Count("pk"), "about": Count("topic", distinct=True)}
    counted = rows.values("system__key", "system__name", "whose").annotate(**counts)
    systems = [
        SystemTexts(
            key=row["system__key"] or f"{ORIGIN}{row['whose']}",
            name=row["system__name"] or name_of(row["whose"]),
            texts=row["texts"],
            topics=row["about"],
        )
        for row in counted
    ]
    return sorted(systems, key=lambda system: (system.key in ORIGINS, system.key))


def number_with_texts(corpus: Corpus) -> int:
    """Return the number of systems with texts, and of origins with texts of no system."""
    whose = Case(When(system=None, then=F("origin")), default=Value(""))
    return responses_of(corpus).order_by().values("system", whose=whose).distinct().count()


def named_systems(corpora: Collection[str], keys: Set[str]) -> frozenset[tuple[str, str]]:
    """Return slug and key of the systems and origins with texts, in at most two queries."""
    named: set[tuple[str, str]] = set()
    responses = Response.objects.with_text()
    if keys - ORIGINS.keys():
        rows = System.objects.filter(corpus__slug__in=corpora, key__in=keys)
        rows = rows.filter(Exists(responses.filter(system=OuterRef("pk"))))
        named |= set(rows.values_list("corpus__slug", "key"))
    if keys & ORIGINS.keys():
        unnamed = responses.filter(corpus__slug__in=corpora, system=None).order_by()
        origins = unnamed.values_list("corpus__slug", "origin").distinct()
        named |= {(slug, f"{ORIGIN}{origin}") for slug, origin in origins}
    return frozenset(named)
