"""What is counted of texts that are crossed is what is there when each item is made."""

from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from judging.designers.crossed import cross, pool
from judging.designers.planned_items import figures_of
from judging.designers.questionnaires import PlannedItem
from judging.designers.texts import DesignParameters, DesignText
from judging.items.kinds import Holds, ItemKind, Slot, item_kind

PASSAGE = Slot("passage", "", holds=Holds.PASSAGE)
POINT = Slot("point", "", holds=Holds.CRITERION, judged=False)
TEXT = Slot("text", "", holds=Holds.RESPONSE, judged=False)
topics = st.integers(1, 4)
drawn = st.builds(
    dict,
    passages=st.lists(st.tuples(topics, st.integers(0, 90)), max_size=8),
    points=st.lists(st.tuples(st.none() | topics, st.integers(0, 9)), max_size=6),
    texts=st.lists(st.tuples(topics, st.integers(0, 300)), max_size=6),
    slots=st.permutations([PASSAGE, POINT, TEXT]).flatmap(
        lambda slots: st.sampled_from([slots, [s for s in slots if s != TEXT], [PASSAGE]])
    ),
)


def material(plan):
    """Texts of three kinds; a point may be of all topics."""
    return {
        holds: [
            DesignText(id=n, topic=topic, words=words)
            for n, (topic, words) in enumerate(plan[what], start=1)
        ]
        for holds, what in zip(
            (Holds.PASSAGE, Holds.CRITERION, Holds.RESPONSE),
            ("passages", "points", "texts"),
            strict=True,
        )
    }


def one_by_one(slots, of):
    """Every passage, with every choice of what is of its topic or of all."""
    found = []
    for passage in of[Holds.PASSAGE]:
        choices = [
            [passage] if slot is PASSAGE else [t for t in of[slot.holds] if fits(t, passage)]
            for slot in slots
        ]
        for texts in product(*choices):
            ids = tuple(text.id for text in texts)
            words = sum(text.words for text in texts)
            found.append(PlannedItem(ids, passage.topic, words, ids))
    return tuple(found)


def test_a_text_comes_with_the_best_passages_of_its_topic_or_not_at_all():
    kind = item_kind("response_documents")
    texts = [DesignText(id=n, topic=topic, words=100) for n, topic in enumerate((1, 1, 2), 1)]
    passages = [DesignText(id=n, topic=1, words=10, rank=rank) for n, rank in ((7, 2), (8, 1))]
    planned = pool(
        kind,
        {Holds.RESPONSE: texts, Holds.PASSAGE: passages},
        DesignParameters(seed=1, kind=kind.name),
        np.random.default_rng(0),
    )
    assert [(item.contents, item.topic, item.words, item.unit) for item in planned.items] == [
        ((1, 8, 7), 1, 120, 1),
        ((2, 8, 7), 1, 120, 2),
    ]
    assert planned.figures == figures_of(planned.items)


def fits(text, passage):
    return text.topic in (passage.topic, None)


@given(drawn)
def test_crossed_items_are_those_that_are_made_one_by_one(plan):
    kind, of = ItemKind("crossed", tuple(plan["slots"])), material(plan)
    made = cross(kind, of, DesignParameters(seed=1), np.random.default_rng(1))
    expected = one_by_one(plan["slots"], of)
    assert len(made) == len(expected)
    assert made.figures.words == figures_of(expected).words
    assert {size: n for size, n in made.figures.sizes.items() if n} == figures_of(expected).sizes
    assert "items" not in vars(made)
    assert made.items == expected


@given(drawn)
def test_of_a_pool_each_text_is_an_item_of_its_own_unit(plan):
    kind, of = ItemKind("alone", (PASSAGE,)), material(plan)
    made = pool(kind, of, DesignParameters(seed=1), np.random.default_rng(1))
    expected = [
        PlannedItem((text.id,), text.topic, text.words, text.id) for text in of[Holds.PASSAGE]
    ]
    assert (len(made), made.figures.words) == (len(expected), figures_of(expected).words)
    assert made.items == tuple(expected)
