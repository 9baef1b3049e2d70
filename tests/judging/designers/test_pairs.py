"""Pairs as columns: the same as when each is made and counted one by one."""

from collections import defaultdict
from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from judging.designers.designs import undealt
from judging.designers.games import games
from judging.designers.pairs import every_pair
from judging.designers.planned_items import figures_of
from judging.designers.questionnaires import CannotDesign, PlannedItem
from judging.designers.texts import DesignParameters, DesignText
from judging.items.kinds import Holds
from tests.coded_errors import raises

SHARES = (0.0, 0.25, 1 / 3, 0.5, 1.0)
text = st.tuples(st.integers(1, 6), st.integers(0, 300), st.sampled_from(["human", "llm", ""]))
plans = st.builds(
    dict,
    texts=st.lists(text, min_size=2, max_size=25),
    documents=st.lists(st.tuples(st.integers(1, 6), st.integers(0, 90)), max_size=12),
    share=st.sampled_from(SHARES),
    per_topic=st.none() | st.integers(1, 6),
    in_view=st.booleans(),
    seed=st.integers(0, 1000),
)


def material(plan):
    """Texts of topics that stand in no order, and documents."""
    texts = [
        DesignText(id=7 * n, topic=topic, words=words, origin=origin, system=n % 3)
        for n, (topic, words, origin) in enumerate(plan["texts"], start=1)
    ]
    documents = [
        DesignText(id=1000 + n, topic=topic, words=words, rank=-n)
        for n, (topic, words) in enumerate(plan["documents"])
    ]
    return {Holds.RESPONSE: texts, Holds.PASSAGE: documents}


def parameters(plan):
    kind = "pair_documents" if plan["in_view"] else "pair"
    return DesignParameters(
        seed=plan["seed"],
        kind=kind,
        reversed_share=plan["share"],
        games_per_topic=plan["per_topic"],
    )


def one_by_one(plan):
    """Return the items, each made separately: drawn are the side and repetitions."""
    rng, documents = np.random.default_rng(plan["seed"]), defaultdict(list)
    found = material(plan)
    for passage in sorted(found[Holds.PASSAGE], key=lambda each: each.rank):
        documents[passage.topic].append(passage)
    of_topics = {
        topic: [response for response in found[Holds.RESPONSE] if response.topic == topic]
        for topic in sorted({response.topic for response in found[Holds.RESPONSE]})
        if documents[topic] or not plan["in_view"]
    }
    if plan["per_topic"] is None:
        pairs = [pair for texts in of_topics.values() for pair in combinations(texts, 2)]
    else:
        pairs = games(of_topics, per_topic=plan["per_topic"], rng=rng)
    turns = rng.integers(2, size=len(pairs))
    pairs = [pair[::-1] if turn else pair for pair, turn in zip(pairs, turns, strict=True)]
    shown = [(pair, False) for pair in pairs]
    shown += [(pairs[index][::-1], True) for index in again(pairs, plan["share"], rng)]
    beside = documents if plan["in_view"] else defaultdict(list)
    return tuple(item(pair, beside[pair[0].topic], reverse) for pair, reverse in shown)


def again(pairs, share, rng):
    """From each stratum of origins and length its part, the largest remainders first."""
    words = [one.words + other.words for one, other in pairs]
    thirds = np.quantile(words, [1 / 3, 2 / 3]) if pairs else []
    members = defaultdict(list)
    for index, (one, other) in enumerate(pairs):
        origins = "-".join(sorted([one.origin, other.origin]))
        members[origins, sum(words[index] > third for third in thirds)].append(index)
    strata = sorted(members)
    wanted = [share * len(members[stratum]) for stratum in strata]
    counts = [int(n) for n in wanted]
    missing = round(share * len(pairs)) - sum(counts)
    for at in sorted(range(len(strata)), key=lambda at: counts[at] - wanted[at])[:missing]:
        counts[at] += 1
    return sorted(
        int(index)
        for stratum, count in zip(strata, counts, strict=True)
        for index in rng.choice(members[stratum], size=count, replace=False)
    )


def item(pair, documents, reverse):
    texts = [*pair, *documents]
    return PlannedItem(
        tuple(text.id for text in texts),
        pair[0].topic,
        sum(text.words for text in texts),
        frozenset(text.id for text in pair),
        reverse,
    )


@given(plans)
def test_pairs_are_those_that_are_made_one_by_one(plan):
    expected = one_by_one(plan)
    if not expected:
        with raises(CannotDesign, "nothing_to_judge"):
            undealt(material=material(plan), parameters=parameters(plan))
        return
    made = undealt(material=material(plan), parameters=parameters(plan))
    assert made.figures == figures_of(expected)
    assert len(made.planned) == len(expected)
    assert made.items == expected


@given(plans)
def test_what_is_counted_makes_no_item(plan):
    try:
        made = undealt(material=material(plan), parameters=parameters(plan))
    except ValueError:
        return
    assert made.figures.words >= 0
    assert "items" not in vars(made.planned)


@given(st.lists(st.integers(0, 6), max_size=6))
def test_every_pair_is_that_of_each_topic_in_its_order(sizes):
    starts = np.cumsum([0, *sizes]).tolist()
    wanted = [
        (start + one, start + other)
        for start, size in zip(starts[:-1], sizes, strict=True)
        for one, other in combinations(range(size), 2)
    ]
    assert list(map(tuple, every_pair(sizes).tolist())) == wanted
