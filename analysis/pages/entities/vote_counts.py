"""Numbers of votes, in all or by a field, without counting all of them again.

Submitted work only changes through a redo. Its counts are kept in parts, and a part is counted
again when its work has changed. Imported labels have no assignment and are counted each time.
"""

from collections import Counter
from collections.abc import Collection, Mapping
from functools import reduce
from hashlib import sha256
from operator import or_
from typing import Any

from django.core.cache import cache
from django.db.models import Count, F, IntegerField, Q, QuerySet
from django.db.models.expressions import Combinable, ExpressionWrapper

from annotation.models import Assignment, Study

MOST_PARTS = 16
LEAST_WORKS = 512  # ids of a part: fewer are counted as quickly as they are looked up
KEPT_SECONDS = 30 * 24 * 60 * 60  # it never gets old: its digest says of what it is
Counts = Mapping[Any, int]  # id of what is shared -> votes
Parts = dict[int, tuple[str, Counts]]  # number of a part -> digest of its work, its votes


def counted_now(votes: "QuerySet[Any]", by: str) -> Counts:
    return dict(votes.order_by().values_list(by).annotate(n=Count("*")))


def vote_counts(study: Study, votes: "QuerySet[Any]", *, by: str, narrowed: str = "") -> Counts:
    """Return the number of votes by one of their fields.

    `narrowed` is the key of the filter of the votes, unique within the study.
    """
    works = _works(study)
    width = _width(works)
    digests = _digests(works, width)
    key = f"votes-{study.pk}-{by}-{width}-{sha256(narrowed.encode()).hexdigest()[:20]}"
    cached: Parts = cache.get(key, {})
    kept = {
        part: cached[part]
        for part, digest in digests.items()
        if cached.get(part, ("",))[0] == digest
    }
    missing = digests.keys() - kept.keys()
    if missing:
        counted = _counted(votes, by, width, missing if kept else ())
        kept |= {part: (digests[part], counted.get(part, {})) for part in missing}
        # What was handed in, or opened again, while it was counted is counted once more next time.
        still = _digests(_works(study), width)
        same = {part: digest for part, digest in kept.items() if still.get(part) == digest[0]}
        cache.set(key, same, KEPT_SECONDS)
    total = Counter(counted_now(votes.filter(assignment=None), by))
    for _, counts in kept.values():
        total.update(counts)
    return total


def _works(study: Study) -> list[tuple[Any, ...]]:
    """Return the counting assignments with their worker and time of submission, by id."""
    rows = Assignment.objects.filter(study=study).counting()
    return list(rows.order_by("pk").values_list("pk", "worker", "submitted_at"))


def _width(works: list[tuple[Any, ...]]) -> int:
    """Return how many ids a part spans: a power of two, so that it seldom changes."""
    width = LEAST_WORKS
    while works and works[-1][0] - works[0][0] >= width * MOST_PARTS:
        width *= 2
    return width


def _digests(works: list[tuple[Any, ...]], width: int) -> dict[int, str]:
    parts: dict[int, list[tuple[Any, ...]]] = {}
    for work in works:
        parts.setdefault(work[0] // width, []).append(work)
    return {part: sha256(repr(rows).encode()).hexdigest() for part, rows in parts.items()}


def _counted(votes: "QuerySet[Any]", by: str, width: int, only: Collection[int]) -> dict[int, Any]:
    """Return the counts of these parts, or of all."""
    spans = [Q(assignment__gte=n * width, assignment__lt=(n + 1) * width) for n in only]
    rows = votes.filter(reduce(or_, spans)) if spans else votes.exclude(assignment=None)
    part: Combinable = ExpressionWrapper(F("assignment_id") / width, IntegerField())
    counts: dict[int, dict[Any, int]] = {}
    for number, value, n in (
        rows.order_by().annotate(part=part).values_list("part", by).annotate(n=Count("*"))
    ):
        counts.setdefault(number, {})[value] = n
    return counts
