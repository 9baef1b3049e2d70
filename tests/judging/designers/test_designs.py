"""The design of a judging study, before anything is written."""

from collections import Counter, defaultdict
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judging.designers.blocks import BALANCED, blocks, pair_balance
from judging.designers.crossed import cross
from judging.designers.designs import design
from judging.designers.questionnaires import CannotDesign
from judging.designers.texts import DesignParameters, DesignText
from judging.items.kinds import Holds, ItemKind, Slot, item_kind
from tests.coded_errors import raises

STYLES, ORIGINS = ("bullet", "essay", "news"), ("human", "llm")


def responses(topics, per_topic, *, seed=0):
    """Texts of about 250 words."""
    words = np.random.default_rng(seed).normal(250, 60, size=(topics, per_topic))
    return [
        DesignText(
            id=1 + topic * per_topic + n,
            topic=topic,
            words=max(20, int(words[topic, n])),
            origin=ORIGINS[n % 2],
            style=STYLES[n // 2 % 3],
        )
        for topic in range(topics)
        for n in range(per_topic)
    ]


def units_of(made, questionnaire):
    return [made.items[index].unit for index in questionnaire]


small = st.builds(
    dict,
    topics=st.integers(1, 4),
    per_topic=st.integers(2, 5),
    size=st.integers(1, 8),
    share=st.sampled_from([0, 0.25, 1 / 3, 0.5, 1]),
    seed=st.integers(0, 1000),
)


def small_design(plan, **changes):
    parameters = DesignParameters(
        seed=plan["seed"], reversed_share=plan["share"], items_per_questionnaire=plan["size"]
    )
    texts = responses(plan["topics"], plan["per_topic"], seed=plan["seed"])
    return design(material={Holds.RESPONSE: texts}, parameters=replace(parameters, **changes))


# -- The paper's plan -------------------------------------------------------------------------


@pytest.fixture(scope="module")
def paper():
    """65 topics, 6 responses each, a third of the pairs in reverse as well."""
    return design(
        material={Holds.RESPONSE: responses(65, 6)},
        parameters=DesignParameters(seed=25, reversed_share=1 / 3),
    )


def test_the_papers_plan_has_975_pairs_and_a_third_in_reverse(paper):
    assert Counter(item.reverse for item in paper.items) == {False: 975, True: 325}


def test_the_papers_plan_fills_87_questionnaires(paper):
    assert Counter(map(len, paper.questionnaires)) == {15: 82, 14: 5}


def test_the_papers_questionnaires_are_equal_work(paper):
    words = paper.words()
    assert words.std() / words.mean() < 0.02
    assert words.max() / words.min() < 1.1


def test_the_papers_questionnaires_are_about_many_topics(paper):
    for questionnaire in paper.questionnaires:
        topics = Counter(paper.items[index].topic for index in questionnaire)
        assert max(topics.values()) <= 2


def test_the_reversed_share_mirrors_origin_and_length(paper):
    origin = {text.id: text.origin for text in responses(65, 6)}
    once = [item for item in paper.items if not item.reverse]
    thirds = np.quantile([item.words for item in once], [1 / 3, 2 / 3])
    counts = defaultdict(Counter)
    for item in paper.items:
        stratum = ("-".join(sorted(origin[text] for text in item.contents)), item.words)
        counts[stratum[0], int(np.searchsorted(thirds, stratum[1]))][item.reverse] += 1
    assert len(counts) == 9
    for count in counts.values():
        assert abs(count[True] - count[False] / 3) < 1


# -- What always holds ------------------------------------------------------------------------


def dealt(plan):
    """Return the design, or None if a pair and its reverse would share a questionnaire."""
    try:
        return small_design(plan)
    except CannotDesign:
        pairs = plan["topics"] * plan["per_topic"] * (plan["per_topic"] - 1) // 2
        assert pairs + round(plan["share"] * pairs) <= plan["size"]
        assert round(plan["share"] * pairs) > 0
        return None


@given(plan=small)
def test_every_pair_of_a_topic_is_judged_once(plan):
    if made := dealt(plan):
        wanted = {
            frozenset(pair)
            for topic in range(plan["topics"])
            for pair in combinations(
                range(1 + topic * plan["per_topic"], 1 + (topic + 1) * plan["per_topic"]), 2
            )
        }
        once = [item.unit for item in made.items if not item.reverse]
        assert sorted(map(sorted, once)) == sorted(map(sorted, wanted))


@given(plan=small)
def test_the_reversed_share_is_exact_and_reverses_pairs(plan):
    if made := dealt(plan):
        once = {item.unit: item.contents for item in made.items if not item.reverse}
        again = [item for item in made.items if item.reverse]
        assert len(again) == round(plan["share"] * len(once))
        assert len({item.unit for item in again}) == len(again)
        assert all(item.contents == once[item.unit][::-1] for item in again)


@given(plan=small)
def test_every_item_is_in_one_questionnaire_and_none_is_too_long(plan):
    if made := dealt(plan):
        indices = [index for questionnaire in made.questionnaires for index in questionnaire]
        assert sorted(indices) == list(range(len(made.items)))
        sizes = [len(questionnaire) for questionnaire in made.questionnaires]
        assert max(sizes) <= plan["size"]
        assert max(sizes) - min(sizes) <= 1


@given(plan=small)
def test_nobody_meets_a_pair_twice_in_a_questionnaire(plan):
    if made := dealt(plan):
        for questionnaire in made.questionnaires:
            units = units_of(made, questionnaire)
            assert len(set(units)) == len(units)


@given(plan=small)
def test_equal_seeds_make_equal_designs(plan):
    assert dealt(plan) == dealt(plan)


def test_another_seed_makes_another_design():
    plan = {"topics": 3, "per_topic": 4, "size": 5, "share": 0.5, "seed": 1}
    assert small_design(plan).items != small_design(plan, seed=2).items


def test_either_text_of_a_pair_stands_first_half_of_the_time():
    made = design(material={Holds.RESPONSE: responses(65, 6)}, parameters=DesignParameters(seed=3))
    first = sum(item.contents[0] < item.contents[1] for item in made.items)
    assert 410 < first < 565  # 975 / 2 and 5 standard deviations


def test_a_sample_of_topics_is_drawn_by_the_seed():
    texts = responses(20, 3)
    one, same, other = (
        design(material={Holds.RESPONSE: texts}, parameters=DesignParameters(seed=seed, topics=5))
        for seed in (1, 1, 2)
    )
    assert len(one.topics) == 5
    assert {item.topic for item in one.items} == set(one.topics)
    assert one.topics == same.topics != other.topics


def test_a_pool_holds_every_response_once():
    made = design(
        material={Holds.RESPONSE: responses(4, 6)},
        parameters=DesignParameters(seed=1, kind="response", designer="pool"),
    )
    assert sorted(item.contents for item in made.items) == [(n,) for n in range(1, 25)]
    assert [len(questionnaire) for questionnaire in made.questionnaires] == [12, 12]


# -- What cannot be designed ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "code", "values"),
    [
        ({"topics": 4}, "too_few_topics", "4 .* 3"),
        ({"topics": 0}, "too_few_topics", "0 .* 3"),
        ({"reversed_share": 1.5}, "bad_reversed_share", r"1\.5"),
        ({"reversed_share": -0.1}, "bad_reversed_share", r"-0\.1"),
        ({"reversed_share": float("nan")}, "bad_reversed_share", "nan"),
        ({"items_per_questionnaire": 0}, "empty_questionnaire", ""),
        ({"quota": 0}, "empty_questionnaire", ""),
        ({"designer": "lottery"}, "unfit_designer", "lottery"),
        ({"seed": -1}, "negative_seed", "-1"),
        ({"items_per_questionnaire": 100, "reversed_share": 0.5}, "no_room_for_reverse", ""),
    ],
)
def test_it_says_why_there_is_no_design(changes, code, values):
    parameters = replace(DesignParameters(seed=1), **changes)
    with raises(CannotDesign, code, match=values):
        design(material={Holds.RESPONSE: responses(3, 3)}, parameters=parameters)


@pytest.mark.parametrize("texts", [[], responses(5, 1)])
def test_it_says_that_there_is_nothing_to_judge(texts):
    with raises(CannotDesign, "nothing_to_judge"):
        design(material={Holds.RESPONSE: texts}, parameters=DesignParameters(seed=1))


# -- Blocks, passages, points ---------------------------------------------------------------------


BLOCK = ItemKind("block", tuple(Slot(name, name, drawn=True) for name in "abcd"))


@given(texts=st.integers(4, 12), rounds=st.integers(1, 4), seed=st.integers(0, 100))
def test_every_text_stands_in_as_many_blocks_as_any_other(texts, rounds, seed):
    parameters = DesignParameters(seed=seed, rounds=rounds)
    material = {Holds.RESPONSE: responses(2, texts)}
    made = blocks(BLOCK, material, parameters, np.random.default_rng(seed)).items
    stood = Counter(pk for item in made for pk in item.contents)
    assert all(len(set(item.contents)) == 4 for item in made)
    assert len({item.unit for item in made}) == len(made)
    if texts > 6:  # of so few there are too few different blocks
        assert set(stood.values()) <= {rounds, rounds + 1}
        assert len(stood) == 2 * texts


def test_texts_of_a_block_meet_others_in_the_next_one():
    made = blocks(
        BLOCK,
        {Holds.RESPONSE: responses(1, 8)},
        DesignParameters(seed=1, rounds=2),
        np.random.default_rng(1),
    )
    assert len(made) == 4
    met = Counter(pair for item in made.items for pair in combinations(sorted(item.contents), 2))
    assert max(met.values()) <= 2


def test_eight_texts_in_fours_are_balanced():
    """Popp et al.: v 8, k 4, b 14, r 7, lambda 3: the quadruples of 0 to 7 whose XOR is 0."""
    assert len(BALANCED) == 14
    assert Counter(n for block in BALANCED for n in block) == dict.fromkeys(range(8), 7)
    pairs = Counter(pair for block in BALANCED for pair in combinations(block, 2))
    assert pairs == dict.fromkeys(combinations(range(8), 2), 3)
    triples = Counter(triple for block in BALANCED for triple in combinations(block, 3))
    assert triples == dict.fromkeys(combinations(range(8), 3), 1)
    made = blocks(
        BLOCK,
        {Holds.RESPONSE: responses(2, 8)},
        DesignParameters(seed=1, rounds=7),
        np.random.default_rng(1),
    )
    assert len({item.unit for item in made.items}) == 28  # of two topics
    assert made.balance == (3, 3)


def test_the_balance_of_other_blocks_is_said():
    made = blocks(
        BLOCK,
        {Holds.RESPONSE: responses(1, 8)},
        DesignParameters(seed=1, rounds=2),
        np.random.default_rng(1),
    )
    met = Counter(pair for item in made.items for pair in combinations(sorted(item.contents), 2))
    counts = [met[pair] for pair in combinations(range(1, 9), 2)]
    assert made.balance == (min(counts), max(counts)) == (0, 2)
    assert pair_balance(np.empty((0, 4), dtype=int), np.empty(0, dtype=int)) == (0, 0)


def test_a_topic_is_kept_together_where_the_method_wants_it():
    parameters = DesignParameters(seed=1, topics_together=True, items_per_questionnaire=28)
    made = design(material={Holds.RESPONSE: responses(3, 8)}, parameters=parameters)
    topics = [
        {made.items[index].topic for index in questionnaire}
        for questionnaire in made.questionnaires
    ]
    assert sorted(map(tuple, topics)) == [(0,), (1,), (2,)]
    half = replace(parameters, items_per_questionnaire=14)
    made = design(material={Holds.RESPONSE: responses(3, 8)}, parameters=half)
    assert all(
        len({made.items[i].topic for i in questionnaire}) == 1
        for questionnaire in made.questionnaires
    )
    assert sorted(i for questionnaire in made.questionnaires for i in questionnaire) == list(
        range(84)
    )
    with raises(CannotDesign, "no_room_in_topic"):
        design(
            material={Holds.RESPONSE: responses(1, 4)},
            parameters=replace(parameters, reversed_share=1),
        )


def test_a_topic_with_fewer_texts_than_a_block_has_none():
    material = {Holds.RESPONSE: responses(1, 3)}
    assert not len(blocks(BLOCK, material, DesignParameters(seed=1), np.random.default_rng(1)))


def test_a_passage_meets_the_points_of_its_topic_and_of_all():
    kind = ItemKind(
        "passage_criterion",
        (
            Slot("passage", "", holds=Holds.PASSAGE),
            Slot("criterion", "", holds=Holds.CRITERION, judged=False),
        ),
    )
    material = {
        Holds.PASSAGE: [DesignText(id=n, topic=n % 2, words=10, rank=1) for n in (1, 2)],
        Holds.CRITERION: [
            DesignText(id=1, topic=None, words=1),
            DesignText(id=2, topic=1, words=1),
        ],
    }
    made = cross(kind, material, DesignParameters(seed=1), np.random.default_rng(1))
    assert [item.contents for item in made.items] == [(1, 1), (1, 2), (2, 1)]
    assert len({item.unit for item in made.items}) == 3


@pytest.mark.parametrize("designer", ["pool", "blocks"])
def test_a_designer_makes_no_items_of_a_kind_that_it_does_not_fit(designer):
    with raises(CannotDesign, "unfit_designer", match="pair"):
        design(material={}, parameters=DesignParameters(seed=1, designer=designer))


def test_the_depth_takes_the_best_passages():
    kind, ranks = item_kind("response"), range(1, 6)
    texts = [DesignText(id=rank, topic=1, words=10, rank=rank) for rank in ranks]
    parameters = DesignParameters(seed=1, kind=kind.name, designer="pool", depth=2)
    made = design(material={Holds.RESPONSE: texts}, parameters=parameters)
    assert {item.contents for item in made.items} == {(1,), (2,)}
