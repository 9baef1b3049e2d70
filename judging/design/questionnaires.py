"""Items dealt into questionnaires that are equal work. Pure and seeded."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np


class CannotDesign(ValueError):
    """No design fits the wishes; the message says which and why."""


@dataclass(frozen=True)
class PlannedItem:
    """`contents` are ids in nominal slot order, each of the table that its slot points to.

    Items of one `unit` stand in different questionnaires: a pair and its reverse.
    """

    contents: tuple[int, ...]
    topic: int
    words: int
    unit: Hashable
    reverse: bool = False


def deal(
    *, items: Sequence[PlannedItem], number: int, rng: np.random.Generator
) -> tuple[tuple[int, ...], ...]:
    """Deal items into a number of questionnaires that are equal work.

    1. Sort by length and cut into strata of one item per questionnaire.
    2. Deal each stratum, its longest item to the questionnaire with the fewest words so far.
    3. Prefer a questionnaire that does not have the topic yet; never one that has the unit.

    Raises CannotDesign where a pair and its reverse cannot be kept apart.
    """
    lengths = np.array([item.words for item in items])
    longest_first = np.lexsort((rng.permutation(len(items)), -lengths))
    dealt: list[list[int]] = [[] for _ in range(number)]
    load = np.zeros(number)
    for start in range(0, len(items), number):
        stratum = longest_first[start : start + number].tolist()
        _deal_stratum(stratum, items, dealt, load)
    return tuple(tuple(each) for each in dealt)


def deal_by_topic(
    *, items: Sequence[PlannedItem], number: int, rng: np.random.Generator
) -> tuple[tuple[int, ...], ...]:
    """Cut the items into a number of questionnaires, topic after topic in an order that is drawn.

    Raises CannotDesign where a pair and its reverse come into the same one.
    """
    lots = {topic: rng.random() for topic in sorted({item.topic for item in items})}
    in_order = sorted(range(len(items)), key=lambda index: lots[items[index].topic])
    dealt = tuple(tuple(map(int, part)) for part in np.array_split(in_order, number))
    if any(len({items[index].unit for index in each}) < len(each) for each in dealt):
        raise CannotDesign(
            "A topic that is kept together has no room for a pair and its reverse: make the "
            "reversed share 0."
        )
    return dealt


def _deal_stratum(
    stratum: list[int], items: Sequence[PlannedItem], dealt: list[list[int]], load: np.ndarray
) -> None:
    free = list(np.argsort(load, kind="stable"))
    for index in stratum:
        hand = min(free, key=lambda each: _clash(items[index], (items[i] for i in dealt[each])))
        if _clash(items[index], (items[i] for i in dealt[hand]))[0]:
            hand = _swap(index, items, dealt, load, free)
        free.remove(hand)
        dealt[hand].append(index)
        load[hand] += items[index].words


def _clash(item: PlannedItem, others: Iterable[PlannedItem]) -> tuple[bool, int]:
    """Whether a hand has the item's unit, and how often its topic."""
    unit, topic = False, 0
    for other in others:
        unit |= other.unit == item.unit
        topic += other.topic == item.topic
    return unit, topic


def _swap(
    index: int,
    items: Sequence[PlannedItem],
    dealt: list[list[int]],
    load: np.ndarray,
    free: list[int],
) -> int:
    """Make room in a free hand that has the unit: exchange that item with one of another hand."""
    for hand in free:
        twin = next(i for i in dealt[hand] if items[i].unit == items[index].unit)
        for other, hand_of_other in enumerate(dealt):
            if other == hand or _clash(items[twin], (items[i] for i in hand_of_other))[0]:
                continue
            for swapped in reversed(hand_of_other):
                rest = (items[i] for i in dealt[hand])
                if not _clash(items[swapped], rest)[0]:
                    dealt[hand][dealt[hand].index(twin)] = swapped
                    hand_of_other[hand_of_other.index(swapped)] = twin
                    change = items[swapped].words - items[twin].words
                    load[hand] += change
                    load[other] -= change
                    return hand
    raise CannotDesign(
        "A pair and its reverse cannot be kept apart: make questionnaires smaller or the "
        "reversed share lower."
    )
