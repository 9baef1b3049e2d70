"""Obstacles to the launch of a draft: each with its place and a sentence. Only reads."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from django.db.models import Count
from django.utils.translation import gettext, ngettext

from annotation.corpora.systems import named_systems
from annotation.models import Corpus, Draft, Study, Topic
from annotation.studies.creating import CONTACT
from annotation.studies.drafts.kinds import kind_of
from annotation.studies.drafts.paths import joined, names
from annotation.studies.drafts.schema import Document
from annotation.studies.drafts.setting_faults import (
    budget_faults,
    column_faults,
    retention_faults,
    screening_faults,
)
from annotation.studies.instruments import Fault

CHOSEN_TOPICS = "design/chosen_topics"  # where a document names them
FEW_NAMED = 5


@dataclass(frozen=True)
class FaultContext:
    """Database state that documents are checked against: slugs, topics and systems."""

    taken: frozenset[str]
    topics: Mapping[str, int]
    systems: frozenset[tuple[str, str]]
    chosen: frozenset[tuple[str, str]] = frozenset()

    @classmethod
    def of(cls, documents: Collection[Document]) -> Self:
        """Read the state for any number of documents in at most five queries."""
        slugs = Study.objects.filter(slug__in={document.slug for document in documents} - {""})
        corpora = Corpus.objects.there().filter(
            slug__in={document.corpus for document in documents} - {""}
        )
        return cls(
            frozenset(slugs.values_list("slug", flat=True)),
            dict(corpora.annotate(n=Count("topics")).values_list("slug", "n")),
            named_systems(
                {document.corpus for document in documents},
                {key for document in documents for key in document.design.systems or ()},
            ),
            _named_topics(documents),
        )


def _named_topics(documents: Collection[Document]) -> frozenset[tuple[str, str]]:
    """Return the existing topics among those that documents name: slug of the corpus, key."""
    corpora = {document.corpus for document in documents if document.design.chosen_topics}
    keys = {key for document in documents for key in document.design.chosen_topics or ()}
    rows = Topic.objects.filter(corpus__slug__in=corpora, key__in=keys) if keys else None
    return frozenset(rows.values_list("corpus__slug", "key")) if rows is not None else frozenset()


def faults_of(
    document: Document, *, draft: Draft | None = None, around: FaultContext | None = None
) -> list[Fault]:
    """All faults, in the order of the document's sections; `around` as it was read before."""
    around = around or FaultContext.of([document])
    return [
        *column_faults(document),
        *_name_faults(document, draft, around),
        *_corpus_faults(document, around),
        *_contact_faults(document),
        *screening_faults(document),
        *budget_faults(document),
        *retention_faults(document),
        *kind_of(document.kind).faults(document),
    ]


def _name_faults(document: Document, draft: Draft | None, around: FaultContext) -> Iterable[Fault]:
    base = draft.base if draft else None
    if document.slug in around.taken and (base is None or base.slug != document.slug):
        yield Fault(
            "slug",
            gettext("A study named “{slug}” already exists.").format(slug=document.slug),
        )
    if base is not None and base.slug != document.slug:
        yield Fault(
            "slug", gettext("A new version keeps the name “{slug}”.").format(slug=base.slug)
        )


def _corpus_faults(document: Document, around: FaultContext) -> Iterable[Fault]:
    if document.corpus not in around.topics:
        missing = (
            gettext("Corpus {corpus!r} no longer exists.").format(corpus=document.corpus)
            if document.corpus
            else ""
        )
        yield Fault("corpus", missing or gettext("Choose a corpus."))
        return
    yield from _topic_faults(document, around)
    named = document.design.systems or []
    for name, key in zip(names(named), named, strict=True):
        if (document.corpus, key) not in around.systems:
            yield Fault(
                joined("design", "systems", name),
                gettext("The corpus has no texts by system {key!r}.").format(key=key),
            )


def _topic_faults(document: Document, around: FaultContext) -> Iterable[Fault]:
    """Return whether there are as many topics as are drawn, and those that are chosen."""
    number, chosen = document.design.topics, document.design.chosen_topics
    if chosen is None:
        available = around.topics[document.corpus]
        sentence = gettext("The corpus has only {there} topics.").format(there=available)
    else:
        missing = [key for key in chosen if (document.corpus, key) not in around.chosen]
        available = len(set(chosen)) - len(set(missing))
        sentence = gettext("Only {there} topics are selected.").format(there=available)
        if not chosen:
            yield Fault(CHOSEN_TOPICS, gettext("Select topics."))
        if missing:
            yield Fault(CHOSEN_TOPICS, _gone_topics(missing))
    if number is not None and not 1 <= number <= available:
        yield Fault("design/topics", sentence)


def first_keys(keys: Sequence[str]) -> str:
    """Return the first few keys as text."""
    return ", ".join(map(repr, keys[:FEW_NAMED])) + (", …" if len(keys) > FEW_NAMED else "")


def _gone_topics(gone: Sequence[str]) -> str:
    return ngettext(
        "The corpus no longer has topic {listed}. Select again.",
        "The corpus no longer has topics {listed}. Select again.",
        len(gone),
    ).format(listed=first_keys(gone))


def _contact_faults(document: Document) -> Iterable[Fault]:
    if not document.instruments:
        yield Fault("instruments", gettext("Choose a method."))
    asks = any(CONTACT.search(instrument.get("consent", "")) for instrument in document.instruments)
    if asks and not document.contact.strip():
        yield Fault("contact", gettext("Enter your name, institution and contact address."))
