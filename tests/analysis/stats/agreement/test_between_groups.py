"""Alpha over cross pairs: a plain loop, the package krippendorff, and groups of known agreement."""

from itertools import product

import krippendorff
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.stats.agreement.alpha import krippendorff_alpha
from analysis.stats.agreement.between_groups import alpha_between
from analysis.stats.errors import CannotCompute
from analysis.stats.resampling import Bootstrap
from analysis.stats.votes import Votes
from tests.analysis.coded_errors import cannot_compute

OPTIONS = ("a", "n", "b")
PLAIN = Bootstrap(draws=0)


def votes(*rows, options=OPTIONS):
    """rows: item, worker, value."""
    frame = pd.DataFrame(rows, columns=["item", "worker", "value"])
    return Votes.from_frame(frame, options=options)


def grouped(prefix, lists):
    """Votes from one list of values an item."""
    rows = [(i, f"{prefix}{w}", v) for i, vs in enumerate(lists) for w, v in enumerate(vs)]
    return votes(*rows)


def by_loop(first, second):
    """Compute the same from the definition: weighted ordered pairs and the ordinal metric."""
    pairs = []
    for one, other in zip(first, second, strict=True):
        if one and other:
            weight = (len(one) + len(other)) / (2 * len(one) * len(other))
            pairs += [(c, k, weight) for x, y in product(one, other) for c, k in ((x, y), (y, x))]
    n = {c: sum(w for x, _, w in pairs if x == c) for c in OPTIONS}
    total = sum(n.values())

    def delta(c, k):
        low, high = sorted((OPTIONS.index(c), OPTIONS.index(k)))
        between = sum(n[OPTIONS[g]] for g in range(low, high + 1))
        return (between - (n[c] + n[k]) / 2) ** 2

    observed = sum(w * delta(c, k) for c, k, w in pairs) / total
    expected = sum(n[c] * n[k] * delta(c, k) for c in OPTIONS for k in OPTIONS)
    return 1 - observed * total * (total - 1) / expected


LISTS = st.lists(st.lists(st.sampled_from(OPTIONS), max_size=3), min_size=2, max_size=8)


@given(LISTS, LISTS)
def test_it_is_the_definition(first, second):
    n = min(len(first), len(second))
    first, second = first[:n], second[:n]
    try:
        result = alpha_between(grouped("m", first), grouped("p", second), bootstrap=PLAIN)
    except CannotCompute:
        used = {v for a, b in zip(first, second, strict=True) if a and b for v in a + b}
        assert len(used) <= 1
        return
    assert result.value == pytest.approx(by_loop(first, second), abs=1e-12)


@given(st.lists(st.tuples(st.sampled_from(OPTIONS), st.sampled_from(OPTIONS)), min_size=2))
def test_with_one_vote_each_it_is_krippendorffs_alpha(pairs):
    if len({value for pair in pairs for value in pair}) == 1:
        return
    data = [[OPTIONS.index(value) for value in side] for side in zip(*pairs, strict=True)]
    reference = krippendorff.alpha(
        reliability_data=data, level_of_measurement="ordinal", value_domain=[0, 1, 2]
    )
    result = alpha_between(
        grouped("m", [[one] for one, _ in pairs]),
        grouped("p", [[other] for _, other in pairs]),
        bootstrap=PLAIN,
    )
    assert result.value == pytest.approx(reference, abs=1e-12)


def test_a_steady_model_that_guesses_agrees_with_nobody():
    """Within each group all agree; alpha of all four is high, the cross pairs say the truth."""
    rng = np.random.default_rng(9)
    model, people = rng.choice(OPTIONS, (2, 2000))
    first, second = ([[v, v] for v in side] for side in (model, people))
    together = grouped("x", [a + b for a, b in zip(first, second, strict=True)])
    assert krippendorff_alpha(together, draws=0).value > 0.3
    result = alpha_between(grouped("m", first), grouped("p", second))
    assert result.low < 0 < result.high
    assert result.value == pytest.approx(0, abs=0.05)
    assert (result.items, result.votes) == (2000, 8000)


def test_the_groups_may_change_places_and_items_of_one_group_do_not_count():
    first = votes((1, "m", "a"), (2, "m", "b"), (3, "m", "b"), (9, "m", "a"))
    second = votes((1, "p", "a"), (2, "p", "n"), (3, "p", "b"), (7, "p", "n"))
    here, there = alpha_between(first, second), alpha_between(second, first)
    assert here == there
    assert here.items == 3


@pytest.mark.parametrize(
    ("second", "code"),
    [
        (votes((2, "p", "a")), "nothing_pairable"),
        (votes((1, "p", "a")), "one_value_only"),
        (votes((1, "p", "b"), options=("a", "b")), "different_options"),
    ],
)
def test_what_cannot_be_computed_is_said(second, code):
    with cannot_compute(code):
        alpha_between(votes((1, "m", "a")), second)
