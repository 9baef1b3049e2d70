"""Order of the items of an assignment, and of the slots within each item.

Pure and seeded: the same parts give the same draw on every machine, so that a stored order can be
checked. Left and right are balanced within an assignment: of 15 pairs, 7 or 8 are shown in reverse,
so that an order effect cannot hide in the luck of the draw.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


def generator(*parts: object) -> np.random.Generator:
    """Return a random generator seeded by SHA-256 of the parts (their str, one per line)."""
    digest = hashlib.sha256("\n".join(map(str, parts)).encode()).digest()
    return np.random.default_rng(int.from_bytes(digest[:16], "big"))


@dataclass(frozen=True)
class DrawnItem:
    """The position of an item, and the order of its slots."""

    item: int
    position: int
    order: tuple[str, ...]


def draw(
    *,
    items: Sequence[tuple[int, tuple[str, ...]]],
    rng: np.random.Generator,
    sides: bool = True,
    shuffle: bool = True,
) -> list[DrawnItem]:
    """Draw the order of items and of their movable slots for one assignment.

    `items` are (item id, names of the slots that may change places). Two slots are reversed in half
    of the items; more than two are shuffled. With `sides=False` slots keep their order, with
    `shuffle=False` items do.
    """
    sequence = rng.permutation(len(items)) if shuffle else np.arange(len(items))
    turned = _half(len(items), rng)
    drawn = []
    for position, index in enumerate(sequence, start=1):
        item, slots = items[index]
        order = _slot_order(slots, turned[index], rng) if sides else slots
        drawn.append(DrawnItem(item, position, order))
    return drawn


def _half(n: int, rng: np.random.Generator) -> np.ndarray:
    """Return n booleans of which half are true; for an odd n the larger half is drawn."""
    turned = np.zeros(n, dtype=bool)
    turned[: n // 2 + (rng.integers(2) if n % 2 else 0)] = True
    return rng.permutation(turned)


def _slot_order(slots: tuple[str, ...], turned: bool, rng: np.random.Generator) -> tuple[str, ...]:
    if len(slots) == 2:
        return slots[::-1] if turned else slots
    return tuple(slots[index] for index in rng.permutation(len(slots)))
