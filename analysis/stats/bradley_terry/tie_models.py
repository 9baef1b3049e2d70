"""Models of a tied comparison, and one without ties, in the form that Newton's method takes.

With d = m_i - m_j and a tie parameter,
    Rao and Kupper (1967), t > 0:
        log P(i beats j) = log sigma(d - t)
        log P(tie)       = log sigma(d - t) + log sigma(-d - t) + log(e^2t - 1)
    Davidson (1970), nu > 0:
        P(i beats j) = e^(d/2) / D,  P(tie) = nu / D,  D = e^(d/2) + e^(-d/2) + nu.
In both the log-likelihood of a problem is sum_ij A_ij f(d_ij) + ties * g: A counts wins of row over
column, and a tie tie_score times for either side; f and g depend on the model, and f is concave
with |f'''| <= -f'', as the safe step of merits_newton.py requires.

The parameter is estimated on the scale on which the likelihood is concave: t itself, and log nu.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple, Protocol, Self

import numpy as np
import scipy

from analysis.stats.arrays import Flags, Floats

TieModelName = Literal["rao-kupper", "davidson", "none"]


class Bends(NamedTuple):
    """Derivatives along the estimated parameter x, each in the shape of d.

    slope, curvature: of f in x; cross: of f in d and x.
    """

    slope: Floats
    curvature: Floats
    cross: Floats


class Shape(Protocol):
    """f of d and the tie parameter, and its derivatives."""

    def log_win(self, d: Floats, tie: Floats) -> Floats:
        """Return f."""

    def pull(self, d: Floats, tie: Floats) -> tuple[Floats, Floats]:
        """Return f' and -f'' in d."""

    def bends(self, d: Floats, tie: Floats) -> Bends:
        """Return derivatives of f along x."""

    def of(self, problems: slice | Flags) -> "Shape":
        """Return the shape of some of the problems."""


class TieModel(Shape, Protocol):
    """f and g; the tie parameter is estimated on the scale x, from start, above lowest."""

    tie_score: float
    start: float
    lowest: float

    def log_tie(self, tie: Floats) -> Floats:
        """Return g."""

    def log_tie_bends(self, x: Floats) -> tuple[Floats, Floats]:
        """Return slope and curvature of g along x."""

    def log_tie_slope(self, tie: Floats) -> Floats:
        """Return the slope of g along x at the tie parameter; 0 without ties."""

    def parameter(self, x: Floats) -> Floats:
        """Return the tie parameter at x."""


class _SameForAll:
    """Shape without parameters of single problems."""

    def of(self, problems: slice | Flags) -> Self:
        return self


class RaoKupper(_SameForAll):
    """A tie is a win for both sides."""

    tie_score = 1.0
    start = 0.5
    lowest = 0.0

    def log_win(self, d: Floats, tie: Floats) -> Floats:
        return np.asarray(scipy.special.log_expit(d - tie))

    def pull(self, d: Floats, tie: Floats) -> tuple[Floats, Floats]:
        win = logistic(d - tie)
        lost = 1 - win
        return lost, lost * win

    def log_tie(self, tie: Floats) -> Floats:
        return np.asarray(np.log(np.expm1(2 * tie)))

    def bends(self, d: Floats, tie: Floats) -> Bends:
        # d and t come as their difference only, so all derivatives are the same but for the sign
        slope, curvature = self.pull(d, tie)
        return Bends(-slope, -curvature, curvature)

    def log_tie_bends(self, x: Floats) -> tuple[Floats, Floats]:
        growth = -np.expm1(-2 * x)  # 1 - exp(-2t)
        return 2 / growth, -4 * (1 - growth) / growth**2

    def log_tie_slope(self, tie: Floats) -> Floats:
        return np.divide(2.0, -np.expm1(-2 * tie), out=np.zeros_like(tie), where=tie > 0)

    def parameter(self, x: Floats) -> Floats:
        return x


class Davidson(_SameForAll):
    """A tie is half a win for both sides; nu is its odds against a win between equals."""

    tie_score = 0.5
    start = -0.5
    lowest = -np.inf

    def log_win(self, d: Floats, tie: Floats) -> Floats:
        _, _, D = _odds(d, tie)
        return np.asarray(np.minimum(d, 0) - np.log(D))

    def pull(self, d: Floats, tie: Floats) -> tuple[Floats, Floats]:
        # 1/2 - D'/D and its derivative, written without a difference of nearly equal numbers
        far, between, D = _odds(d, tie)
        ahead = np.where(d > 0, far * far, 1.0)
        return (ahead + between / 2) / D, (far * far + between * (1 + far * far) / 4) / D**2

    def log_tie(self, tie: Floats) -> Floats:
        return np.asarray(np.log(tie))

    def bends(self, d: Floats, tie: Floats) -> Bends:
        far, between, D = _odds(d, tie)
        tied = between / D
        return Bends(-tied, -tied * (1 - tied), tied * np.sign(d) * (1 - far**2) / (2 * D))

    def log_tie_bends(self, x: Floats) -> tuple[Floats, Floats]:
        return np.ones_like(x), np.zeros_like(x)

    def log_tie_slope(self, tie: Floats) -> Floats:
        return np.ones_like(tie)

    def parameter(self, x: Floats) -> Floats:
        return np.asarray(np.exp(x))


class NoTies(_SameForAll):
    """Bradley and Terry (1952): ties are left out; there is no parameter."""

    tie_score = 0.0
    start = 0.0
    lowest = 0.0

    def log_win(self, d: Floats, tie: Floats) -> Floats:
        return np.asarray(scipy.special.log_expit(d))

    def pull(self, d: Floats, tie: Floats) -> tuple[Floats, Floats]:
        win = logistic(d)
        return 1 - win, win * (1 - win)

    def log_tie(self, tie: Floats) -> Floats:
        return np.zeros_like(tie)

    def bends(self, d: Floats, tie: Floats) -> Bends:
        nothing = np.zeros_like(d)
        return Bends(nothing, nothing, nothing)

    def log_tie_bends(self, x: Floats) -> tuple[Floats, Floats]:
        return np.zeros_like(x), np.zeros_like(x)

    def log_tie_slope(self, tie: Floats) -> Floats:
        return np.zeros_like(tie)

    def parameter(self, x: Floats) -> Floats:
        return np.zeros_like(x)


def logistic(x: Floats) -> Floats:
    """Return the logistic function; it does not overflow."""
    return np.asarray(scipy.special.expit(x))


def _odds(d: Floats, tie: Floats) -> tuple[Floats, Floats, Floats]:
    """Return root odds of the weaker side, odds of a tie, and their sum D (stronger side 1)."""
    far = np.exp(-np.abs(d) / 2)
    between = tie * far
    return far, between, 1 + far * far + between


TIE_MODELS: Mapping[TieModelName, TieModel] = MappingProxyType(
    {"rao-kupper": RaoKupper(), "davidson": Davidson(), "none": NoTies()}
)
