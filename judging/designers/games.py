"""Games: a choice of a topic's pairs that gives each system as many as possible. Pure."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from judging.designers.texts import DesignText

DRAWS = 20  # of which the one is taken whose systems met least often in the topics before

Pair = tuple[DesignText, DesignText]


def games(
    of_topics: Mapping[int, Sequence[DesignText]],
    *,
    per_topic: int | None,
    rng: np.random.Generator,
) -> list[Pair]:
    """Return every pair of a topic's texts, or `per_topic` of them.

    Within a topic each text has the same number of games or one more, and with as many games as
    texts but one all are connected. Over topics of the same systems the numbers are balanced, too:
    the systems with the fewest games get the places with more. Their opponents are drawn several
    times, and the draw with the rarest pairs is taken.
    """
    if per_topic is None:
        return [pair for texts in of_topics.values() for pair in combinations(texts, 2)]
    played: list[Pair] = []
    stood: Counter[object] = Counter()
    met: Counter[frozenset[object]] = Counter()
    for texts in of_topics.values():
        places = _schedule(len(texts))[:per_topic]
        drawn = [_seated(texts, places, stood, rng) for _ in range(DRAWS)]
        chosen = min(drawn, key=lambda pairs: sum(met[_systems(pair)] for pair in pairs))
        stood.update(_system(text) for pair in chosen for text in pair)
        met.update(map(_systems, chosen))
        played += chosen
    return played


def _schedule(n: int) -> list[tuple[int, int]]:
    """Return all pairs of n places in a balanced order; the first n - 1 connect all places.

    For an even number the rounds of a tournament: two consecutive ones make a ring. For an odd
    number the rings of Walecki (Lucas 1892), each walked twice, over every other step.
    """
    hub, others = n - 1, n - 1
    if n % 2 == 0:
        return [
            pair
            for first in range(others)
            for pair in [
                (hub, first),
                *(((first + k) % others, (first - k) % others) for k in range(1, n // 2)),
            ]
        ]
    zigzag = [(k + 1) // 2 * (1 if k % 2 else -1) for k in range(others)]
    rings = [[hub, *((first + k) % others for k in zigzag)] for first in range(n // 2)]
    return [(ring[2 * k % n], ring[(2 * k + 1) % n]) for ring in rings for k in range(n)]


def _seated(
    texts: Sequence[DesignText],
    places: Sequence[tuple[int, int]],
    stood: Mapping[object, int],
    rng: np.random.Generator,
) -> list[Pair]:
    """Return the games of a topic: texts at places by lot, those with few games at busy ones."""
    times = Counter(place for pair in places for place in pair)
    seats = sorted(rng.permutation(len(texts)).tolist(), key=lambda place: -times[place])
    by_lot = [texts[n] for n in rng.permutation(len(texts))]
    in_need = sorted(by_lot, key=lambda text: stood[_system(text)])
    at = dict(zip(seats, in_need, strict=True))
    return [(at[first], at[second]) for first, second in places]


def _system(text: DesignText) -> object:
    """Return the rated system, or the style of people's texts."""
    return text.system or (text.origin, text.style)


def _systems(pair: Pair) -> frozenset[object]:
    return frozenset(map(_system, pair))
