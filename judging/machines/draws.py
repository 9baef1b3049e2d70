"""Draws of the items that a judge of a limited number is asked about. Pure: no Django."""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

LOOKED_AT = 200  # items of a stratum that are compared with each other for one


@dataclass(frozen=True)
class Candidate:
    """An item that may be drawn, with its stratum and systems; high tiers come first."""

    pk: int
    stratum: Hashable
    systems: tuple[int, ...]
    tier: tuple[int, ...] = ()


def drawn(candidates: Sequence[Candidate], *, n: int, seed: int) -> list[int]:
    """Return the ids of `n` items in the order of the draw; fifty begin a hundred.

    1. The next stratum is the one with the smallest share drawn (a proportional allocation), by
       the seed among several.
    2. Of its items the one with the systems drawn least, by the seed among several.

    Only the items drawn decide about the next one: a draw that begins with the first items of
    another continues like it.
    """
    sizes = Counter(candidate.stratum for candidate in candidates)
    taken: Counter[Hashable] = Counter()
    met: Counter[int] = Counter()
    drawn_ids: list[int] = []
    tiers: dict[tuple[int, ...], dict[Hashable, list[Candidate]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for candidate in sorted(candidates, key=lambda one: _lot(seed, one.pk)):
        tiers[candidate.tier][candidate.stratum].append(candidate)
    for _, strata in sorted(tiers.items(), reverse=True):
        waiting = [(_share(taken, sizes, key), _lot(seed, key), key) for key in strata]
        heapify(waiting)
        while waiting and len(drawn_ids) < n:
            _, lot, stratum = heappop(waiting)
            candidates_left = strata[stratum]
            looked_at = range(min(len(candidates_left), LOOKED_AT))
            best = min(
                looked_at, key=lambda at: sum(met[system] for system in candidates_left[at].systems)
            )
            one = candidates_left.pop(best)
            drawn_ids.append(one.pk)
            taken[stratum] += 1
            met.update(one.systems)
            if candidates_left:
                heappush(waiting, (_share(taken, sizes, stratum), lot, stratum))
    return drawn_ids


def _share(taken: Counter[Hashable], sizes: Counter[Hashable], stratum: Hashable) -> float:
    """Return the share drawn, with half of the next item: a larger stratum is begun first."""
    return (taken[stratum] + 0.5) / sizes[stratum]


def _lot(seed: int, what: Hashable) -> str:
    return hashlib.sha256(f"{seed}:{what}".encode()).hexdigest()
