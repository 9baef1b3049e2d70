"""Dealing items into questionnaires: quick, and what the rule says word for word."""

from time import process_time

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from judging.designers.questionnaires import CannotDesign, PlannedItem, deal


def dealt_plainly(items, number, rng):
    """Return the rule of `deal` as it was first written.

    Every questionnaire is asked for every item.
    """
    lots = rng.permutation(len(items))
    longest_first = sorted(range(len(items)), key=lambda index: (-items[index].words, lots[index]))
    hands = [[] for _ in range(number)]
    for start in range(0, len(items), number):
        free = sorted(hands, key=lambda hand: sum(items[index].words for index in hand))
        for index in longest_first[start : start + number]:
            clashes = [clash(items, index, hand) for hand in free]
            hand = free[clashes.index(min(clashes))]
            if min(clashes)[0]:
                hand = swapped_plainly(items, index, hands, free)
            free = [each for each in free if each is not hand]
            hand.append(index)
    return tuple(map(tuple, hands))


def clash(items, index, hand):
    """Whether a hand has the item's unit, and how often its topic."""
    has_unit = any(items[other].unit == items[index].unit for other in hand)
    return has_unit, sum(items[other].topic == items[index].topic for other in hand)


def swapped_plainly(items, index, hands, free):
    for hand in free:
        twin = next(i for i in hand if items[i].unit == items[index].unit)
        others = (each for each in hands if each is not hand and not clash(items, twin, each)[0])
        for other in others:
            for swapped in reversed(other):
                if not clash(items, swapped, hand)[0]:
                    hand[hand.index(twin)] = swapped
                    other[other.index(swapped)] = twin
                    return hand
    raise CannotDesign("no_room", "kept together")


def items_of(drawn):
    return [
        PlannedItem(contents=(n,), topic=topic, words=words, unit=frozenset({unit, 100}))
        for n, (topic, words, unit) in enumerate(drawn)
    ]


few_units = st.lists(
    st.tuples(st.integers(1, 5), st.integers(20, 60), st.integers(0, 15)), min_size=1, max_size=60
)


@settings(max_examples=300)
@given(drawn=few_units, number=st.integers(1, 12), seed=st.integers(0, 100))
def test_items_are_dealt_as_the_rule_says(drawn, number, seed):
    items = items_of(drawn)

    def answer(dealing):
        try:
            return dealing(items=items, number=number, rng=np.random.default_rng(seed))
        except CannotDesign:
            return "kept together"

    assert answer(deal) == answer(dealt_plainly)


def test_ten_times_the_topics_take_about_ten_times_as_long():
    def seconds(topics):
        rng = np.random.default_rng(1)
        items = [
            PlannedItem((n,), topic=n // 20, words=int(words), unit=n)
            for n, words in enumerate(rng.normal(500, 80, size=topics * 20))
        ]
        began = process_time()
        deal(items=items, number=len(items) // 15, rng=rng)
        return process_time() - began

    few = min(seconds(40) for _ in range(3))
    assert min(seconds(400) for _ in range(3)) < 25 * few + 0.05
