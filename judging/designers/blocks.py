"""Blocks of texts of which one is chosen, balanced if possible. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, combinations, groupby, starmap
from operator import itemgetter

import numpy as np

from judging.designers.planned_items import Figures
from judging.designers.questionnaires import PlannedItem
from judging.designers.texts import DesignParameters, DesignText, Material, by_topic, texts_for
from judging.items.kinds import ItemKind

# A balanced incomplete block design (v 8, b 14, r 7, k 4, lambda 3): the quadruples of 0 to 7 that
# sum to zero without carrying, the planes of the affine space of three bits. Every pair of texts
# stands in three of them, every triple in one.
BALANCED = [
    block
    for block in combinations(range(8), 4)
    if np.bitwise_xor.reduce(block) == 0
]  # fmt: skip
BALANCED_ROUNDS = 7
CELLS_AT_ONCE = 4_000_000  # of who met whom, and of blocks beside blocks


def blocks(
    kind: ItemKind, material: Material, parameters: DesignParameters, rng: np.random.Generator
) -> "Blocks":
    """Return blocks of a topic's texts with each text in `rounds` blocks, or one more.

    Of eight texts in fours, each seven times, the blocks are balanced. Otherwise a block takes the
    texts in the fewest blocks, of these the ones that met its others least often, and else by lot.
    Repeated blocks are left out.
    """
    size, rounds = len(kind.slots), parameters.rounds
    of_topics = [
        texts
        for texts in by_topic(texts_for(kind.subject, material)).values()
        if len(texts) >= size
    ]
    lots: dict[int, list[np.ndarray]] = {}  # by the number of texts
    starts: dict[int, list[int]] = {}
    sizes = list(map(len, of_topics))
    topics = zip(sizes, accumulate(sizes, initial=0), strict=False)
    for n, alike in groupby(topics, key=itemgetter(0)):
        places = [start for _, start in alike]
        times = 1 if _is_balanced(n, size, rounds) else -(-n * rounds // size)
        numbers = np.broadcast_to(np.arange(n), (len(places) * times, n))
        drawn = rng.permuted(numbers, axis=1)  # row by row, as if each topic were drawn alone
        lots.setdefault(n, []).append(drawn.reshape(-1, times, n))
        starts.setdefault(n, []).extend(places)
    blocks_by_topic = [np.empty((0, size), dtype=np.int64)]
    for n, runs in lots.items():
        of_size = np.concatenate(runs)
        make = _balanced if _is_balanced(n, size, rounds) else _nearly_balanced
        at_once = max(CELLS_AT_ONCE // max(n * n, of_size.shape[1] * size), 1)
        for first in range(0, len(of_size), at_once):
            some = slice(first, first + at_once)
            blocks_by_topic.append(make(of_size[some], np.array(starts[n][some]), size))
    made = np.concatenate(blocks_by_topic)
    by_start = np.searchsorted(np.cumsum(sizes), made[:, 0], side="right")
    texts = [text for of_topic in of_topics for text in of_topic]
    return Blocks(texts, made[by_start.argsort(kind="stable")])


@dataclass(frozen=True, eq=False)
class Blocks:
    """Tens of thousands of blocks: `places` in `texts`, shape (items, texts of a block)."""

    texts: Sequence[DesignText]
    places: np.ndarray

    def __len__(self) -> int:
        return len(self.places)

    @cached_property
    def _words(self) -> np.ndarray:
        """Words of each block, shape (items,)."""
        words = np.array([text.words for text in self.texts], dtype=np.int64)
        return np.asarray(words[self.places].sum(axis=1))

    @cached_property
    def _topics(self) -> np.ndarray:
        """Topic of each block, shape (items,)."""
        topics = np.array([text.topic or 0 for text in self.texts], dtype=np.int64)
        return np.asarray(topics[self.places[:, 0]])

    @cached_property
    def figures(self) -> Figures:
        size = self.places.shape[1]
        return Figures(words=int(self._words.sum()), again=0, sizes={size: len(self)})

    @property
    def balance(self) -> tuple[int, int]:
        return pair_balance(self.places, self._topics)

    @cached_property
    def items(self) -> tuple[PlannedItem, ...]:
        ids = np.array([text.id for text in self.texts], dtype=np.int64)[self.places]
        contents = list(map(tuple, ids.tolist()))
        units = map(frozenset, contents)
        rows = zip(contents, self._topics.tolist(), self._words.tolist(), units, strict=True)
        return tuple(starmap(PlannedItem, rows))


def pair_balance(blocks: np.ndarray, topics: np.ndarray) -> tuple[int, int]:
    """Return how often two texts of a topic share a block: the least and the most.

    Blocks name their texts, shape (items, texts of a block); topics are theirs, shape (items,).
    """
    texts, number = np.unique(blocks, return_inverse=True)
    number = np.sort(number.reshape(blocks.shape), axis=1)
    topic_of = np.empty(len(texts), dtype=np.int64)
    topic_of[number] = topics[:, None]
    sides = list(combinations(range(blocks.shape[1]), 2))
    met = [number[:, one] * len(texts) + number[:, other] for one, other in sides]
    counts = np.unique(np.concatenate(met), return_counts=True)[1] if met else np.empty(0)
    if not len(counts):
        return 0, 0
    of_topics = np.unique(topic_of, return_counts=True)[1]
    everyone_met = len(counts) == (of_topics * (of_topics - 1) // 2).sum()
    return int(counts.min()) if everyone_met else 0, int(counts.max())


def _is_balanced(n: int, size: int, rounds: int) -> bool:
    return (n, size, rounds) == (8, 4, BALANCED_ROUNDS)


def _balanced(lots: np.ndarray, starts: np.ndarray, size: int) -> np.ndarray:
    """Return balanced blocks; `lots`, shape (topics, 1, texts), number the texts."""
    return np.asarray((lots[:, 0, BALANCED] + starts[:, None, None]).reshape(-1, size))


def _nearly_balanced(lots: np.ndarray, starts: np.ndarray, size: int) -> np.ndarray:
    """Make one block after the other, at once for all topics of equal size.

    lots: of each text for each block, shape (topics, blocks, texts); starts: the place of the
    first text of each topic. The blocks of each topic follow one another, shape (all blocks,
    size).
    """
    topics, times, n = lots.shape
    every = np.arange(topics)
    stood = np.zeros((topics, n), dtype=np.int64)
    met = np.zeros((topics, n, n), dtype=np.int64)
    made = np.empty((topics, times, size), dtype=np.int64)
    unique = np.empty((topics, times), dtype=bool)
    for block in range(times):
        meetings = np.zeros((topics, n), dtype=np.int64)
        rank = (stood * (size * times + 1)) * n + lots[:, block]
        for place in range(size):
            chosen = (rank + meetings * n).argmin(axis=1)
            made[:, block, place] = chosen
            rank[every, chosen] = np.iinfo(np.int64).max // 2  # stands in it already
            meetings += met[every, chosen]
        members = made[:, block]
        for one, other in combinations(range(size), 2):
            met[every, members[:, one], members[:, other]] += 1
            met[every, members[:, other], members[:, one]] += 1
        stood[every[:, None], members] += 1
        alike = np.sort(members, axis=1)[:, None] == np.sort(made[:, :block], axis=2)
        unique[:, block] = ~alike.all(axis=2).any(axis=1)
    return np.asarray((made + starts[:, None, None])[unique])
