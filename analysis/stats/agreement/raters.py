"""Two raters on the same items: a person and a model, two prompts, two orders of a pair.

Krippendorff's alpha, Kendall's tau-b and Spearman's rho, and the differences in the manner of Bland
and Altman. Labels of pairs come as PairLabels, which know their orientation; scores as numbers.
"""

from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from analysis.stats.agreement.alpha import Level, krippendorff_alpha
from analysis.stats.agreement.bland_altman import (
    BlandAltman,
    NotMatched,
    bland_altman,
    matched_numbers,
)
from analysis.stats.agreement.pair_labels import PairLabels
from analysis.stats.arrays import Floats, Ints
from analysis.stats.effects.rank_correlations import spearman, tau_b
from analysis.stats.errors import BadSetting
from analysis.stats.resampling import percentile_interval
from analysis.stats.votes import Votes

CELLS_AT_ONCE = 2_000_000
Match = Literal["pair", "shown"]
Numbers = npt.NDArray[np.integer[Any] | np.float64]


@dataclass(frozen=True, kw_only=True)
class RaterAgreement:
    """Two raters on n items; the intervals are percentiles of a bootstrap over items.

    same: the share of items with the same value. unmatched: items that only one of them has.
    undefined_draws: draws in which a rater was constant, left out of tau and rho.
    """

    one: str
    other: str
    n: int
    unmatched: int
    same: float
    alpha: float
    alpha_low: float
    alpha_high: float
    level: Level
    tau: float
    tau_low: float
    tau_high: float
    rho: float
    rho_low: float
    rho_high: float
    undefined_draws: int
    difference: BlandAltman
    confidence: float
    draws: int
    seed: int


@dataclass(frozen=True, kw_only=True)
class OrderConsistency:
    """One source on the n pairs that it labelled in both orders.

    agreement: of the label with the first left and with the first right, both by response.
    left_twice, right_twice: pairs whose preference stayed on a side and so changed the response.
    tie_once: pairs tied in one order only.
    """

    agreement: RaterAgreement
    left_twice: int
    right_twice: int
    tie_once: int


def compare_labels(
    one: PairLabels,
    other: PairLabels,
    *,
    match: Match = "pair",
    confidence: float = 0.95,
    draws: int = 1000,
    seed: int = 0,
) -> RaterAgreement:
    """Two sources on the same pairs, each label by the response that it prefers.

    match="pair": whatever the order shown; a source then has one label a pair. match="shown": only
    pairs that both were shown in the same order. Raises NotMatched, LabelledTwice, BadSetting.
    """
    if match not in get_args(Match):
        raise BadSetting("match", match, "pair or shown")
    x, y = (labels.by_key(shown=match == "shown") for labels in (one, other))
    common = x.index.intersection(y.index, sort=False)
    return _agreement(
        x[common].to_numpy(), y[common].to_numpy(), (one.source, other.source),
        len(x) + len(y) - 2 * len(common), "ordinal", confidence, draws, seed,
    )  # fmt: skip


def compare_scores(
    one: npt.ArrayLike,
    other: npt.ArrayLike,
    *,
    names: tuple[str, str] = ("one", "other"),
    level: Level = "interval",
    confidence: float = 0.95,
    draws: int = 1000,
    seed: int = 0,
) -> RaterAgreement:
    """Two raters' numbers (n,) on the same items; an item that either left out (NaN) is unmatched.

    Raises NotMatched, BadSetting.
    """
    x, y = matched_numbers(one, other)
    given = ~np.isnan(x) & ~np.isnan(y)
    unmatched = int((np.isnan(x) != np.isnan(y)).sum())
    return _agreement(x[given], y[given], names, unmatched, level, confidence, draws, seed)


def order_consistency(
    labels: PairLabels, *, confidence: float = 0.95, draws: int = 1000, seed: int = 0
) -> OrderConsistency:
    """How far a source prefers the same response in both orders.

    Raises NotMatched, BadSetting.
    """
    x, y = labels.both_orders()
    names = (f"{labels.source}, first left", f"{labels.source}, first right")
    return OrderConsistency(
        agreement=_agreement(
            x, y, names, len(labels) - 2 * len(x), "ordinal", confidence, draws, seed
        ),
        left_twice=int(((x == -1) & (y == 1)).sum()),
        right_twice=int(((x == 1) & (y == -1)).sum()),
        tie_once=int(((x == 0) != (y == 0)).sum()),
    )


def _agreement(
    x: Numbers,
    y: Numbers,
    names: tuple[str, str],
    unmatched: int,
    level: Level,
    confidence: float,
    draws: int,
    seed: int,
) -> RaterAgreement:
    if draws < 1:
        raise BadSetting("draws", draws, "1 or more")
    difference = bland_altman(x, y, confidence=confidence)
    for name, values in zip(names, (x, y), strict=True):
        if (values == values[0]).all():
            raise NotMatched(f"{name} gives every item the same value, {values[0]:g}")
    n = len(x)
    options, code = np.unique(np.concatenate([x, y]), return_inverse=True)
    votes = Votes.from_indices(
        np.tile(np.arange(n), 2), np.repeat([0, 1], n), code, options=tuple(options.tolist())
    )
    alpha = krippendorff_alpha(votes, level=level, draws=draws, confidence=confidence, seed=seed)
    tau, rho = _correlations(code[:n], code[n:], len(options), draws, seed)
    tau_low, tau_high, undefined = percentile_interval(tau[1:], confidence)
    rho_low, rho_high, _ = percentile_interval(rho[1:], confidence)
    return RaterAgreement(
        one=names[0],
        other=names[1],
        n=n,
        unmatched=unmatched,
        same=float((x == y).mean()),
        alpha=alpha.value,
        alpha_low=alpha.low,
        alpha_high=alpha.high,
        level=level,
        tau=float(tau[0]),
        tau_low=tau_low,
        tau_high=tau_high,
        rho=float(rho[0]),
        rho_low=rho_low,
        rho_high=rho_high,
        undefined_draws=undefined,
        difference=difference,
        confidence=confidence,
        draws=draws,
        seed=seed,
    )


def _correlations(x: Ints, y: Ints, V: int, draws: int, seed: int) -> tuple[Floats, Floats]:
    """tau-b and Spearman's rho of the items, then of each bootstrap draw of them: (1 + draws,)."""
    cells, count = np.unique(x * V + y, return_counts=True)
    rng = np.random.default_rng(seed)
    weights = rng.multinomial(len(x), count / len(x), draws)
    weights = np.concatenate([count[None], weights])
    tau, rho = [], []
    step = max(1, CELLS_AT_ONCE // V**2)
    for start in range(0, len(weights), step):
        part = weights[start : start + step]
        tables = np.zeros((len(part), V * V))
        tables[:, cells] = part
        tau.append(tau_b(tables.reshape(-1, V, V)))
        rho.append(spearman(tables.reshape(-1, V, V)))
    return np.concatenate(tau), np.concatenate(rho)
