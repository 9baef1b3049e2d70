"""The next vote goes where it helps, and the rule that stops keeps its word."""

import numpy as np
import pytest
import scipy

from analysis.stats.bradley_terry.mixed_newton import Components
from analysis.stats.bradley_terry.next_votes import pair_posterior, seen_by_votes
from analysis.stats.errors import BadSetting
from benchmarks.allocation import finished, next_pairs

NO_TIES = 1e-6


def votes(wins):
    """Wins (n, n) for each problem, as one array with the problems last."""
    return np.stack([np.array(win) for win in wins], axis=2)


def test_the_posterior_is_that_of_a_general_optimiser():
    wins = votes([[[0, 3, 1], [1, 0, 2], [0, 2, 0]]])
    t, sd = 0.4, 0.8

    def height(m):
        d = m[:, None] - m
        return -(wins[:, :, 0] * scipy.special.log_expit(d - t)).sum() + (m**2).sum() / 2 / sd**2

    posterior = pair_posterior(wins, sd=sd, tie_parameter=t)
    best = scipy.optimize.minimize(height, np.zeros(3), tol=1e-10)
    assert posterior.merits[:, 0] == pytest.approx(best.x, abs=1e-4)
    at, h = posterior.merits[:, 0], 1e-3
    steps = h * np.eye(3)
    H = [
        [(height(at + x + y) - height(at + x) - height(at + y) + height(at)) / h**2 for x in steps]
        for y in steps
    ]
    assert posterior.covariance[0] == pytest.approx(np.linalg.inv(H), abs=0.002)


def test_without_votes_all_pairs_are_alike_and_half_wrong():
    posterior = pair_posterior(np.zeros((4, 4, 2), dtype=int), sd=1.0, tie_parameter=NO_TIES)
    assert posterior.wrong == pytest.approx(np.full((6, 2), 0.5))
    assert posterior.gain == pytest.approx(np.full((6, 2), posterior.gain[0, 0]))
    assert posterior.expected_error == pytest.approx([0.5, 0.5])


def test_the_gain_is_what_one_more_vote_brings():
    """The mean over the two outcomes of a further vote, each fitted anew."""
    wins = votes([[[0, 4, 6], [2, 0, 5], [1, 2, 0]]])
    before = pair_posterior(wins, sd=1.0, tie_parameter=NO_TIES, ahead=1)
    for q, (i, j) in enumerate(zip(before.first, before.second, strict=True)):
        d = before.merits[i, 0] - before.merits[j, 0]
        C = before.covariance[0]
        v = C[i, i] + C[j, j] - 2 * C[i, j]
        p = 1 / (1 + np.exp(-d / np.sqrt(1 + v / 2.9)))
        after = []
        for first, second in ((i, j), (j, i)):
            more = wins.copy()
            more[first, second] += 1
            after.append(pair_posterior(more, sd=1.0, tie_parameter=NO_TIES).wrong.sum())
        brought = before.wrong.sum() - (p * after[0] + (1 - p) * after[1])
        assert before.gain[q, 0] == pytest.approx(brought, abs=0.015)


def test_the_next_vote_goes_to_the_pair_that_is_open():
    # the first two are alike so far, the third is far behind
    wins = votes([[[0, 3, 9], [3, 0, 9], [0, 0, 0]]])
    posterior = pair_posterior(wins, sd=1.5, tie_parameter=NO_TIES)
    problems, pairs = next_pairs(posterior, 1)
    assert problems.tolist() == [0]
    assert (posterior.first[pairs[0]], posterior.second[pairs[0]]) == (0, 1)


def test_the_names_of_responses_do_not_matter():
    wins = np.random.default_rng(1).integers(0, 5, (4, 4, 3))
    wins[range(4), range(4)] = 0
    order = [2, 0, 3, 1]
    first = pair_posterior(wins, sd=1.0, tie_parameter=0.5)
    second = pair_posterior(wins[np.ix_(order, order)], sd=1.0, tie_parameter=0.5)
    assert second.merits == pytest.approx(first.merits[order])
    assert np.sort(second.gain, axis=0) == pytest.approx(np.sort(first.gain, axis=0))


def test_votes_of_a_round_go_to_different_problems_and_none_to_finished_ones():
    wins = votes([np.zeros((3, 3)), [[0, 5, 5], [0, 0, 5], [0, 0, 0]]]).astype(int)
    posterior = pair_posterior(wins, sd=1.0, tie_parameter=NO_TIES)
    assert finished(posterior, 0.1).tolist() == [False, True]
    assert next_pairs(posterior, 5)[0].tolist() == [0, 1]
    assert next_pairs(posterior, 5, error=0.1)[0].tolist() == [0]


@pytest.mark.parametrize("error", [0.1, 0.2])
def test_the_rule_that_stops_keeps_its_error(error):
    """400 problems of four, a vote at a time to the open ones, looked at after every vote."""
    rng, sd, n, P = np.random.default_rng(4), 1.2, 4, 400
    merits = sd * rng.normal(size=(n, P))
    wins = np.zeros((n, n, P), dtype=int)
    for _ in range(150):
        posterior = pair_posterior(wins, sd=sd, tie_parameter=NO_TIES)
        problems, pairs = next_pairs(posterior, P, error=error)
        if not len(problems):
            break
        i, j = posterior.first[pairs], posterior.second[pairs]
        won = rng.random(len(i)) < 1 / (1 + np.exp(merits[j, problems] - merits[i, problems]))
        wins[np.where(won, i, j), np.where(won, j, i), problems] += 1
    done = finished(posterior, error)
    assert done.mean() > 0.85
    gap = posterior.merits[posterior.first] - posterior.merits[posterior.second]
    wrong = np.sign(gap) != np.sign(merits[posterior.first] - merits[posterior.second])
    assert wrong[:, done].mean() <= error + 0.015
    assert wrong[:, done].mean() == pytest.approx(posterior.wrong[:, done].mean(), abs=0.025)


def test_workers_who_lean_blur_merits():
    sharp = Components(response=0.6, system_topic=0.3, lean=0, habit=0, discrimination=0)
    assert seen_by_votes(sharp, 1.0) == pytest.approx((np.sqrt(0.45), 1.0))
    blurred = seen_by_votes(
        Components(response=0.6, system_topic=0.3, lean=0.5, habit=0.5, discrimination=0), 1.0
    )
    assert blurred[0] < np.sqrt(0.45)
    assert blurred[1] < 1


def test_it_refuses_settings_without_meaning():
    wins = np.zeros((3, 3, 1), dtype=int)
    for wrong in ({"sd": 0}, {"tie_parameter": 0}, {"ahead": 0}):
        with pytest.raises(BadSetting):
            pair_posterior(wins, **({"sd": 1.0, "tie_parameter": 1.0} | wrong))
    with pytest.raises(BadSetting):
        pair_posterior(wins[0], sd=1.0, tie_parameter=1.0)
    posterior = pair_posterior(wins, sd=1.0, tie_parameter=1.0)
    with pytest.raises(BadSetting):
        next_pairs(posterior, 0)
    with pytest.raises(BadSetting):
        finished(posterior, 0.5)
