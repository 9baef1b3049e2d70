"""Krippendorff's alpha against its package, the published corpus, and its own laws."""

import time
from functools import partial
from itertools import combinations

import krippendorff
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from analysis.stats.agreement.alpha import (
    NothingPairable,
    OneValueOnly,
    alpha_from_counts,
    krippendorff_alpha,
    percent_agreement,
)
from analysis.stats.errors import CannotCompute
from analysis.stats.resampling import item_draws, worker_draws
from analysis.stats.votes import Votes
from tests.analysis.coded_errors import assert_different_reasons, bad_setting, cannot_compute
from tests.analysis.stats.conftest import DIMENSIONS, crowd, votes_of

LEVELS = ("nominal", "ordinal", "interval", "ratio")
OPTIONS = ("A", "N", "B")


def votes_from_counts(counts, options=None):
    """Votes of as many workers as there are votes on an item, each answering every item once."""
    item, value = (
        np.repeat(axis, counts.ravel()) for axis in np.indices(counts.shape).reshape(2, -1)
    )
    worker = np.concatenate([np.arange(m) for m in counts.sum(axis=1)]).astype(int)
    options = tuple(range(counts.shape[1])) if options is None else options
    return Votes.from_indices(item, worker, value, options=options, items=range(len(counts)))


count_matrices = arrays(
    np.int64,
    st.tuples(st.integers(2, 12), st.integers(2, 5)),
    elements=st.integers(0, 4),
)


def assume_defined(counts):
    pairable = counts[counts.sum(axis=1) >= 2]
    assume(pairable.any(axis=0).sum() >= 2)


# --- against others ---------------------------------------------------------------------------


@pytest.mark.parametrize("level", LEVELS)
@given(counts=count_matrices)
@settings(deadline=None, max_examples=40)
def test_it_is_that_of_the_krippendorff_package_and_what_is_drawn_equals_it(level, counts):
    assume_defined(counts)
    numbers = np.array([0.5, 2, 3, 7, 11])[: counts.shape[1]]
    oracle = krippendorff.alpha(
        value_counts=counts, value_domain=numbers, level_of_measurement=level
    )
    votes = votes_from_counts(counts, options=tuple(numbers))
    assert krippendorff_alpha(votes, level=level, draws=0).value == oracle
    assert alpha_from_counts(counts, level=level, values=numbers) == pytest.approx(
        oracle, abs=1e-10
    )


@pytest.mark.parametrize(
    ("level", "expected"),
    [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)],
)
def test_it_meets_krippendorffs_own_example(level, expected):
    # Krippendorff, Computing Krippendorff's Alpha-Reliability (2011), section C: 4 observers,
    # 12 units, missing data.
    rows = ["123321412...", "1233224125.3", ".3332342251.", "12332441251."]
    cells = [
        (unit, who, int(v))
        for who, row in enumerate(rows)
        for unit, v in enumerate(row)
        if v != "."
    ]
    item, worker, value = np.array(cells).T
    votes = Votes.from_indices(item, worker, value - 1, options=(1, 2, 3, 4, 5))
    result = krippendorff_alpha(votes, level=level, draws=0)
    assert result.value == pytest.approx(expected, abs=5e-4)
    assert (result.items, result.votes) == (11, 40)


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("dimension", "expected"),
    list(zip(DIMENSIONS, (0.192, 0.180, 0.112, 0.284, 0.276, 0.145, 0.169), strict=True)),
)
def test_it_meets_the_published_alphas(five_votes, dimension, expected):
    # Gienapp et al. 2025, Table 4, column C: 1,352 pairs, ordinal with A < N < B.
    result = krippendorff_alpha(votes_of(five_votes, dimension, OPTIONS))
    assert result.value == pytest.approx(expected, abs=0.002)
    assert result.low < result.value < result.high
    assert (result.items, result.votes) == (1352, 6760)


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("dimension", "right_first", "left_first", "both"),
    [
        ("correctness_topical", 0.180, 0.194, 0.171),
        ("coherence_logical", 0.179, 0.188, 0.180),
        ("coherence_stylistic", 0.080, 0.142, 0.105),
        ("coverage_broad", 0.267, 0.277, 0.261),
        ("coverage_deep", 0.270, 0.266, 0.265),
        ("consistency_internal", 0.127, 0.154, 0.141),
        ("quality_overall", 0.159, 0.171, 0.151),
    ],
)
def test_it_meets_the_published_order_effects(five_votes, dimension, right_first, left_first, both):
    # Gienapp et al. 2025, Table 5: the 377 pairs judged in both directions. The paper rounds twice.
    sorted_ids = five_votes.response_a < five_votes.response_b
    pair = five_votes.response_a.where(sorted_ids, five_votes.response_b) + "/"
    pair += five_votes.response_b.where(sorted_ids, five_votes.response_a)
    frame = five_votes.assign(item=pair, shown=sorted_ids)
    frame = frame[frame.groupby("item").shown.transform("nunique") == 2]
    assert frame.item.nunique() == 377
    mirrored = frame[dimension].map({"A": "B", "N": "N", "B": "A"})
    canonical = frame.assign(**{dimension: frame[dimension].where(frame.shown, mirrored)})
    for part, expected in [
        (frame[~frame.shown], right_first),
        (frame[frame.shown], left_first),
        (canonical, both),
    ]:
        value = krippendorff_alpha(votes_of(part, dimension, OPTIONS), draws=0).value
        assert value == pytest.approx(expected, abs=0.003)


# --- laws -------------------------------------------------------------------------------------


@given(counts=count_matrices, seed=st.integers(0, 99))
@settings(deadline=None, max_examples=20)
def test_the_order_of_the_rows_does_not_matter(counts, seed):
    assume_defined(counts)
    votes = votes_from_counts(counts)
    order = np.random.default_rng(seed).permutation(len(votes))
    shuffled = Votes.from_indices(
        votes.item[order],
        votes.worker[order],
        votes.value[order],
        options=votes.options,
        items=votes.items,
    )
    for resample in ("items", "workers"):
        one = krippendorff_alpha(votes, draws=20, resample=resample)
        other = krippendorff_alpha(shuffled, draws=20, resample=resample)
        assert repr(one) == repr(other)


@given(counts=count_matrices)
@settings(deadline=None, max_examples=20)
def test_a_scale_read_backwards_gives_the_same_alpha(counts):
    assume_defined(counts)
    for level in ("nominal", "ordinal", "interval"):
        forth = alpha_from_counts(counts, level=level)
        back = alpha_from_counts(counts[:, ::-1], level=level)
        assert forth == pytest.approx(back, abs=1e-12)


@given(counts=count_matrices)
@settings(deadline=None, max_examples=20)
def test_names_do_not_matter_to_nominal_alpha(counts):
    assume_defined(counts)
    renamed = np.roll(counts, 1, axis=1)
    value = alpha_from_counts(counts, level="nominal")
    assert alpha_from_counts(renamed, level="nominal") == pytest.approx(value, abs=1e-12)


@given(counts=count_matrices)
@settings(deadline=None, max_examples=20)
def test_items_with_one_vote_do_not_count(counts):
    assume_defined(counts)
    lonely = np.vstack([counts, np.eye(counts.shape[1], dtype=int)])
    one = krippendorff_alpha(votes_from_counts(counts), draws=0)
    other = krippendorff_alpha(votes_from_counts(lonely), draws=0)
    assert (one.value, one.items, one.votes) == (other.value, other.items, other.votes)


@pytest.mark.parametrize("level", LEVELS)
def test_perfect_agreement_has_alpha_one(level):
    counts = np.array([[4, 0, 0], [0, 3, 0], [0, 0, 2], [2, 0, 0]])
    result = krippendorff_alpha(votes_from_counts(counts), level=level, draws=200)
    assert (result.value, result.low, result.high) == (1, 1, 1)


def test_interval_alpha_does_not_mind_the_unit():
    counts = np.array([[2, 1, 0], [0, 2, 1], [1, 0, 2], [3, 0, 0]])
    celsius = krippendorff_alpha(votes_from_counts(counts, (-3, 0, 5)), level="interval", draws=0)
    fahrenheit = krippendorff_alpha(
        votes_from_counts(counts, (26.6, 32.0, 41.0)), level="interval", draws=0
    )
    assert celsius.value == pytest.approx(fahrenheit.value, abs=1e-12)


@given(counts=count_matrices)
@settings(deadline=None, max_examples=20)
def test_percent_agreement_is_the_share_of_agreeing_pairs(counts):
    pairable = counts[counts.sum(axis=1) >= 2]
    assume(len(pairable))
    shares = []
    for row in pairable:
        values = np.repeat(np.arange(len(row)), row)
        shares.append(np.mean([a == b for a, b in combinations(values, 2)]))
    expected = np.average(shares, weights=pairable.sum(axis=1))
    assert percent_agreement(votes_from_counts(counts), draws=0).value == pytest.approx(expected)


# --- intervals --------------------------------------------------------------------------------


class Everybody:
    """A random generator that draws each item and each worker exactly once."""

    def multinomial(self, n, probabilities, size):
        return np.tile(np.round(n * np.asarray(probabilities)), (size, 1)).astype(int)


@given(counts=count_matrices)
@settings(deadline=None, max_examples=20)
def test_a_draw_of_everybody_once_gives_alpha_itself(counts):
    assume_defined(counts)
    votes = votes_from_counts(counts)

    def trace(o):
        return np.trace(o, axis1=1, axis2=2) / o.sum(axis=(1, 2))

    expected = percent_agreement(votes, draws=0).value
    assert item_draws(counts, trace, 1, Everybody())[0] == pytest.approx(expected)
    assert worker_draws(votes, trace, 1, Everybody())[0] == pytest.approx(expected)


def test_item_draws_vary_as_items_drawn_one_by_one_do():
    votes, _, _ = crowd(items=80)
    counts = votes.counts()
    rng = np.random.default_rng(7)
    plain = [
        krippendorff.alpha(
            value_counts=counts[rng.integers(0, 80, 80)], level_of_measurement="ordinal"
        )
        for _ in range(2000)
    ]
    result = krippendorff_alpha(votes, draws=4000, seed=3)
    assert (result.low, result.high) == pytest.approx(np.quantile(plain, [0.025, 0.975]), abs=0.02)


def test_a_worker_drawn_twice_does_not_agree_with_himself():
    # pure noise: with the copies paired, alpha would lie near .2
    rng = np.random.default_rng(5)
    worker = np.concatenate([rng.permutation(60)[:5] for _ in range(400)])
    votes = Votes.from_indices(
        np.repeat(np.arange(400), 5), worker, rng.integers(0, 3, 2000), options=OPTIONS
    )
    result = krippendorff_alpha(votes, draws=300, resample="workers")
    assert result.low < 0.0 < result.high < 0.1


def test_the_same_seed_gives_the_same_interval_and_another_another():
    votes, _, _ = crowd()
    first, again = (krippendorff_alpha(votes, draws=100, seed=4) for _ in range(2))
    assert first == again
    assert krippendorff_alpha(votes, draws=100, seed=5) != first


def test_a_result_repeats_what_was_asked():
    votes, _, _ = crowd()
    result = krippendorff_alpha(
        votes, level="nominal", draws=50, confidence=0.8, seed=9, resample="workers"
    )
    asked = (result.level, result.draws, result.confidence, result.seed, result.resample)
    assert asked == ("nominal", 50, 0.8, 9, "workers")


def test_it_counts_the_draws_without_a_value():
    # one item of three varies: it is absent from (2/3)^3 of the draws
    counts = np.array([[2, 0], [2, 0], [1, 1]])
    result = krippendorff_alpha(votes_from_counts(counts), draws=2000)
    assert result.undefined_draws / 2000 == pytest.approx(8 / 27, abs=0.05)


def test_without_draws_there_is_no_interval():
    votes, _, _ = crowd()
    result = krippendorff_alpha(votes, draws=0)
    assert np.isnan([result.low, result.high]).all()


def test_a_thousand_item_draws_take_milliseconds():
    votes, _, _ = crowd(items=1352, workers=300)
    best = np.inf
    for _ in range(3):
        start = time.process_time()
        krippendorff_alpha(votes, draws=1000)
        best = min(best, time.process_time() - start)
    # 4 ms is usual; one call of the package for each draw takes 200
    assert best < 0.1


# --- refusals ---------------------------------------------------------------------------------


def test_it_says_that_no_item_has_two_votes():
    votes = votes_from_counts(np.eye(3, dtype=int))
    with pytest.raises(NothingPairable):
        krippendorff_alpha(votes)
    with pytest.raises(NothingPairable):
        percent_agreement(votes)


def test_it_says_that_all_votes_are_alike():
    with pytest.raises(OneValueOnly, match="'A'"):
        krippendorff_alpha(votes_from_counts(np.array([[2, 0], [3, 0], [0, 1]]), ("A", "B")))


UNMEASURABLE = [("interval", ("A", "B")), ("interval", (1, np.inf)), ("ratio", (-1, 1))]


def alpha_of(level, options):
    return krippendorff_alpha(votes_from_counts(np.array([[2, 1], [1, 2]]), options), level=level)


@pytest.mark.parametrize(("level", "options"), UNMEASURABLE)
def test_it_refuses_options_that_cannot_be_measured(level, options):
    with cannot_compute("options_not_numeric"):
        alpha_of(level, options)


def test_each_fault_of_options_is_told_by_itself():
    assert_different_reasons(CannotCompute, *(partial(alpha_of, *case) for case in UNMEASURABLE))


@pytest.mark.parametrize(
    "setting",
    [{"draws": -1}, {"confidence": 1.0}, {"level": "cardinal"}, {"resample": "topics"}],
    ids=lambda setting: next(iter(setting)),
)
def test_it_refuses_a_bad_setting(setting):
    votes, _, _ = crowd()
    with bad_setting(next(iter(setting))):
        krippendorff_alpha(votes, **setting)
