"""What is drawn for an assignment."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from annotation.fieldwork.work.item_order import draw, generator

PAIR = ("a", "b")
sizes = st.integers(0, 40)
seeds = st.integers(0, 10_000)


def pairs(n):
    return [(100 + i, PAIR) for i in range(n)]


@given(n=sizes, seed=seeds)
def test_every_item_is_shown_once_at_a_position_of_its_own(n, seed):
    shown = draw(items=pairs(n), rng=generator(seed))
    assert [each.position for each in shown] == list(range(1, n + 1))
    assert sorted(each.item for each in shown) == [item for item, _ in pairs(n)]


@given(n=sizes, seed=seeds)
def test_half_of_the_pairs_are_turned_round(n, seed):
    shown = draw(items=pairs(n), rng=generator(seed))
    turned = [each.order for each in shown].count(("b", "a"))
    assert turned in (n // 2, n - n // 2)


def test_the_larger_half_of_an_odd_number_is_drawn():
    turned = Counter(
        [drawn_order.order for drawn_order in draw(items=pairs(15), rng=generator(seed))].count(
            ("b", "a")
        )
        for seed in range(1000)
    )
    assert set(turned) == {7, 8}
    assert 420 < turned[7] < 580  # 5 standard deviations


def test_each_pair_is_turned_round_for_half_of_the_workers():
    turned = Counter(
        drawn_order.item
        for seed in range(1000)
        for drawn_order in draw(items=pairs(15), rng=generator("study", seed))
        if drawn_order.order == ("b", "a")
    )
    assert all(420 < turned[item] < 580 for item, _ in pairs(15))


def test_each_pair_stands_at_each_position():
    first = Counter(draw(items=pairs(5), rng=generator(seed))[0].item for seed in range(1000))
    assert all(137 < first[item] < 263 for item, _ in pairs(5))  # 200 and 5 standard deviations


def test_turning_round_has_nothing_to_do_with_the_position():
    turned = Counter(
        drawn_order.position
        for seed in range(1000)
        for drawn_order in draw(items=pairs(6), rng=generator(seed))
        if drawn_order.order == ("b", "a")
    )
    assert all(420 < turned[position] < 580 for position in range(1, 7))


@given(slots=st.integers(3, 6), n=st.integers(1, 10), seed=seeds)
def test_the_slots_of_a_block_are_shuffled(slots, n, seed):
    names = tuple("abcdef"[:slots])
    shown = draw(items=[(i, names) for i in range(n)], rng=generator(seed))
    assert all(sorted(each.order) == sorted(names) for each in shown)


@given(n=sizes, seed=seeds)
def test_equal_seeds_draw_the_same(n, seed):
    assert draw(items=pairs(n), rng=generator(seed, "bob")) == draw(
        items=pairs(n), rng=generator(seed, "bob")
    )


@given(n=sizes, seed=seeds)
def test_nothing_moves_that_is_not_to_move(n, seed):
    fixed = draw(items=pairs(n), rng=generator(seed), sides=False, shuffle=False)
    assert [(each.item, each.order) for each in fixed] == pairs(n)
    sides = draw(items=pairs(n), rng=generator(seed), shuffle=False)
    assert [side.item for side in sides] == [item for item, _ in pairs(n)]
    order = draw(items=pairs(n), rng=generator(seed), sides=False)
    assert {each.order for each in order} <= {PAIR}


def test_parts_of_a_seed_are_told_apart():
    draws = {
        generator(*parts).integers(2**62)
        for parts in [("a", "b"), ("ab",), ("b", "a"), ("a", ""), (1, 23), (12, 3)]
    }
    assert len(draws) == 6


def test_the_generator_is_the_same_on_every_machine():
    assert generator(1, "w-0123").integers(10**9) == 839_320_681
