"""The rankings of several systems of a corpus become the ranking of another one."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import groupby, islice
from operator import itemgetter

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from annotation.corpora.fusion import K, reciprocal_rank_fusion
from annotation.models import Corpus, Ranking, System
from annotation.refusals import Refusal

FEWEST = 2
MOST_K = 10_000
BATCH = 5_000


class CannotFuse(Refusal):
    """The message says which field is wrong, and why; `reason` is its code."""

    status = 400

    def __init__(self, field: str, reason: str, sentence: str) -> None:
        self.field = field
        self.reason = reason
        super().__init__(sentence=sentence)


@transaction.atomic
def fuse(*, corpus: Corpus, of: Sequence[str], name: str, k: int = K) -> System:
    """Create a system whose rankings fuse those of the systems `of` by reciprocal ranks.

    A topic that only some of the systems rank uses those. Raises CannotFuse.
    """
    key = " ".join(name.split())
    if not key or len(key) > System._meta.get_field("key").max_length:  # type: ignore[operator]
        raise CannotFuse("name", "bad_name", _("Enter a name of at most 200 characters."))
    if not 0 <= k <= MOST_K:
        raise CannotFuse("k", "bad_k", _("Enter a whole number from 0 to 10,000 for k."))
    systems = list(System.objects.filter(corpus=corpus, key__in=of).order_by("key"))
    if unknown := sorted(set(of) - {system.key for system in systems}):
        sentence = _("System not found: %(key)s.") % {"key": unknown[0]}
        raise CannotFuse("of", "unknown_system", sentence)
    if len(systems) < FEWEST:
        raise CannotFuse("of", "too_few_systems", _("Select at least two systems."))
    try:
        with transaction.atomic():
            fused = System.objects.create(corpus=corpus, key=key, name=key)
    except IntegrityError:
        sentence = _("A system with this name already exists.")
        raise CannotFuse("name", "taken_name", sentence) from None
    rows = _fused(fused, systems, k)
    while rankings := list(islice(rows, BATCH)):
        Ranking.objects.bulk_create(rankings)
    if not fused.rankings.exists():
        raise CannotFuse("of", "no_rankings", _("These systems have no ranked passages."))
    return fused


def _fused(made: System, systems: Sequence[System], k: int) -> Iterator[Ranking]:
    ranked = Ranking.objects.filter(system__in=systems).order_by("topic", "system__key", "rank")
    for topic, entries in groupby(
        ranked.values_list("topic", "system", "passage").iterator(), key=itemgetter(0)
    ):
        lists: defaultdict[int, list[int]] = defaultdict(list)
        for _topic, system, passage in entries:
            lists[system].append(passage)
        fused = reciprocal_rank_fusion(lists.values(), k=k)
        for rank, (passage, score) in enumerate(fused, start=1):
            yield Ranking(system=made, topic_id=topic, passage_id=passage, rank=rank, score=score)
