"""The differentiability split: the published one, and a plain loop."""

from math import isnan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.stats.agreement.differentiability import Split, differentiability, split_agreement
from analysis.stats.votes import Votes
from tests.analysis.coded_errors import bad_setting, cannot_compute
from tests.analysis.stats.conftest import DIMENSIONS, crowd, votes_of

PRINTED = (0.276, 0.227, 0.171, 0.372, 0.358, 0.222, 0.244)


@pytest.mark.corpus
def test_it_meets_the_published_split(five_votes):
    # Gienapp et al. 2025, Table 4, differentiable pairs
    questions = {d: votes_of(five_votes, d, ("A", "N", "B")) for d in DIMENSIONS}
    split = differentiability(questions)
    assert (len(split.others), len(split.differentiable)) == (290, 1062)
    assert (split.at_least, split.questions) == (5, 7)
    parts = [split_agreement(votes, split, draws=0) for votes in questions.values()]
    assert [part.differentiable.value for part in parts] == pytest.approx(PRINTED, abs=0.001)
    # what is left after taking out agreement has none: selection, not a finding
    assert max(part.others.value for part in parts) < 0.01


def test_random_votes_split_into_agreement_and_none_as_well():
    rng = np.random.default_rng(0)
    item, worker = np.repeat(np.arange(400), 5), np.tile(np.arange(5), 400)
    votes = Votes.from_indices(item, worker, rng.integers(0, 3, 2000), options="ANB")
    result = split_agreement(votes, differentiability({"only": votes}), draws=0)
    assert result.differentiable.value > 0.08
    assert result.others.value < -0.1


@given(st.integers(0, 2**32 - 1), st.integers(1, 3), st.sampled_from((0.5, 0.6, 1.0)))
@settings(deadline=None, max_examples=20)
def test_it_equals_the_plain_loop(seed, at_least, share):
    rng = np.random.default_rng(seed)
    questions = {
        name: Votes.from_indices(
            rng.integers(0, 8, 25), np.arange(25), rng.integers(0, 3, 25), options="ANB"
        )
        for name in "xyz"
    }
    expected, met = [], set()
    for item in range(8):
        majorities = 0
        for votes in questions.values():
            given_here = votes.value[votes.item == item].tolist()
            met |= {item} if given_here else set()
            most = max((given_here.count(v) for v in given_here), default=0)
            majorities += bool(given_here) and most >= share * len(given_here) - 1e-9
        if majorities >= at_least:
            expected.append(item)
    split = differentiability(questions, share=share, at_least=at_least)
    assert split.differentiable == tuple(expected)
    assert set(split.differentiable) | set(split.others) == met


def test_a_part_without_alpha_says_why():
    votes, _, _ = crowd()
    everything = Split(
        differentiable=tuple(range(60)), others=(), questions=1, at_least=1, share=0.6
    )
    result = split_agreement(votes, everything, draws=20)
    assert result.others is None
    assert result.others_reason.startswith("Alpha cannot be computed because no item has")
    assert result.differentiable_reason == ""
    assert not isnan(result.differentiable.low)


def test_it_refuses_what_it_cannot_split():
    votes, _, _ = crowd()
    with cannot_compute("no_votes"):
        differentiability({})
    with bad_setting("share"):
        differentiability({"x": votes}, share=0)
    with bad_setting("at_least"):
        differentiability({"x": votes}, at_least=2)
