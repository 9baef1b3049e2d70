"""Dawid and Skene's model against its paper, a plain loop, and invented crowds."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.stats.labels.dawid_skene import dawid_skene
from analysis.stats.labels.majority import majority_vote
from analysis.stats.votes import Votes
from tests.analysis.coded_errors import bad_setting, cannot_compute
from tests.analysis.stats.conftest import crowd, votes_of

# Dawid and Skene (1979), Table 1: 45 patients, for each the three votes of observer 1 and one of
# observers 2 to 5.
PATIENTS = (
    "1111111 3334334 1122122 2223121 2223222 2223322 1222111 3333433 2222223 2322223 4444444 "
    "2223343 1111111 2223212 1211111 1112111 1111111 1111111 2222221 2221322 2222222 2222221 "
    "2223222 2212222 1111111 1111111 2322222 1111111 1111111 1121121 1111111 3333233 1111111 "
    "2222222 2223232 4334343 2212232 2323233 3333432 1111111 1111111 1212111 2322222 1211111 "
    "2222222"
)


@pytest.fixture
def anaesthetists():
    rows = [
        (patient, max(place - 1, 1), int(digit) - 1)
        for patient, digits in enumerate(PATIENTS.split(), start=1)
        for place, digit in enumerate(digits)
    ]
    item, worker, value = np.array(rows).T
    return Votes.from_indices(
        item - 1,
        worker - 1,
        value,
        options=(1, 2, 3, 4),
        items=range(1, 46),
        workers=range(1, 6),
    )


def plain_dawid_skene(votes, iterations, smoothing):
    """Posterior, confusion matrices and objective after so many iterations, vote by vote."""
    N, W, V = len(votes.items), len(votes.workers), len(votes.options)
    triples = list(zip(votes.item, votes.worker, votes.value, strict=True))
    posterior = np.zeros((N, V))
    for i, _, v in triples:
        posterior[i, v] += 1
    posterior /= posterior.sum(axis=1, keepdims=True)
    for _ in range(iterations + 1):
        p = posterior.mean(axis=0)
        pi = np.full((W, V, V), float(smoothing))
        for i, w, v in triples:
            pi[w, :, v] += posterior[i]
        pi /= np.maximum(pi.sum(axis=2, keepdims=True), 1e-300)
        joint = np.tile(p, (N, 1))
        for i, w, v in triples:
            joint[i] *= pi[w, :, v]
        posterior = joint / joint.sum(axis=1, keepdims=True)
        prior = smoothing * np.log(pi).sum() if smoothing else 0.0
        objective = np.log(joint.sum(axis=1)).sum() + prior
    return posterior, pi, objective


def test_it_meets_the_papers_own_example(anaesthetists):
    result = dawid_skene(anaesthetists, smoothing=0)
    assert result.converged
    # section 5 of the paper: how many patients belong to which class
    assert result.marginals == pytest.approx([0.40, 0.42, 0.11, 0.07], abs=0.005)
    assert result.gold[[0, 1, 10, 35]].tolist() == [0, 3, 3, 3]
    assert (result.posterior.max(axis=1) > 0.9).sum() >= 41


@pytest.mark.parametrize("smoothing", [0, 0.5, 1])
@pytest.mark.parametrize("iterations", [1, 2, 30])
def test_it_equals_the_plain_loop(anaesthetists, smoothing, iterations):
    for votes in (anaesthetists, crowd(items=40)[0]):
        posterior, _, objective = plain_dawid_skene(votes, iterations, smoothing)
        result = dawid_skene(votes, smoothing=smoothing, tolerance=0, max_iterations=iterations)
        # tolerance 0 stops only where the objective stands still to the last digit
        assert result.iterations <= iterations
        assert np.allclose(result.posterior, posterior, rtol=0, atol=1e-9)
        assert result.trace[-1] == pytest.approx(objective, abs=1e-6)
        following = plain_dawid_skene(votes, iterations + 1, smoothing)[1]
        for w, worker in enumerate(votes.workers):
            rows = ~np.isnan(result.confusion(worker)).any(axis=1)
            assert rows.any()
            assert np.allclose(result.confusion(worker)[rows], following[w][rows], atol=1e-9)


@given(st.integers(0, 2**32 - 1), st.sampled_from((0.0, 0.01, 1.0)), st.integers(2, 4))
@settings(deadline=None, max_examples=25)
def test_what_it_maximises_never_falls(seed, smoothing, options):
    rng = np.random.default_rng(seed)
    votes = Votes.from_indices(
        rng.integers(0, 12, 40), rng.integers(0, 6, 40), rng.integers(0, options, 40),
        options=range(options), items=range(12),
    )  # fmt: skip
    result = dawid_skene(votes, smoothing=smoothing, max_iterations=60)
    assert (np.diff(result.trace) >= -1e-9).all()
    assert np.allclose(result.posterior.sum(axis=1), 1)
    if not smoothing:
        assert result.trace[-1] == result.log_likelihood


@pytest.mark.parametrize("options", [2, 3, 5])
def test_it_finds_out_who_knows_and_what_is_true(options):
    votes, truth, knows = crowd(items=600, workers=40, options=options)
    result = dawid_skene(votes)
    assert result.converged
    right = (result.gold == truth).mean()
    assert right > (majority_vote(votes).gold == truth).mean()
    expected = knows + (1 - knows) / options
    assert np.corrcoef(result.accuracy, expected)[0, 1] > 0.9


def test_it_sees_through_a_worker_who_swaps_two_options():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 3, 200)
    value = np.column_stack([truth, truth, np.array([1, 0, 2])[truth]])
    votes = Votes.from_indices(
        np.repeat(np.arange(200), 3), np.tile(np.arange(3), 200), value.ravel(), options="ANB"
    )
    result = dawid_skene(votes, smoothing=0.01)
    assert (result.gold == truth).all()
    assert result.confusion(2).round(2).tolist() == [[0, 1, 0], [1, 0, 0], [0, 0, 1]]
    assert result.accuracy[2] == pytest.approx((truth == 2).mean(), abs=0.01)


@given(st.integers(0, 2**32 - 1))
@settings(deadline=None, max_examples=15)
def test_the_order_of_the_votes_does_not_matter(seed):
    votes, _, _ = crowd(items=30)
    order = np.random.default_rng(seed).permutation(len(votes))
    shuffled = Votes.from_indices(
        votes.item[order], votes.worker[order], votes.value[order], options=votes.options
    )
    assert np.array_equal(dawid_skene(votes).posterior, dawid_skene(shuffled).posterior)


def test_ties_go_to_the_first_option_and_are_marked():
    item, worker = np.repeat(np.arange(4), 2), np.tile([0, 1], 4)
    value = np.array([0, 1, 1, 0, 0, 1, 1, 0])
    result = dawid_skene(Votes.from_indices(item, worker, value, options=("A", "B")))
    assert result.tied.all()
    assert (result.gold == 0).all()
    assert result.entropy == pytest.approx(np.full(4, np.log(2)))


def test_items_and_workers_without_votes_stay_open():
    votes = Votes.from_indices(
        np.array([0, 0, 2]), np.array([0, 1, 1]), np.array([1, 1, 0]),
        options=("A", "B"), items=["x", "y", "z"], workers=range(3),
    )  # fmt: skip
    result = dawid_skene(votes)
    assert result.gold[:2].tolist() == [1, -1]
    assert not result.tied.any()
    assert result.posterior[1] == pytest.approx(result.marginals)
    assert np.isnan(result.accuracy[2])
    assert np.isnan(dawid_skene(votes, smoothing=0).confusion(2)).all()
    assert result.confusion(2).tolist() == [[0.5, 0.5], [0.5, 0.5]]


@pytest.mark.parametrize(
    ("items", "value", "options"),
    [
        ([0, 0, 0], [1, 1, 1], "AB"),
        ([0, 1, 2], [0, 1, 1], "AB"),
        ([0, 0, 1], [5, 99, 7], range(100)),
    ],
    ids=["one item, all alike", "one worker", "a hundred options"],
)
@pytest.mark.parametrize("smoothing", [0, 1])
def test_little_input_gives_sober_output(items, value, options, smoothing):
    worker = np.arange(3) if items[0] == items[1] else np.zeros(3, int)
    votes = Votes.from_indices(np.array(items), worker, np.array(value), options=options)
    result = dawid_skene(votes, smoothing=smoothing)
    assert result.converged
    assert np.isfinite(result.posterior).all()
    assert np.allclose(result.posterior.sum(axis=1), 1)


@pytest.mark.corpus
def test_it_agrees_with_the_published_gold_labels_more_than_the_majority_does(raw_votes, ratings):
    # Gienapp et al. 2025 take MACE, another model of the same votes
    votes = votes_of(raw_votes, "quality_overall", ("A", "B"))
    gold = ratings.set_index("item").quality_overall_gold.str.upper().map(votes.options.index)
    gold = gold.reindex(list(votes.items)).to_numpy()
    share = (dawid_skene(votes).gold == gold).mean()
    assert share > (majority_vote(votes).gold == gold).mean()
    assert share > 0.85


@pytest.mark.corpus
def test_with_few_votes_a_worker_smoothing_lets_an_option_die_out(raw_votes):
    votes = votes_of(raw_votes, "coverage_broad", ("A", "N", "B"))
    assert dawid_skene(votes).marginals.min() > 0.25
    assert dawid_skene(votes, smoothing=1).marginals.min() < 0.01


def test_it_refuses_what_it_cannot_learn_from():
    none = np.array([], dtype=int)
    with cannot_compute("no_votes"):
        dawid_skene(Votes.from_indices(none, none, none, options="AB"))
    votes, _, _ = crowd(options=1)
    with cannot_compute("too_few_options"):
        dawid_skene(votes)
    votes, _, _ = crowd()
    with pytest.raises(KeyError):
        dawid_skene(votes).confusion("nobody")


@pytest.mark.parametrize(
    "setting",
    [{"smoothing": -1}, {"smoothing": float("nan")}, {"tolerance": -1}, {"max_iterations": 0}],
    ids=str,
)
def test_it_refuses_a_bad_setting(setting):
    votes, _, _ = crowd()
    with bad_setting(next(iter(setting))):
        dawid_skene(votes, **setting)
