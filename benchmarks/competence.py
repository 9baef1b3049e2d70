"""MACE beside crowd-kit and a plain loop: `python -m benchmarks.competence`.

All do the same work, 100 iterations of each of 20 starts on each of the seven questions. The peers
do a part of it, which is scaled up: every start and iteration costs them the same. Two of their
habits are taken into account. crowd-kit's rows of strategies are sorted but read in order of first
appearance, so it gets its votes sorted; and it draws all its restarts from one seed.
"""

from typing import Any

import numpy as np
import pandas as pd

from analysis.stats.arrays import Floats
from analysis.stats.labels.mace import mace
from analysis.stats.labels.mace_em import MaceParameters, Priors, VoteMatrix
from analysis.stats.votes import Votes
from benchmarks import crowd_votes
from benchmarks.measuring import best
from benchmarks.reporting import Row, load_now, report
from tests.analysis.stats.plain_mace import plain_mace

STARTS, ITERATIONS, SEED = 20, 100, 1


def main() -> None:
    load = load_now()
    questions = crowd_votes.questions()
    rows = [one_start(questions), *beside_crowd_kit(questions), *beside_plain_loop(questions)]
    report("competence", rows, load=load, notes=(crowd_votes.where_from(),))


def one_start(questions: dict[str, Votes]) -> Row:
    """Time the default: one deterministic start until convergence, on the slowest question."""
    measured = [best(lambda v=votes: mace(v)) for votes in questions.values()]
    measured.sort(key=lambda each: each[0])
    seconds, result = measured[-1]
    middle, usual = measured[len(measured) // 2]
    return Row(
        what="MACE, one start until converged",
        n=f"{len(result.votes):,} votes, the slowest question",
        ours=seconds,
        most=0.4,
        remark=f"{result.iterations:,} iterations; the median question took {middle * 1000:.0f} ms "
        f"and {usual.iterations:,}",
    )


def all_starts(questions: dict[str, Votes], priors: Priors) -> tuple[float, list[float]]:
    """Seconds of the whole work, and the best log-likelihood of each question."""

    def work() -> list[float]:
        return [
            mace(
                votes,
                restarts=STARTS - 1,  # and the deterministic one
                seed=SEED,
                tolerance=0,
                max_iterations=ITERATIONS,
                priors=priors,
            ).log_likelihood
            for votes in questions.values()
        ]

    return best(work)


def likelihood(votes: Votes, theta: Floats, xi: Floats) -> float:
    """Of the votes, under theta (W, 2) spam and know and xi (W, K)."""
    parameters = MaceParameters(theta.T[:, :, None], xi.T[:, :, None])
    return float(VoteMatrix(votes).expectation(parameters).log_likelihood[0])


def from_same_start(votes: Votes, theta: Floats, xi: Floats, priors: Priors) -> float:
    """Where we come from a peer's start, with as many iterations."""
    start = MaceParameters(theta.T[:, :, None], xi.T[:, :, None])
    fit = VoteMatrix(votes).fit(start, priors, 0.0, ITERATIONS)
    return float(fit.log_likelihood[0])


def compared(ours: float, theirs: float, ours_best: float) -> str:
    return (
        f"log-likelihood from the peer's start {ours:,.2f} and {theirs:,.2f}; "
        f"our best of {STARTS} {ours_best:,.2f}"
    )


# -- crowd-kit ---------------------------------------------------------------------------------


def beside_crowd_kit(questions: dict[str, Votes]) -> list[Row]:
    """One restart of each question, times 20."""
    from crowdkit.aggregation import MACE  # of make bench alone

    seconds, likelihoods = all_starts(questions, Priors())
    frames = [sorted_for_crowd_kit(votes) for votes in questions.values()]
    MACE(n_restarts=1, n_iter=1).fit(frames[0][0])
    theirs, fitted = best(
        lambda: [MACE(n_restarts=1, n_iter=ITERATIONS).fit(frame) for frame, _, _ in frames],
        runs=2,
        warm=False,
    )
    same, peers = 0.0, 0.0
    for votes, (_, workers, values), model in zip(questions.values(), frames, fitted, strict=True):
        first = MACE()
        first._initialize(len(workers), len(values))
        same += from_same_start(votes, *_unsorted(first, workers, values), Priors())
        peers += likelihood(votes, *_unsorted(model, workers, values))
    row = Row(
        what="MACE, all starts, against crowd-kit 1.4.2",
        n=f"7 questions x {STARTS} starts x {ITERATIONS} iterations",
        ours=seconds,
        most=3,
        peer=theirs * STARTS,
        peer_name="crowd-kit",
        least_ratio=100,
        remark=f"peer: 1 of {STARTS} starts, scaled; " + compared(same, peers, sum(likelihoods)),
    )
    return [row]


def sorted_for_crowd_kit(votes: Votes) -> tuple[pd.DataFrame, np.ndarray, np.ndarray]:
    """Return the votes such that workers and options first appear in sorted order.

    Returns the frame, and the order of our workers and options in it.
    """
    K = len(votes.options)
    offered = np.bincount(votes.worker * K + votes.value, minlength=len(votes.workers) * K)
    options_used = (offered.reshape(-1, K) > 0).sum(axis=1)
    workers = np.argsort(-options_used, kind="stable")  # first one who used every option
    number = np.argsort(workers)
    frame = pd.DataFrame(
        {"task": votes.item, "worker": number[votes.worker], "label": votes.value}
    ).sort_values(["worker", "label", "task"], ignore_index=True)
    for column in ("worker", "label"):
        if not frame[column].drop_duplicates().is_monotonic_increasing:
            raise SystemExit("crowd-kit would confuse its rows: nobody used every option")
    return frame, workers, np.arange(K)


def _unsorted(model: Any, workers: np.ndarray, values: np.ndarray) -> tuple[Floats, Floats]:
    """Theta and xi of a crowd-kit model, in our order of workers."""
    theta, xi = np.empty_like(model.spamming_), np.empty_like(model.thetas_)
    theta[workers], xi[workers] = model.spamming_, model.thetas_[:, values]
    return theta, xi


# -- the paper's settings ----------------------------------------------------------------------


def beside_plain_loop(questions: dict[str, Votes]) -> list[Row]:
    """One start on the question with most options, times 20, by votes over all questions."""
    votes = max(questions.values(), key=lambda each: len(each.options))
    W, K = len(votes.workers), len(votes.options)
    priors = Priors(smoothing=0.1 / K)
    seconds, likelihoods = all_starts(questions, priors)
    start = MaceParameters.random(W, K, 1, np.random.default_rng(SEED))  # from U(0, 1)
    theta, xi = start.theta[:, :, 0].T, start.xi[:, :, 0].T
    theirs, fitted = best(
        lambda: plain_mace(votes, theta, xi, ITERATIONS, priors), runs=2, warm=False
    )
    work = sum(len(question) * len(question.options) for question in questions.values())
    factor = STARTS * work / (len(votes) * K)
    at = list(questions.values()).index(votes)
    same = from_same_start(votes, theta, xi, priors)
    row = Row(
        what="MACE, all starts with the paper's settings, against a plain loop",
        n=f"7 questions x {STARTS} starts x {ITERATIONS} iterations",
        ours=seconds,
        most=3,
        peer=theirs * factor,
        peer_name="plain loop",
        least_ratio=400,
        remark=f"peer: 1 question, 1 start took {theirs:.2f} s, times {factor:.0f}; "
        + compared(same, fitted[3], likelihoods[at]),
    )
    return [row]


if __name__ == "__main__":
    main()
