"""Plackett-Luce merits from choices of the best and the worst of several, by choix.

Plackett (1975), Luce (1959): a ranking i_1 > ... > i_n has the probability
prod_k exp(m_ik) / sum_{l >= k} exp(m_il). The best and the worst of a block are a ranking of which
the middle is not known. Its pairs alone (the best above all others, all others above the worst) are
no fair sample of pairs: those that are close are missing, and merits fitted to them come out too
far apart (by an eighth with four texts). So the pairs of the middle are added as the model expects
them, given the merits, the best and the worst, and the merits are fitted again until they stand
still. All pairs of a Plackett-Luce ranking together are a consistent basis (Azari Soufiani et al.,
Generalized Method-of-Moments for Rank Aggregation, 2013), but no independent comparisons: intervals
come from leaving raters out, never from that likelihood.

The merits are those of choix (Maystre and Grossglauser 2015, iterative Luce spectral ranking).
The fits without a rater are made all at once by Newton's method, which has the same maximum.
"""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from math import factorial

import numpy as np
import pandas as pd
import scipy

from analysis.stats.arrays import Floats, Ints
from analysis.stats.choices.choices import NOBODY, Choices
from analysis.stats.choices.rater_jackknife import half_width, rater_loads
from analysis.stats.errors import BadSetting, CannotCompute
from analysis.stats.resampling import check_confidence, portions

RIDGE = 0.1
STILL, DRAW_STILL = 1e-7, 1e-3  # an interval is read to two digits
MAX_ROUNDS = 500
SAFE_STEP = 1.5  # bradley_terry.merits_newton says why
LEAST_ANSWERS = 10  # that had a unit before them; with seven intervals cover .92
MIDDLE = 5  # of which the orders are gone through: 120


def _not_converged() -> CannotCompute:
    return CannotCompute(
        "not_converged",
        f"Strengths cannot be computed because they still changed after {MAX_ROUNDS} rounds.",
    )


@dataclass(frozen=True, eq=False, kw_only=True)
class PlackettLuceResult:
    """U units: merits (U,) in logits, with mean 0.

    low, high (U,): a jackknife over raters; NaN below five raters or ten answers. shown (U,): the
    answers that included the unit.
    """

    units: Sequence[Hashable]
    merits: Floats
    low: Floats
    high: Floats
    shown: Ints
    ridge: float
    confidence: float

    def frame(self) -> pd.DataFrame:
        """Return one row a unit: unit, merit, low, high, shown."""
        columns = {"merit": self.merits, "low": self.low, "high": self.high, "shown": self.shown}
        return pd.DataFrame({"unit": list(self.units)} | columns)


def plackett_luce(
    choices: Choices,
    *,
    ridge: float = RIDGE,
    confidence: float = 0.95,
) -> PlackettLuceResult:
    """Fit merits to best and worst.

    ridge: wins of every unit over every other that are added; without them a unit that is always
    the best would have no finite merit. Raises CannotCompute (not_connected, too_many_open_units,
    not_converged), BadSetting.
    """
    check_confidence(confidence)
    if not 0 < ridge < np.inf:
        raise BadSetting("ridge", ridge, "above 0, or some merits would be infinite")
    _check_together(choices)
    pairs = _Pairs.of(choices)
    merits = _fit(pairs, ridge)
    loads, shown = rater_loads(choices), choices.shown.sum(axis=0)
    without = np.concatenate(
        [
            _fit_draws(pairs, loads.without[part] @ pairs.pattern_of, ridge, merits)
            for part in _parts(len(loads.without), pairs.cells)
        ]
    )
    G = len(without)
    variance = (G - 1) / G * ((without - without.mean(axis=0)) ** 2).sum(axis=0)
    half = np.where(shown >= LEAST_ANSWERS, half_width(variance, loads, confidence), np.nan)
    return PlackettLuceResult(
        units=choices.units,
        merits=merits,
        low=merits - half,
        high=merits + half,
        shown=shown,
        ridge=ridge,
        confidence=confidence,
    )


def _parts(number: int, cells: int) -> Iterator[slice]:
    start = 0
    for count in portions(number, cells):
        yield slice(start, start + count)
        start += count


def _check_together(choices: Choices) -> None:
    shown = choices.shown[(choices.best != NOBODY) | (choices.worst != NOBODY)].astype(np.int64)
    groups, _ = scipy.sparse.csgraph.connected_components(shown.T @ shown, directed=False)
    if groups > 1:
        raise CannotCompute(
            "not_connected",
            f"Strengths cannot be computed because the units form {groups} groups that were never "
            "shown together.",
        )


@dataclass(frozen=True, eq=False)
class _Open:
    """The Q patterns that leave an order of k units open above their worst.

    orders (Q, k!, k): the units in every order. worst (Q,); at (Q,): indices of the patterns. wins
    (Q * k!, U * U): the pairs that each order decides.
    """

    orders: Ints
    worst: Ints
    at: Ints
    wins: Floats

    def expected(self, merits: Floats, counts: Floats) -> Floats:
        """Return expected wins (D, U * U) given merits (D, U) and counts (D, patterns)."""
        strength = np.exp(merits)
        mine = strength[:, self.orders]
        left = np.cumsum(mine[..., ::-1], axis=-1)[..., ::-1]
        left += strength[:, self.worst][:, :, None, None]
        chance = (mine / left).prod(axis=-1)
        chance /= chance.sum(axis=-1, keepdims=True)
        chance *= counts[:, self.at, None]
        return np.asarray(chance.reshape(len(merits), -1) @ self.wins)


@dataclass(frozen=True, eq=False)
class _Pairs:
    """Answers as pairs of U units. A pattern is the units, best and worst that answers share.

    pattern_of (A, patterns): the pattern of an answer. sure (patterns, U * U): the pairs that it
    decides. open: the patterns with an open order, by its length.
    """

    pattern_of: Floats
    sure: Floats
    open: Sequence[_Open]
    units: int

    @classmethod
    def of(cls, choices: Choices) -> "_Pairs":
        """Return the pairs of the choices. Raises CannotCompute (too_many_open_units)."""
        rows = np.column_stack([choices.shown, choices.best, choices.worst])
        patterns, pattern_index = np.unique(rows, axis=0, return_inverse=True)
        U = len(choices.units)
        sure = np.zeros((len(patterns), U, U))
        middles: dict[int, list[tuple[int, Ints]]] = {}
        for k, (*shown, best, worst) in enumerate(patterns.tolist()):
            shown_units = np.flatnonzero(shown)
            if best != NOBODY:
                sure[k, best, shown_units[shown_units != best]] = 1
            if worst != NOBODY:
                sure[k, shown_units[shown_units != worst], worst] = 1
                middle = shown_units[(shown_units != best) & (shown_units != worst)]
                if len(middle) > 1:
                    middles.setdefault(len(middle), []).append((k, middle))
        if middles and max(middles) > MIDDLE:
            raise CannotCompute(
                "too_many_open_units",
                f"Strengths cannot be computed because an answer leaves the order of "
                f"{max(middles)} "
                f"units open (limit {MIDDLE}).",
            )
        return cls(
            pattern_of=np.eye(len(patterns))[pattern_index.ravel()],
            sure=sure.reshape(len(patterns), -1),
            open=[_open(same_length, patterns[:, -1], U) for same_length in middles.values()],
            units=U,
        )

    @property
    def cells(self) -> int:
        """Numbers that a draw holds at a time."""
        return (
            self.units**2
            + sum(open_patterns.orders.size for open_patterns in self.open)
            + len(self.pattern_of)
        )

    def wins(self, merits: Floats, counts: Floats, ridge: float) -> Floats:
        """Return wins of row over column (D, U, U), as the merits (D, U) expect where open."""
        total_wins = counts @ self.sure
        for open_patterns in self.open:
            total_wins = total_wins + open_patterns.expected(merits, counts)
        U = self.units
        return np.asarray(total_wins.reshape(-1, U, U) + ridge * (1 - np.eye(U)))


def _open(found: Sequence[tuple[int, Ints]], worst: Ints, U: int) -> _Open:
    at = np.array([k for k, _ in found])
    k = len(found[0][1])
    orders = np.array([list(permutations(middle.tolist())) for _, middle in found])
    wins = np.zeros((len(at) * factorial(k), U, U))
    flat = orders.reshape(-1, k)
    for i, j in combinations(range(k), 2):
        wins[np.arange(len(flat)), flat[:, i], flat[:, j]] = 1
    return _Open(orders, worst[at], at, wins.reshape(len(flat), -1))


def _fit(pairs: _Pairs, ridge: float) -> Floats:
    """Return merits (U,) of all answers."""
    import choix  # when it is needed: it loads scipy.stats, a second of the start of any process

    counts = pairs.pattern_of.sum(axis=0)[None]
    merits = np.zeros(pairs.units)
    for _ in range(MAX_ROUNDS):
        wins = pairs.wins(merits[None], counts, ridge)[0]
        try:
            strengths = choix.ilsr_pairwise_dense(wins, initial_params=merits, max_iter=MAX_ROUNDS)
        except RuntimeError:
            raise _not_converged() from None
        moved = np.abs(strengths - strengths.mean() - merits).max()
        merits = strengths - strengths.mean()
        if moved < STILL or not pairs.open:
            return np.asarray(merits)
    raise _not_converged()


def _fit_draws(pairs: _Pairs, counts: Floats, ridge: float, start: Floats) -> Floats:
    """Return merits (D, U) of draws with counts (D, patterns), by EM with Newton steps."""
    merits = np.tile(start, (len(counts), 1))
    level = np.full((pairs.units, pairs.units), 1 / pairs.units)  # which no pair says anything of
    for _ in range(MAX_ROUNDS):
        wins = pairs.wins(merits, counts, ridge)
        p = scipy.special.expit(merits[:, :, None] - merits[:, None, :])
        met = wins + wins.transpose(0, 2, 1)
        gradient = (wins - met * p).sum(axis=2)
        weight = met * p * (1 - p)
        hessian = weight.sum(axis=2)[:, :, None] * np.eye(pairs.units) - weight + level
        step = np.linalg.solve(hessian, gradient[:, :, None])[:, :, 0]
        far = np.ptp(step, axis=1, keepdims=True)
        step *= np.where(far <= SAFE_STEP, 1.0, np.log1p(far) / np.maximum(far, SAFE_STEP))
        merits += step
        if np.abs(step).max() < DRAW_STILL:
            return np.asarray(merits - merits.mean(axis=1, keepdims=True))
    raise _not_converged()
