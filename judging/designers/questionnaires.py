"""Dealing items into questionnaires of equal work. Pure and seeded."""

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import NamedTuple

import numpy as np

from annotation.texts.coded_errors import CodedError
from annotation.texts.sentences import Sentence


class CannotDesign(CodedError):
    """Refusal of a design; the message names the wish and the reason."""


class PlannedItem(NamedTuple):  # there are tens of thousands
    """`contents` are ids in nominal slot order, each of the table that its slot points to.

    Items of one `unit` are in different questionnaires: a pair and its reverse. `names` are those
    of the slots if their number does not tell them.
    """

    contents: tuple[int, ...]
    topic: int
    words: int
    unit: Hashable
    reverse: bool = False
    names: tuple[str, ...] = ()

    @property
    def size(self) -> int | tuple[str, ...]:
        """The number of contents, or their names."""
        return self.names or len(self.contents)


@dataclass(eq=False)
class _Hand:
    """A questionnaire that is being dealt: its items, and the instruments of every item."""

    items: list[int] = field(default_factory=list)
    words: int = 0
    units: set[Hashable] = field(default_factory=set)
    topics: Counter[int] = field(default_factory=Counter)

    def take(self, index: int, item: PlannedItem) -> None:
        self.items.append(index)
        self.words += item.words
        self.units.add(item.unit)
        self.topics[item.topic] += 1

    def exchange(self, index: int, item: PlannedItem, other: int, for_it: PlannedItem) -> None:
        """Replace an item by another."""
        self.items[self.items.index(index)] = other
        self.words += for_it.words - item.words
        self.units.remove(item.unit)
        self.units.add(for_it.unit)
        self.topics[item.topic] -= 1
        self.topics[for_it.topic] += 1


def deal(
    *, items: Sequence[PlannedItem], number: int, rng: np.random.Generator
) -> tuple[tuple[int, ...], ...]:
    """Deal items into a number of questionnaires of equal work.

    1. Sort by length and cut into strata of one item per questionnaire.
    2. Deal each stratum, its longest item to the questionnaire with the fewest words so far.
    3. Prefer a questionnaire without the topic; never one with the unit.

    Raises CannotDesign if a pair and its reverse cannot be kept apart.
    """
    lengths = np.array([item.words for item in items])
    longest_first = np.lexsort((rng.permutation(len(items)), -lengths))
    hands = [_Hand() for _ in range(number)]
    for start in range(0, len(items), number):
        stratum = longest_first[start : start + number].tolist()
        _deal_stratum(stratum, items, hands)
    return tuple(tuple(hand.items) for hand in hands)


def deal_by_topic(
    *, items: Sequence[PlannedItem], number: int, rng: np.random.Generator
) -> tuple[tuple[int, ...], ...]:
    """Cut the items into a number of questionnaires, topic after topic in a drawn order.

    Raises CannotDesign if a pair and its reverse come into the same one.
    """
    lots = {topic: rng.random() for topic in sorted({item.topic for item in items})}
    in_order = sorted(range(len(items)), key=lambda index: lots[items[index].topic])
    dealt = tuple(tuple(map(int, part)) for part in np.array_split(in_order, number))
    if any(
        len({items[index].unit for index in questionnaire}) < len(questionnaire)
        for questionnaire in dealt
    ):
        raise CannotDesign(
            "no_room_in_topic",
            Sentence("To keep topics together, set the reversed share to 0."),
        )
    return dealt


def _deal_stratum(stratum: list[int], items: Sequence[PlannedItem], hands: list[_Hand]) -> None:
    free = sorted(hands, key=lambda hand: hand.words)
    for index in stratum:
        place = _place(items[index], free)
        if place is None:
            hand = _swap(items[index], items, hands, free)
            free.remove(hand)
        else:
            hand = free.pop(place)
        hand.take(index, items[index])


def _place(item: PlannedItem, free: Sequence[_Hand]) -> int | None:
    """Return the hand with the item's topic least often; None if all have its unit.

    Few hands have the topic at all, so that the first one without it comes early.
    """
    best, fewest = None, inf
    for place, hand in enumerate(free):
        often = hand.topics.get(item.topic, 0)
        if often < fewest and item.unit not in hand.units:
            best, fewest = place, often
            if not often:
                break
    return best


def _swap(
    item: PlannedItem, items: Sequence[PlannedItem], hands: list[_Hand], free: Sequence[_Hand]
) -> _Hand:
    """Make room in a free hand with the unit: exchange that item with one of another hand."""
    for hand in free:
        twin = next(index for index in hand.items if items[index].unit == item.unit)
        for other in hands:
            if other is hand or items[twin].unit in other.units:
                continue
            for swapped in reversed(other.items):
                if items[swapped].unit not in hand.units:
                    hand.exchange(twin, items[twin], swapped, items[swapped])
                    other.exchange(swapped, items[swapped], twin, items[twin])
                    return hand
    raise CannotDesign(
        "no_room_for_reverse",
        Sentence("Use smaller questionnaires or a lower reversed share."),
    )
