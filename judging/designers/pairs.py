"""Pairs of a topic's texts: every one or some games, and a share of them in reverse. Pure."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, groupby, starmap
from operator import itemgetter

import numpy as np

from judging.designers.decided import LOSE, DecidedTexts, decided, has_empty
from judging.designers.games import games
from judging.designers.planned_items import Figures
from judging.designers.questionnaires import PlannedItem
from judging.designers.texts import (
    ID,
    ORIGIN,
    RANK,
    TOPIC,
    WORDS,
    DesignParameters,
    DesignText,
    Material,
    by_topic,
    item_of,
    texts_for,
)
from judging.items.kinds import ItemKind


def all_pairs(
    kind: ItemKind, material: Material, parameters: DesignParameters, rng: np.random.Generator
) -> "Pairs":
    """Return every unordered pair of a topic's responses, or games, and a share in reverse.

    The passages of the topic accompany them, if the kind shows them. The order of a pair is drawn.
    Reversed pairs are drawn within strata of origin (human and llm) and length (thirds of the
    pairs), so that the share mirrors them all.
    """
    of_topics = by_topic(texts_for(kind.subject, material))
    documents = documents_of(kind, material)
    if kind.repeats:
        of_topics = {topic: texts for topic, texts in of_topics.items() if documents.get(topic)}
    texts = [text for of_topic in of_topics.values() for text in of_topic]
    if parameters.games_per_topic is None:
        sides = every_pair(list(map(len, of_topics.values())))
    else:
        at = {text.id: place for place, text in enumerate(texts)}
        played = games(of_topics, per_topic=parameters.games_per_topic, rng=rng)
        places = [(at[one.id], at[other.id]) for one, other in played]
        sides = np.array(places, dtype=np.int64).reshape(-1, 2)
    unseen = sides[:0]
    if parameters.empty_answers == LOSE:
        is_decided = has_empty(sides, texts)
        sides, unseen = sides[~is_decided], sides[is_decided]
    turned = rng.integers(2, size=len(sides)).astype(bool)
    sides[turned] = sides[turned, ::-1]
    again = _stratified(_strata(sides, texts), parameters.reversed_share, rng)
    beside = {topic: item_of(some, unit=()) for topic, some in documents.items()}
    both = np.concatenate([sides, sides[again, ::-1]])
    outcomes = decided(unseen, texts)
    return Pairs(texts=texts, sides=both, once=len(sides), beside=beside, decided=outcomes)


def every_pair(sizes: Sequence[int]) -> np.ndarray:
    """Return the pairs of places within each topic, shape (pairs, 2).

    The places of a topic follow one another; the order is that of itertools.combinations.
    """
    if not sizes:
        return np.empty((0, 2), dtype=np.int64)
    pairs = []
    topics = zip(sizes, accumulate(sizes, initial=0), strict=False)
    for size, alike in groupby(topics, key=itemgetter(0)):
        starts = np.array([start for _, start in alike])
        of_size = np.column_stack(np.triu_indices(size, 1))
        pairs.append((starts[:, None, None] + of_size).reshape(-1, 2))
    return np.concatenate(pairs)


@dataclass(frozen=True, eq=False)
class Pairs:
    """Tens of thousands of items as columns: their figures take none of them apart.

    `sides` are places in `texts`, shape (items, 2); those after the first `once` repeat a pair.
    `beside` accompanies the pairs of a topic; empty for nothing.
    """

    texts: Sequence[DesignText]
    sides: np.ndarray
    once: int
    beside: Mapping[int, PlannedItem]
    decided: tuple[DecidedTexts, ...] = ()  # pairs that nobody is shown

    def __len__(self) -> int:
        return len(self.sides)

    @cached_property
    def _topics(self) -> np.ndarray:
        """Topic of each item, shape (items,)."""
        of_texts = _numbers(map(TOPIC, self.texts))  # texts of a pair are on a topic
        return np.asarray(of_texts[self.sides[:, 0]])

    @cached_property
    def _words(self) -> np.ndarray:
        """Words of each item without its documents, shape (items,)."""
        return words_of(self.sides, self.texts)

    @cached_property
    def figures(self) -> Figures:
        words = int(self._words.sum())
        again = len(self) - self.once
        if not self.beside:
            return Figures(words=words, again=again, sizes={2: len(self)})
        topics, counts = (values.tolist() for values in np.unique(self._topics, return_counts=True))
        sizes: Counter[int | tuple[str, ...]] = Counter()
        for topic, n in zip(topics, counts, strict=True):
            documents = self.beside.get(topic)
            sizes[2 + (len(documents.contents) if documents else 0)] += n
            words += n * documents.words if documents else 0
        return Figures(words=words, again=again, sizes=sizes)

    @cached_property
    def items(self) -> tuple[PlannedItem, ...]:
        ids = _numbers(map(ID, self.texts))[self.sides]
        contents = list(map(tuple, ids.tolist()))
        reverse = (np.arange(len(self)) >= self.once).tolist()
        units = map(frozenset, contents)
        rows = zip(
            contents, self._topics.tolist(), self._words.tolist(), units, reverse, strict=True
        )
        items = starmap(PlannedItem, rows)
        if not self.beside:
            return tuple(items)
        return tuple(_beside(item, self.beside.get(item.topic)) for item in items)


def words_of(sides: np.ndarray, texts: Sequence[DesignText]) -> np.ndarray:
    """Return the words of both texts of each pair, shape (pairs,)."""
    return np.asarray(_numbers(map(WORDS, texts))[sides].sum(axis=1))


def _numbers(values: Iterable[int]) -> np.ndarray:
    return np.fromiter(values, dtype=np.int64)


def _beside(item: PlannedItem, documents: PlannedItem | None) -> PlannedItem:
    """Return two texts with the documents of their topic."""
    if documents is None:
        return item
    return item._replace(
        contents=item.contents + documents.contents, words=item.words + documents.words
    )


def documents_of(kind: ItemKind, material: Material) -> dict[int, list[DesignText]]:
    """Return the documents of each topic, the best first."""
    slot = kind.repeated
    documents = by_topic(texts_for(slot, material)) if slot else {}
    return {topic: sorted(texts, key=RANK) for topic, texts in documents.items()}


def _strata(sides: np.ndarray, texts: Sequence[DesignText]) -> np.ndarray:
    """Return the stratum of each pair, shape (pairs,), in the order of origins and lengths."""
    if not len(sides):
        return np.empty(0, dtype=np.int64)
    words = words_of(sides, texts)
    thirds = np.searchsorted(np.quantile(words, [1 / 3, 2 / 3]), words)
    origins = sorted(set(map(ORIGIN, texts)))
    place = {origin: at for at, origin in enumerate(origins)}
    origin = _numbers(map(place.__getitem__, map(ORIGIN, texts)))
    either = np.array([["-".join(sorted((a, b))) for b in origins] for a in origins])
    number = np.unique(either, return_inverse=True)[1].reshape(either.shape)
    return np.asarray(3 * number[origin[sides[:, 0]], origin[sides[:, 1]]] + thirds)


def _stratified(strata: np.ndarray, share: float, rng: np.random.Generator) -> np.ndarray:
    """Draw round(share x n) indices, from each stratum its part (largest remainders first)."""
    members = {stratum: np.flatnonzero(strata == stratum) for stratum in np.unique(strata).tolist()}
    exact = {stratum: share * len(places) for stratum, places in members.items()}
    counts = {stratum: int(wanted) for stratum, wanted in exact.items()}
    missing = round(share * len(strata)) - sum(counts.values())
    by_remainder = sorted(exact, key=lambda stratum: counts[stratum] - exact[stratum])
    for stratum in by_remainder[:missing]:
        counts[stratum] += 1
    drawn = [
        rng.choice(members[stratum], size=count, replace=False) for stratum, count in counts.items()
    ]
    return np.sort(np.concatenate(drawn)) if drawn else np.empty(0, dtype=np.int64)
