"""Blocks as columns: the same as when each is made and counted one by one."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judging.designers import blocks as made_so
from judging.designers.blocks import BALANCED, blocks
from judging.designers.planned_items import figures_of
from judging.designers.questionnaires import PlannedItem
from judging.designers.texts import DesignParameters, DesignText, item_of
from judging.items.kinds import Holds, ItemKind, Slot

plans = st.builds(
    dict,
    texts=st.lists(st.tuples(st.integers(1, 6), st.integers(0, 300)), max_size=40)
    | st.lists(st.sampled_from([(1, 7), (2, 9)]), min_size=16, max_size=17),
    size=st.integers(3, 5),
    rounds=st.sampled_from([1, 2, 3, 7]),
    seed=st.integers(0, 1000),
)


def made_of(plan):
    names = "abcde"[: plan["size"]]
    kind = ItemKind("block", tuple(Slot(name, name, drawn=True) for name in names))
    texts = [
        DesignText(id=7 * n, topic=topic, words=words)
        for n, (topic, words) in enumerate(plan["texts"], start=1)
    ]
    rng = np.random.default_rng(plan["seed"])
    parameters = DesignParameters(seed=plan["seed"], rounds=plan["rounds"])
    return blocks(kind, {Holds.RESPONSE: texts}, parameters, rng), texts, rng


def one_by_one(plan, texts, rng):
    """Each block by itself, of each topic in its order."""
    found = []
    for topic in sorted({text.topic for text in texts}):
        some = [text for text in texts if text.topic == topic]
        if (len(some), plan["size"], plan["rounds"]) == (8, 4, 7):
            order = rng.permutation(8)
            found += [[some[order[n]] for n in block] for block in BALANCED]
        elif len(some) >= plan["size"]:
            found += nearly_balanced(some, plan, rng)
    return tuple(item_of(each, unit=frozenset(text.id for text in each)) for each in found)


def nearly_balanced(texts, plan, rng):
    """Who stood in the fewest, of these who met the others least, else by lot; each block once."""
    stood, met, made = Counter(), Counter(), {}
    for _ in range(-(-len(texts) * plan["rounds"] // plan["size"])):
        lots = rng.permutation(len(texts))
        block = []
        while len(block) < plan["size"]:
            ranks = {
                (
                    stood[text],
                    sum(met[frozenset({text, block_item})] for block_item in block),
                    lot,
                ): text
                for text, lot in zip(texts, lots, strict=True)
                if text not in block
            }
            block.append(ranks[min(ranks)])
        stood.update(block)
        met.update(map(frozenset, combinations(block, 2)))
        made.setdefault(frozenset(block), block)
    return made.values()


def balance(items: tuple[PlannedItem, ...]):
    met = Counter(frozenset(pair) for item in items for pair in combinations(item.contents, 2))
    of_topics = {}
    for item in items:
        of_topics.setdefault(item.topic, set()).update(item.contents)
    pairs = [frozenset(pair) for ids in of_topics.values() for pair in combinations(ids, 2)]
    counts = [met[pair] for pair in pairs]
    return min(counts, default=0), max(counts, default=0)


@pytest.mark.parametrize("at_once", [1, made_so.CELLS_AT_ONCE])
def test_blocks_are_those_that_are_made_one_by_one(monkeypatch, at_once):
    monkeypatch.setattr(made_so, "CELLS_AT_ONCE", at_once)

    @given(plans)
    def held(plan):
        made, texts, drawn = made_of(plan)
        rng = np.random.default_rng(plan["seed"])
        expected = one_by_one(plan, texts, rng)
        assert len(made) == len(expected)
        assert made.figures.words == figures_of(expected).words
        assert {n: of for n, of in made.figures.sizes.items() if of} == figures_of(expected).sizes
        assert made.balance == balance(expected)
        assert "items" not in vars(made)
        assert made.items == expected
        assert drawn.integers(1 << 40) == rng.integers(1 << 40)  # whoever deals them draws the same

    held()
