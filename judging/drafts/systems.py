"""Systems that a document names, whose texts alone are judged."""

from collections.abc import Iterator, Sequence

from django.db.models import Count
from django.utils.translation import gettext, ngettext

from annotation.corpora.systems import responses_of
from annotation.models import Corpus
from annotation.studies.drafts.schema import Document
from annotation.studies.instruments import Fault
from judging.instruments.schema import InstrumentFile
from judging.items.kinds import KINDS, Holds, ItemKind

SYSTEMS = "design/systems"  # where a document names them


def shows_texts(kinds: Sequence[str]) -> bool:
    """Return whether pages show texts of systems, or parts of them; ignores unknown kinds."""
    slots = [slot.holds for name in kinds if name in KINDS for slot in KINDS[name].slots]
    return Holds.RESPONSE in slots or Holds.SEGMENT in slots


def system_faults(document: Document, files: Sequence[InstrumentFile]) -> Iterator[Fault]:
    """Yield a fault if the named systems have too few texts for a page.

    A single system may have several texts for a topic: this is looked up if fewer systems are
    named than a page shows texts.
    """
    systems, kinds = document.design.systems, [file.item_kind for file in files]
    if systems is None:
        return
    if files and not shows_texts(kinds):
        yield Fault(
            SYSTEMS, gettext("These pages don't show texts by systems. Select all systems.")
        )
        return
    needed = max((_texts_on(KINDS[name]) for name in kinds if name in KINDS), default=1)
    if len(set(systems)) < needed and not _have(systems, needed, document.corpus):
        yield Fault(
            SYSTEMS,
            ngettext(
                "Each page shows {needed} text of a topic. Select a system.",
                "Each page shows {needed} texts of a topic. Select more systems.",
                needed,
            ).format(needed=needed),
        )


def _texts_on(kind: ItemKind) -> int:
    """Return how many texts a page shows, whole or in part: two parts are of the same text."""
    holds = [slot.holds for slot in kind.slots if not slot.sections_only]
    return holds.count(Holds.RESPONSE) + (Holds.SEGMENT in holds)


def _have(systems: Sequence[str], needed: int, corpus: str) -> bool:
    """Return whether a topic has this number of texts by these systems."""
    corpus_row = Corpus.objects.filter(slug=corpus).first() if systems else None
    if corpus_row is None:
        return False
    by_topic = responses_of(corpus_row, systems).order_by().values("topic")
    return by_topic.annotate(n=Count("pk")).filter(n__gte=needed).exists()
