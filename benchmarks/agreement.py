"""Krippendorff's alpha and its bootstrap beside krippendorff: `python -m benchmarks.agreement`."""

import krippendorff
import numpy as np

from analysis.stats.agreement.alpha import krippendorff_alpha
from analysis.stats.arrays import Ints
from analysis.stats.votes import Votes
from benchmarks import crowd_votes
from benchmarks.measuring import best
from benchmarks.reporting import Row, load_now, report

DRAWS = 1000


def main() -> None:
    load = load_now()
    questions = list(crowd_votes.questions().values())
    counts = [counts_of(votes) for votes in questions]
    rows = [point(questions, counts), bootstrap(questions, counts)]
    report("agreement", rows, load=load, notes=(crowd_votes.where_from(),))


def counts_of(votes: Votes) -> Ints:
    """How many votes each option has on each item (N, V): the peer's fastest form of input."""
    V = len(votes.options)
    cells = votes.item * np.int64(V) + votes.value
    return np.bincount(cells, minlength=len(votes.items) * V).reshape(-1, V)


def peer_alpha(counts: Ints) -> float:
    return krippendorff.alpha(value_counts=counts, level_of_measurement="ordinal")


def peer_bootstrap(counts: Ints, draws: int) -> tuple[float, float]:
    """Items resampled and alpha computed again, draw by draw."""
    rng = np.random.default_rng(0)
    drawn = [peer_alpha(counts[rng.integers(0, len(counts), len(counts))]) for _ in range(draws)]
    low, high = np.quantile(drawn, [0.025, 0.975])
    return float(low), float(high)


def point(questions: list[Votes], counts: list[Ints]) -> Row:
    seconds, found = best(lambda: [krippendorff_alpha(v, draws=0).value for v in questions])
    theirs, expected = best(lambda: [peer_alpha(counts_of(v)) for v in questions])
    return Row(
        what="alpha, from the votes",
        n="7 questions",
        ours=seconds,
        peer=theirs,
        peer_name="krippendorff",
        remark=f"largest difference {np.abs(np.subtract(found, expected)).max():.0e}",
    )


def bootstrap(questions: list[Votes], counts: list[Ints]) -> Row:
    seconds, found = best(lambda: [krippendorff_alpha(v, draws=DRAWS) for v in questions])
    theirs, expected = best(lambda: [peer_bootstrap(c, DRAWS) for c in counts], runs=2, warm=False)
    apart = np.abs(np.subtract([(each.low, each.high) for each in found], expected)).max()
    return Row(
        what="alpha with its bootstrap interval",
        n=f"7 questions x {DRAWS:,} draws of items",
        ours=seconds,
        most=1,
        peer=theirs,
        peer_name="krippendorff in a loop",
        remark=f"ends of intervals differ by at most {apart:.3f}",
    )


if __name__ == "__main__":
    main()
