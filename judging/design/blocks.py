"""Blocks of texts of which one is chosen: balanced ones where there are, else nearly so. Pure."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import combinations

import numpy as np

from judging.design.questionnaires import PlannedItem
from judging.design.texts import Material, Parameters, Text, by_topic, item_of, texts_for
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


def blocks(
    kind: ItemKind, material: Material, parameters: Parameters, rng: np.random.Generator
) -> list[PlannedItem]:
    """Blocks of a topic's texts in which each stands `rounds` times, or once more.

    Of eight texts in fours, each seven times, the blocks are balanced. Else a block takes the texts
    that stood in the fewest, of these the ones that met the others of the block least often, and
    else by lot. A block that there is already is left out.
    """
    size, rounds = len(kind.slots), parameters.rounds
    items = []
    for texts in by_topic(texts_for(kind.subject, material)).values():
        if (len(texts), size, rounds) == (8, 4, BALANCED_ROUNDS):
            items += _balanced(texts, rng)
        elif len(texts) >= size:
            items += _nearly_balanced(texts, size, rounds, rng)
    return items


def pair_balance(items: Sequence[PlannedItem]) -> tuple[int, int]:
    """How often two texts of a topic stand in one block: the least and the most."""
    texts: dict[int, set[int]] = {}
    met: Counter[frozenset[int]] = Counter()
    for item in items:
        texts.setdefault(item.topic, set()).update(item.contents)
        met.update(frozenset(pair) for pair in combinations(item.contents, 2))
    pairs = (frozenset(pair) for each in texts.values() for pair in combinations(each, 2))
    counts = [met[pair] for pair in pairs]
    return min(counts, default=0), max(counts, default=0)


def _balanced(texts: Sequence[Text], rng: np.random.Generator) -> list[PlannedItem]:
    """Which text has which number is drawn."""
    numbered = [texts[n] for n in rng.permutation(len(texts))]
    return [_block([numbered[n] for n in block]) for block in BALANCED]


def _nearly_balanced(
    texts: Sequence[Text], size: int, rounds: int, rng: np.random.Generator
) -> list[PlannedItem]:
    stood: Counter[int] = Counter()
    met: Counter[frozenset[int]] = Counter()
    made: dict[frozenset[int], PlannedItem] = {}
    for _ in range(-(-len(texts) * rounds // size)):
        lots = dict(zip((text.id for text in texts), rng.permutation(len(texts)), strict=True))
        block: list[Text] = []
        while len(block) < size:
            left = [text for text in texts if text not in block]
            block.append(
                min(left, key=partial(_rank, block=block, stood=stood, met=met, lots=lots))
            )
        ids = frozenset(text.id for text in block)
        stood.update(ids)
        met.update(frozenset(pair) for pair in combinations(ids, 2))
        made.setdefault(ids, _block(block))
    return list(made.values())


def _block(texts: Sequence[Text]) -> PlannedItem:
    return item_of(texts, unit=frozenset(text.id for text in texts))


def _rank(
    text: Text,
    *,
    block: Sequence[Text],
    stood: Counter[int],
    met: Counter[frozenset[int]],
    lots: Mapping[int, int],
) -> tuple[int, int, int]:
    known = sum(met[frozenset({text.id, other.id})] for other in block)
    return stood[text.id], known, lots[text.id]
