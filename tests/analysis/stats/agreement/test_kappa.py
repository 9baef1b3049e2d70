"""Cohen's, Fleiss' and Gwet's coefficients against textbooks and plain loops."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from analysis.stats.agreement.alpha import NothingPairable, OneValueOnly
from analysis.stats.agreement.fleiss import fleiss_kappa, gwet_ac1
from analysis.stats.agreement.kappa import cohen_kappa
from analysis.stats.votes import Votes
from tests.analysis.coded_errors import bad_setting, cannot_compute
from tests.analysis.stats.agreement.test_agreement import votes_from_counts
from tests.analysis.stats.conftest import crowd


def two_workers(table):
    """Votes of two workers from their table: row the option of the one, column of the other."""
    table = np.array(table)
    cells = np.repeat(np.arange(table.size), table.ravel())
    value = np.column_stack([cells // len(table), cells % len(table)])
    item = np.repeat(np.arange(len(cells)), 2)
    return Votes.from_indices(
        item, np.tile([0, 1], len(cells)), value.ravel(), options=range(len(table))
    )


def plain_cohen(votes, distance, minimum):
    """Mean kappa over pairs of workers, pair by pair and item by item."""
    given = {}
    for i, w, v in zip(votes.item, votes.worker, votes.value, strict=True):
        given.setdefault(int(w), {})[int(i)] = int(v)
    kappas = []
    for one, other in combinations(sorted(given), 2):
        shared = sorted(given[one].keys() & given[other].keys())
        if len(shared) < minimum:
            continue
        a, b = ([given[w][i] for i in shared] for w in (one, other))
        observed = np.mean([distance(x, y) for x, y in zip(a, b, strict=True)])
        expected = np.mean([distance(x, y) for x in a for y in b])
        if expected > 0:
            kappas.append(1 - observed / expected)
    return kappas


def plain_fleiss_and_ac1(votes):
    """Both coefficients, item by item."""
    by_item = {}
    for i, v in zip(votes.item, votes.value, strict=True):
        by_item.setdefault(int(i), []).append(int(v))
    V = len(votes.options)
    agreeing = [
        np.mean([a == b for a, b in combinations(given, 2)])
        for given in by_item.values()
        if len(given) > 1
    ]
    pi = np.mean([[g.count(v) / len(g) for v in range(V)] for g in by_item.values()], axis=0)
    p = np.mean(agreeing)
    chance = sum(pi**2), sum(pi * (1 - pi)) / (V - 1)
    return tuple((p - c) / (1 - c) if c < 1 - 1e-9 else np.nan for c in chance)


def some_votes(seed, items=12, workers=5, options=3):
    rng = np.random.default_rng(seed)
    cells = np.argwhere(rng.random((items, workers)) < 0.7)
    value = rng.choice(options, len(cells), p=rng.dirichlet(np.ones(options)))
    return Votes.from_indices(*cells.T, value, options=range(options), items=range(items))


# --- textbooks --------------------------------------------------------------------------------

ABSTRACTORS = [[13, 0, 0], [0, 20, 7], [0, 4, 56]]
COUPLES = [[7, 7, 2, 3], [2, 8, 3, 7], [1, 5, 4, 9], [2, 8, 9, 14]]


@pytest.mark.parametrize(
    ("table", "weights", "expected"),
    [
        # Gwet, Handbook of Inter-Rater Reliability (2014), abstractors; irrCAC's overview
        (ABSTRACTORS, "none", 0.7964094),
        # Agresti, Categorical Data Analysis (1990): 91 couples; the example of R's vcd::Kappa
        (COUPLES, "none", 0.1293),
        (COUPLES, "linear", 0.2374),
        # Dietz, A Workbench for Autograding (2024), Table 5: questions, nuggets
        ([[998, 2377], [668, 7343]], "none", 0.249),
        ([[1211, 4095], [455, 5625]], "none", 0.160),
    ],
)
def test_it_meets_published_values_of_cohens_kappa(table, weights, expected):
    result = cohen_kappa(two_workers(table), weights=weights, draws=0)
    assert result.value == pytest.approx(expected, abs=6e-4)
    assert (result.pairs, result.items) == (1, np.sum(table))


def test_it_meets_fleiss_own_example():
    # Fleiss (1971) as in the example of ten subjects and fourteen raters that many texts repeat
    rows = "0 0 0 0 14|0 2 6 4 2|0 0 3 5 6|0 3 9 2 0|2 2 8 1 1|7 7 0 0 0|3 2 6 3 0|2 5 3 2 2|"
    rows += "6 5 2 1 0|0 2 2 3 7"
    counts = np.array([[int(n) for n in row.split()] for row in rows.split("|")])
    result = fleiss_kappa(votes_from_counts(counts), draws=0)
    assert (result.value, result.observed, result.chance) == pytest.approx(
        (0.210, 0.378, 0.213), abs=5e-4
    )


def test_it_meets_gwets_example_with_missing_votes():
    # Gwet (2014): four raters, twelve units, one unit with a single vote; irrCAC, cac.raw4raters
    rows = ["123321412...", "1233224125.3", ".3332342251.", "12332441251."]
    cells = [
        (unit, who, int(v) - 1)
        for who, row in enumerate(rows)
        for unit, v in enumerate(row)
        if v != "."
    ]
    votes = Votes.from_indices(*np.array(cells).T, options=(1, 2, 3, 4, 5))
    fleiss, ac1 = fleiss_kappa(votes, draws=0), gwet_ac1(votes, draws=0)
    assert fleiss.value == pytest.approx(0.76117, abs=5e-6)
    assert ac1.value == pytest.approx(0.77544, abs=5e-6)
    assert fleiss.observed == pytest.approx(0.81818, abs=5e-6)
    assert (fleiss.items, fleiss.votes, fleiss.all_votes) == (11, 40, 41)


# --- plain loops ------------------------------------------------------------------------------

DISTANCES = {
    "none": lambda x, y: float(x != y),
    "linear": lambda x, y: abs(x - y),
    "quadratic": lambda x, y: (x - y) ** 2,
}


@given(st.integers(0, 2**32 - 1), st.sampled_from(sorted(DISTANCES)), st.integers(1, 5))
@settings(deadline=None, max_examples=25)
def test_cohens_kappa_equals_the_plain_loop(seed, weights, minimum):
    votes = some_votes(seed)
    expected = plain_cohen(votes, DISTANCES[weights], minimum)
    assume(expected)
    result = cohen_kappa(votes, weights=weights, minimum_shared=minimum, draws=0)
    assert result.value == pytest.approx(np.mean(expected), abs=1e-12)
    assert result.pairs == len(expected)


@given(st.integers(0, 2**32 - 1), st.integers(2, 5))
@settings(deadline=None, max_examples=25)
def test_fleiss_and_ac1_equal_the_plain_loop(seed, options):
    votes = some_votes(seed, options=options)
    fleiss, ac1 = plain_fleiss_and_ac1(votes)
    assume(not np.isnan(fleiss))
    assert fleiss_kappa(votes, draws=0).value == pytest.approx(fleiss, abs=1e-12)
    assert gwet_ac1(votes, draws=0).value == pytest.approx(ac1, abs=1e-12)


def test_with_two_options_weights_change_nothing():
    votes = two_workers([[20, 5], [10, 15]])
    values = {cohen_kappa(votes, weights=w, draws=0).value for w in DISTANCES}
    assert np.ptp(list(values)) < 1e-12
    assert min(values) == pytest.approx(0.4)


# --- intervals --------------------------------------------------------------------------------


class Everybody:
    """A random generator that draws each item and each worker exactly once."""

    def multinomial(self, n, probabilities, size):
        return np.tile(np.round(n * np.asarray(probabilities)), (size, 1)).astype(int)


@pytest.mark.parametrize("resample", ["items", "workers"])
@pytest.mark.parametrize("measure", [cohen_kappa, fleiss_kappa, gwet_ac1])
def test_a_draw_of_everybody_once_gives_the_value_itself(monkeypatch, measure, resample):
    votes = some_votes(3)
    kwargs = {"minimum_shared": 3} if measure is cohen_kappa else {}
    monkeypatch.setattr(np.random, "default_rng", lambda seed: Everybody())
    result = measure(votes, draws=2, resample=resample, **kwargs)
    assert (result.low, result.high) == pytest.approx((result.value, result.value), abs=1e-12)


@pytest.mark.parametrize("resample", ["items", "workers"])
@pytest.mark.parametrize("measure", [cohen_kappa, fleiss_kappa, gwet_ac1])
def test_the_interval_holds_the_value_and_the_result_what_was_asked(measure, resample):
    votes, _, _ = crowd(items=150, workers=8)
    asked = {"draws": 200, "confidence": 0.9, "seed": 3, "resample": resample}
    result = measure(votes, **asked)
    assert result.low < result.value < result.high
    assert {name: getattr(result, name) for name in asked} == asked
    assert result == measure(votes, **asked)


def test_item_draws_vary_as_items_drawn_one_by_one_do():
    votes = two_workers([[20, 5], [10, 15]])
    table = np.repeat([0, 1, 2, 3], [20, 5, 10, 15])
    rng = np.random.default_rng(1)
    plain = []
    for _ in range(1500):
        t = np.bincount(rng.choice(table, 50), minlength=4).reshape(2, 2) / 50
        chance = t.sum(axis=1) @ t.sum(axis=0)
        plain.append((np.trace(t) - chance) / (1 - chance))
    result = cohen_kappa(votes, draws=3000)
    assert (result.low, result.high) == pytest.approx(np.quantile(plain, [0.025, 0.975]), abs=0.03)


# --- refusals and odd input -------------------------------------------------------------------


def test_it_says_that_nobody_shares_enough():
    votes = two_workers([[4, 1], [0, 4]])
    with cannot_compute("too_few_shared_items", match="10"):
        cohen_kappa(votes)
    alone = votes_from_counts(np.eye(3, dtype=int))
    with cannot_compute("too_few_shared_items"):
        cohen_kappa(alone, minimum_shared=1)
    for measure in (fleiss_kappa, gwet_ac1):
        with pytest.raises(NothingPairable, match=r"Fleiss' kappa|Gwet's AC1"):
            measure(alone)


def test_without_variation_only_ac1_has_a_value():
    votes = two_workers([[12, 0], [0, 0]])
    with cannot_compute("no_variation"):
        cohen_kappa(votes)
    with pytest.raises(OneValueOnly, match="Fleiss' kappa"):
        fleiss_kappa(votes)
    assert gwet_ac1(votes, draws=10).value == 1
    with cannot_compute("too_few_options"):
        gwet_ac1(two_workers([[12]]))


def test_a_pair_without_variation_is_left_out_and_counted():
    rng = np.random.default_rng(0)
    value = np.column_stack([rng.integers(0, 2, 40), np.zeros(40, int), np.zeros(40, int)])
    votes = Votes.from_indices(
        np.repeat(np.arange(40), 3), np.tile(np.arange(3), 40), value.ravel(), options="AB"
    )
    result = cohen_kappa(votes, draws=0)
    assert (result.pairs, result.undefined_pairs) == (2, 1)


def test_it_refuses_a_worker_who_judged_an_item_twice():
    votes = Votes.from_indices(
        np.zeros(3, int), np.array([0, 0, 1]), np.array([0, 1, 1]), options="AB"
    )
    with cannot_compute("repeated_vote", match="0.*0"):
        cohen_kappa(votes, minimum_shared=1)


def test_two_workers_are_too_few_to_draw_workers():
    with cannot_compute("too_few_workers"):
        cohen_kappa(two_workers([[20, 5], [10, 15]]), resample="workers")


def test_a_hundred_options_take_no_hundred_squared_tables():
    rng = np.random.default_rng(2)
    votes = Votes.from_indices(
        np.repeat(np.arange(40), 6),
        np.tile(np.arange(6), 40),
        rng.integers(0, 60, 240),
        options=range(100),
    )
    for measure in (cohen_kappa, fleiss_kappa, gwet_ac1):
        result = measure(votes, draws=50)
        assert -0.1 < result.low <= result.high < 0.1


@pytest.mark.parametrize(
    "setting",
    [{"weights": "cubic"}, {"minimum_shared": 0}, {"draws": -1}, {"confidence": 0.0}],
    ids=lambda setting: next(iter(setting)),
)
def test_it_refuses_a_bad_setting(setting):
    with bad_setting(next(iter(setting))):
        cohen_kappa(two_workers([[20, 5], [10, 15]]), **setting)
