"""Plain Bradley-Terry by choix, for comparisons without ties.

choix fits one problem at a time (Maystre and Grossglauser, Fast and Accurate Inference of
Plackett-Luce Models, 2015). The dummy of the ridge is a further response, which every other one has
beaten, and has lost to, ridge times. The maximum is that of merits_newton.py, which fits draws.
"""

import numpy as np

from analysis.stats.arrays import Floats
from analysis.stats.bradley_terry.merits_newton import DUMMY, Solution

TOLERANCE = 1e-10
MOST_ROUNDS = 10_000  # of choix; it says so where they are not enough


def by_choix(A: Floats, ridge: float) -> Solution:
    """Return the merits (n, P) of wins A (n, n, P); choix does not report its iterations."""
    import choix  # when it is needed: it loads scipy.stats, a second of the start of any process

    n, _, P = A.shape
    merits, converged = np.full((n, P), DUMMY), np.ones(P, dtype=bool)
    wins = np.full((n + 1, n + 1), ridge)
    for problem in range(P):
        wins[:n, :n] = A[:, :, problem]
        try:
            found = choix.ilsr_pairwise_dense(wins, max_iter=MOST_ROUNDS, tol=TOLERANCE)
        except RuntimeError:
            converged[problem] = False
            continue
        merits[:, problem] = found[:n] - found[n] + DUMMY
    return Solution(merits, converged, 0)
