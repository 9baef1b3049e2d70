"""Bradley-Terry beside choix and evalica: `python -m benchmarks.merits`.

The peers know no Rao-Kupper ties and no ridge, but take weights, so all get one task that each can
do: a tie is a win for both, and a dummy that wins and loses .2 times against everyone is the ridge.
That is our model at t = 0. All climb the same hill; who stands how high is printed beside the time.
"""

from dataclasses import dataclass
from typing import Any

import choix
import numpy as np
from scipy.special import log_expit

from analysis.stats.arrays import Floats
from analysis.stats.bradley_terry.comparisons import Comparisons
from analysis.stats.bradley_terry.merit_intervals import bootstrap_merits
from analysis.stats.bradley_terry.merits import fit_merits
from benchmarks import crowd_votes
from benchmarks.measuring import best
from benchmarks.reporting import Row, load_now, report

RIDGE, DRAWS = 0.2, 1000
NO_TIES = 1e-12  # t must be above 0; at 0 a tie has no probability


@dataclass(frozen=True)
class Problem:
    """One topic on one question: its comparisons with the dummy (the last number), and their sums.

    wins (n + 1, n + 1): how often row won over column.
    """

    x: list[int]
    y: list[int]
    winners: list[Any]
    weights: list[float]
    wins: Floats


def main() -> None:
    load = load_now()
    comparisons = crowd_votes.gold_comparisons()
    rows = [*side_by_side(comparisons), paper(comparisons), bootstrap(comparisons)]
    report("merits", rows, load=load, notes=(crowd_votes.where_from(),))


def problems_of(comparisons: Comparisons) -> list[Problem]:
    import evalica  # of make bench alone

    a, b = (comparisons.entry_place[side] for side in (comparisons.a, comparisons.b))
    winner = {1: evalica.Winner.X, 0: evalica.Winner.Draw, -1: evalica.Winner.Y}
    made = []
    for number, n in enumerate(comparisons.sizes):
        of = comparisons.problem == number
        dummy, others = int(n), list(range(n))
        won = comparisons.outcome[of]
        wins = np.zeros((n + 1, n + 1))
        np.add.at(wins, (a[of], b[of]), won >= 0)
        np.add.at(wins, (b[of], a[of]), won <= 0)
        wins[dummy, :dummy] = wins[:dummy, dummy] = RIDGE
        made.append(
            Problem(
                x=[*a[of].tolist(), *others, *others],
                y=[*b[of].tolist(), *[dummy] * 2 * n],
                winners=[winner[w] for w in won.tolist()]
                + [evalica.Winner.X] * n
                + [evalica.Winner.Y] * n,
                weights=[1.0] * len(won) + [RIDGE] * 2 * n,
                wins=wins,
            )
        )
    return made


def by_evalica(problems: list[Problem]) -> list[Floats]:
    """Merits of each problem, the dummy last and at 0."""
    import evalica

    made = []
    for problem in problems:
        scores = evalica.bradley_terry(
            problem.x, problem.y, problem.winners, weights=problem.weights, tie_weight=1.0
        ).scores
        merits = np.log(scores.sort_index().to_numpy())
        made.append(merits - merits[-1])
    return made


def by_choix(problems: list[Problem]) -> list[Floats]:
    made = [choix.ilsr_pairwise_dense(problem.wins) for problem in problems]
    return [merits - merits[-1] for merits in made]


def ours(comparisons: Comparisons) -> list[Floats]:
    merits = fit_merits(comparisons, tie_parameter=NO_TIES, ridge=RIDGE).merits - 1
    ends = np.cumsum(comparisons.sizes)
    return [np.r_[part, 0.0] for part in np.split(merits, ends[:-1])]


def height(problems: list[Problem], merits: list[Floats]) -> float:
    """Return the penalised log-likelihood of all problems together."""
    return sum(
        float((each.wins * log_expit(m[:, None] - m)).sum())
        for each, m in zip(problems, merits, strict=True)
    )


def side_by_side(comparisons: Comparisons) -> list[Row]:
    problems = problems_of(comparisons)
    seconds, mine = best(lambda: ours(comparisons))
    peers = [
        ("evalica", 30.0, lambda: by_evalica(problems)),
        ("choix", None, lambda: by_choix(problems)),
    ]
    rows = []
    for name, promised, work in peers:
        theirs, found = best(work)
        apart = max(np.abs(m - f).max() for m, f in zip(mine, found, strict=True))
        rows.append(
            Row(
                what=f"Bradley-Terry, against {name}",
                n=f"{len(problems)} problems",
                ours=seconds,
                most=0.05,
                peer=theirs,
                peer_name=name,
                least_ratio=promised,
                remark=f"penalised log-likelihood {height(problems, mine):,.6f} and "
                f"{height(problems, found):,.6f}; merits differ by at most {apart:.0e}",
            )
        )
    return rows


def paper(comparisons: Comparisons) -> Row:
    """Rao and Kupper's ties, t = .05: the settings behind the published grades."""
    seconds, result = best(lambda: fit_merits(comparisons))
    return Row(
        what="Bradley-Terry with Rao-Kupper ties, and grades",
        n=f"{len(comparisons.problems)} problems",
        ours=seconds,
        most=0.05,
        remark=f"{'all' if result.converged.all() else 'not all'} converged",
    )


def bootstrap(comparisons: Comparisons) -> Row:
    result = fit_merits(comparisons)
    seconds, _ = best(lambda: bootstrap_merits(result, draws=DRAWS), runs=2, warm=False)
    return Row(
        what="bootstrap of all merits and grades",
        n=f"{len(comparisons.problems)} problems x {DRAWS:,} draws",
        ours=seconds,
        most=10,
    )


if __name__ == "__main__":
    main()
