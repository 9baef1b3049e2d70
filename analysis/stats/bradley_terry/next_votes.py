"""Choice of the pair that gets the next vote, and a rule for stopping.

The merits of the n responses of a problem (a topic on one question) are taken for normal, of equal
sd, and votes for those of Rao and Kupper's model; after some votes the posterior is about normal
(Laplace), and the pair (k, l) is in the wrong order with probability Phi(-|d| / sqrt(v)).

Votes on (i, j) with information I narrow v of (k, l) by r = cov^2 / (1 / I + v_ij) and move d by
N(0, r). Their gain is the decrease of the expected number of pairs in the wrong order (the
knowledge gradient of Frazier, Powell and Dayanik 2009, for pairs). The next vote goes where the
gain is greatest, and a problem is finished when the expected share of its pairs in the wrong order
is small enough. A posterior probability is valid however often it is looked at: of finished
problems that share is wrong on average, as far as the model is right.
"""

from dataclasses import dataclass

import numpy as np
import scipy

from analysis.stats.arrays import Floats, Ints
from analysis.stats.bradley_terry.merits_newton import solve
from analysis.stats.bradley_terry.mixed_newton import Components
from analysis.stats.bradley_terry.tie_models import RaoKupper, logistic
from analysis.stats.errors import BadSetting

MAX_STEPS, TOLERANCE, SAFE_STEP = 50, 1e-6, 1.5
_MODEL = RaoKupper()


@dataclass(frozen=True, eq=False, kw_only=True)
class PairPosterior:
    """Posterior of P problems of n responses, Q pairs each.

    merits (n, P), covariance (P, n, n): the posterior. first, second (Q,): the pairs.
    wrong (Q, P): the probability that the order of a pair is wrong. gain (Q, P): the expected
    decrease of wrong pairs after some more votes on the pair.
    """

    merits: Floats
    covariance: Floats
    first: Ints
    second: Ints
    wrong: Floats
    gain: Floats

    @property
    def expected_error(self) -> Floats:
        """Expected share of pairs in the wrong order of each problem: (P,)."""
        return np.asarray(self.wrong.mean(axis=0))


def pair_posterior(wins: Ints, *, sd: float, tie_parameter: float, ahead: int = 5) -> PairPosterior:
    """Return the posterior given wins (n, n, P): row over column, a tie in both directions.

    sd: of merits, and tie_parameter, as votes show them (seen_by_votes). ahead: the votes behind
    the gain, since a single one seldom turns an order round. Raises BadSetting.
    """
    if wins.ndim != 3 or wins.shape[0] != wins.shape[1] or wins.shape[0] < 2:
        raise BadSetting("wins", wins.shape, "n by n by P, n at least 2")
    for name, value in (("sd", sd), ("tie_parameter", tie_parameter), ("ahead", ahead)):
        if not 0 < value < np.inf:
            raise BadSetting(name, value, "above 0")
    A = wins.astype(np.float64)
    merits, H = _posterior(A, sd, tie_parameter)
    C: Floats = np.asarray(np.linalg.inv(H.transpose(2, 0, 1)), dtype=np.float64)
    i, j = np.triu_indices(len(merits), 1)
    d = merits[i] - merits[j]
    # rows of cov: (P, Q, n), then the covariance of the differences of all pairs: (P, Q, Q)
    rows = C[:, i] - C[:, j]
    between = rows[:, :, i] - rows[:, :, j]
    v = np.maximum(between.diagonal(axis1=1, axis2=2).T, 1e-12)
    wrong = scipy.stats.norm.cdf(-np.abs(d) / np.sqrt(v))
    information = _information(d, tie_parameter)
    narrowed = between**2 / (1 / (ahead * information) + v).T[:, :, None]  # (P, voted on, distinct)
    after = _wrong_after(d.T[:, None], v.T[:, None], narrowed)
    return PairPosterior(
        merits=merits,
        covariance=C,
        first=i,
        second=j,
        wrong=wrong,
        gain=np.maximum(wrong.sum(axis=0) - after.sum(axis=2).T, 0.0),
    )


def seen_by_votes(
    components: Components, tie_parameter: float, *, systems_variance: float = 0.0
) -> tuple[float, float]:
    """Return the sd of merits and the tie parameter as votes of many workers show them.

    A normal of variance s^2 added to a logistic flattens it by about sqrt(1 + s^2 / 2.9) (Zeger,
    Liang and Albert 1988): leanings, sides, and scales, which also multiply merits.
    """
    of_merits = components.response**2 + components.system_topic**2 + systems_variance
    scale = np.exp(components.discrimination**2 / 2)
    noise = components.lean**2 / 2 + components.habit**2
    noise += 2 * of_merits * scale**2 * np.expm1(components.discrimination**2)
    flatter = np.sqrt(1 + noise / 2.9)
    return float(np.sqrt(of_merits) * scale / flatter), float(tie_parameter / flatter)


def _posterior(A: Floats, sd: float, t: float) -> tuple[Floats, Floats]:
    """Return mode (n, P) and negative Hessian (n, n, P), shortening steps that move merits far."""
    n, P = A.shape[1:]
    m = np.zeros((n, P))
    tie, diagonal = np.full(P, t), np.arange(n)
    for _ in range(MAX_STEPS):
        pull, h = _MODEL.pull(m[:, None] - m, tie)
        pull, h = pull * A, h * A
        gradient = pull.sum(axis=1) - pull.sum(axis=0) - m / sd**2
        H = -h - h.swapaxes(0, 1)
        H[diagonal, diagonal] += h.sum(axis=1) + h.sum(axis=0) + sd**-2
        step = solve(H.copy(), gradient)
        b = np.ptp(step, axis=0)
        m = m + step * np.where(b <= SAFE_STEP, 1.0, np.log1p(b) / np.maximum(b, SAFE_STEP))
        if (b < TOLERANCE).all():
            break
    return m, H


def _information(d: Floats, t: float) -> Floats:
    win, loss = logistic(d - t), logistic(-d - t)
    return win * (1 - win) * (1 - loss) + loss * (1 - loss) * (1 - win)


def _wrong_after(d: Floats, v: Floats, narrowed: Floats) -> Floats:
    """Return the expected probability of a wrong order once v is narrowed and d has moved.

    P(x > 0 > y) + P(x < 0 < y) for the new estimate x, of variance narrowed, and the truth y, of
    variance v, both of mean d: by Owen's T (1956). It goes to Phi(-|d| / sqrt(v)) with narrowed.
    """
    slope = np.sqrt(np.maximum(v - narrowed, 0.0) / np.maximum(narrowed, 1e-15))
    return np.asarray(2 * scipy.special.owens_t(np.abs(d) / np.sqrt(v), slope))
