"""Large studies: seconds and peak memory by number of votes. `python -m benchmarks.scale`.

    .venv-bench/bin/python -m benchmarks.scale [--most 10000000] [--no-peer]

Each size runs in a process of its own, whose peak is all that it ever held: Python and its
packages, the simulated votes, and what is measured.
"""

import argparse
import time

from analysis.stats.agreement.alpha import krippendorff_alpha
from analysis.stats.labels.mace import mace
from analysis.stats.labels.majority import majority_vote
from benchmarks import crowd_votes
from benchmarks.measuring import in_child
from benchmarks.reporting import Row, load_now, report

SIZES = (10**5, 10**6, 10**7)
ITERATIONS = 100
MOST = {10**6: 8.0, 10**7: 90.0}  # seconds
MEMORY = 2000.0  # MB, whatever the size
VOTES_A_WORKER = 100


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--most", type=int, default=SIZES[-1], help="leave out larger sizes")
    parser.add_argument("--no-peer", action="store_true", help="without crowd-kit")
    options = parser.parse_args()
    load = load_now()
    rows, held = [], {}
    for n in (size for size in SIZES if size <= options.most):
        (seconds, likelihood), held[n] = in_child(ours, n)
        theirs = None
        if n == SIZES[0] and not options.no_peer:
            (theirs, _), _ = in_child(crowd_kit, n)
        rows += rows_of(n, seconds, theirs, likelihood, held)
    report("scale", rows, load=load, notes=("Votes: simulated, five an item.",))


def rows_of(
    n: int,
    seconds: dict[str, float],
    theirs: float | None,
    likelihood: float,
    held: dict[int, float],
) -> list[Row]:
    size = f"{n:,} votes"
    before = held.get(n // 10)
    grown = "" if before is None else f"{held[n] / before:.1f} times that of a tenth of the votes"
    return [
        Row(
            what="MACE, one start",
            n=f"{size}, {ITERATIONS} iterations",
            ours=seconds["mace"],
            most=MOST.get(n),
            peer=theirs,
            peer_name="crowd-kit" if theirs else "",
            remark=f"log-likelihood {likelihood:,.0f}",
        ),
        Row(what="alpha with 1,000 bootstrap draws", n=size, ours=seconds["alpha"]),
        Row(what="majority vote", n=size, ours=seconds["majority"]),
        Row(
            what="peak memory of all three",
            n=size,
            ours=held[n],
            unit="MB",
            most=MEMORY,
            remark=grown,
        ),
    ]


def ours(n: int) -> tuple[dict[str, float], float]:
    """Seconds by what was done, and MACE's log-likelihood."""
    votes = crowd_votes.simulated(n, workers=n // VOTES_A_WORKER)
    seconds = {}
    began = time.perf_counter()
    result = mace(votes, tolerance=0, max_iterations=ITERATIONS)
    seconds["mace"] = time.perf_counter() - began
    likelihood = result.log_likelihood
    del result
    for name, work in (("alpha", krippendorff_alpha), ("majority", majority_vote)):
        began = time.perf_counter()
        work(votes)
        seconds[name] = time.perf_counter() - began
    return seconds, likelihood


def crowd_kit(n: int) -> tuple[float, None]:
    from crowdkit.aggregation import MACE

    from benchmarks.competence import sorted_for_crowd_kit

    frame, _, _ = sorted_for_crowd_kit(crowd_votes.simulated(n, workers=n // VOTES_A_WORKER))
    began = time.perf_counter()
    MACE(n_restarts=1, n_iter=ITERATIONS).fit(frame)
    return time.perf_counter() - began, None


if __name__ == "__main__":
    main()
