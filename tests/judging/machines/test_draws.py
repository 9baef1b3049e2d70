"""Which items models are asked about that are asked about so many."""

from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.models import Study
from judging.machines.draws import Candidate, drawn
from judging.machines.preparing import count_missing, missing, prepare
from judging.models import Item, MachineCall, MachineJudge
from tests.cast import alice, small_study, submitted
from tests.judging.machines.cast import machine

PAIRS = list(combinations(range(6), 2))
STUDY = [
    Candidate(100 * topic + number, topic, pair)
    for topic in range(20)
    for number, pair in enumerate(PAIRS)
]  # 20 topics, all 15 pairs of six systems


def test_fifty_of_three_hundred_pairs_are_even_over_topics_and_systems() -> None:
    by_pk = {each.pk: each for each in STUDY}
    found = [by_pk[pk] for pk in drawn(STUDY, n=50, seed=3)]
    topics = Counter(each.stratum for each in found)
    assert set(topics.values()) == {2, 3}
    assert len(topics) == 20
    systems = Counter(system for each in found for system in each.systems)
    assert max(systems.values()) - min(systems.values()) <= 2  # of 16 or 17


candidates = st.lists(
    st.builds(
        Candidate,
        pk=st.integers(1, 10_000),
        stratum=st.integers(1, 5),
        systems=st.lists(st.integers(1, 4), max_size=2, unique=True).map(tuple),
        tier=st.tuples(st.integers(0, 1), st.integers(0, 2)),
    ),
    max_size=60,
    unique_by=lambda each: each.pk,
)


@given(items=candidates, n=st.integers(0, 60), more=st.integers(0, 20), seed=st.integers(0, 9))
def test_a_smaller_draw_is_the_beginning_of_a_larger_one(
    items: list[Candidate], n: int, more: int, seed: int
) -> None:
    few, many = drawn(items, n=n, seed=seed), drawn(items, n=n + more, seed=seed)
    assert many[: len(few)] == few
    assert len(set(many)) == len(many) == min(n + more, len(items))
    tiers = {item.pk: item.tier for item in items}
    assert [tiers[pk] for pk in many] == sorted((tiers[pk] for pk in many), reverse=True)


@given(items=candidates, n=st.integers(0, 30), more=st.integers(0, 30), seed=st.integers(0, 9))
def test_who_draws_later_draws_the_same_however_far_the_other_one_is(
    items: list[Candidate], n: int, more: int, seed: int
) -> None:
    whole = [replace(item, tier=(0,)) for item in items]
    one = drawn(whole, n=n + more, seed=seed)
    asked = set(one[:n])
    half = [replace(each, tier=(int(each.pk in asked),)) for each in whole]
    assert drawn(half, n=n + more, seed=seed) == one


@given(items=candidates, n=st.integers(1, 60), seed=st.integers(0, 9))
def test_every_stratum_has_its_share(items: list[Candidate], n: int, seed: int) -> None:
    whole = [replace(item, tier=()) for item in items]
    strata = {item.pk: item.stratum for item in items}
    counts = Counter(strata[pk] for pk in drawn(whole, n=n, seed=seed))
    for stratum, size in Counter(strata.values()).items():
        exact = min(n, len(items)) * size / len(items)
        assert abs(counts[stratum] - exact) < 2  # a Webster draw may miss the quota, by less than 2


@pytest.mark.django_db
def test_all_models_of_a_study_draw_what_people_answered_and_the_same() -> None:
    study = small_study(responses=5, items=3)
    work = submitted(study, alice())
    answered = set(Item.objects.filter(judgments__assignment=work).values_list("pk", flat=True))
    assert 1 < len(answered) < 5
    n = len(answered)
    one = asked_of(study, "one", n - 1)
    assert one < answered
    asked_of(study, "all", Item.objects.count())
    assert asked_of(study, "two", n - 1) == one
    assert asked_of(study, "three", n) == answered
    assert answered < asked_of(study, "four", n + 2)


def asked_of(study: Study, name: str, wanted: int) -> set[int]:
    judge = machine(study, model=name)
    MachineJudge.objects.filter(pk=judge.pk).update(wanted=wanted)
    judge.refresh_from_db()
    assert count_missing(judge) == len(missing(judge)) == wanted
    prepare(judge=judge)
    assert count_missing(judge) == len(missing(judge)) == 0
    calls = MachineCall.objects.filter(judge=judge)
    return set(calls.values_list("item", flat=True))
