"""Agreement between workers: Krippendorff's alpha and percent agreement, with intervals.

Krippendorff, Content Analysis, 4th ed. (2018), ch. 12: alpha = 1 - D_o / D_e, where D_o is the
disagreement observed within items and D_e the one expected if the same votes were shuffled over
all items. Both are read off the coincidence matrix o of shape (V, V): every ordered pair of votes
(c, k) on one item adds 1 / (m - 1), m being the votes on that item. The reported alpha is that of
the package krippendorff; ours computes the draws of the bootstrap, many at a time.
"""

from dataclasses import dataclass
from typing import Any, Literal, get_args

import krippendorff
import numpy as np

from analysis.stats.agreement.interval_draws import interval_item_draws, interval_worker_draws
from analysis.stats.arrays import Floats, Ints
from analysis.stats.errors import BadSetting, CannotCompute
from analysis.stats.resampling import (
    CELLS_AT_ONCE,
    Bootstrap,
    Resample,
    Statistic,
    coincidence_matrix,
    item_draws,
    kept_worker_coincidences,
    percentile_interval,
    worker_draws,
)
from analysis.stats.votes import Votes

Level = Literal["nominal", "ordinal", "interval", "ratio"]


class NothingPairable(CannotCompute):
    """No item has two votes to compare."""

    def __init__(self, measure: str) -> None:
        super().__init__(
            "nothing_pairable",
            f"{measure} cannot be computed because no item has at least two votes.",
        )


class OneValueOnly(CannotCompute):
    """Without variation chance agreement is total, and the measure is 0 / 0."""

    def __init__(self, value: object, measure: str = "Alpha") -> None:
        super().__init__(
            "one_value_only",
            f"{measure} cannot be computed because all pairable votes are {value!r}: "
            "without variation, agreement beyond chance is undefined.",
        )


def _options_not_numeric(level: str, reason: str) -> CannotCompute:
    return CannotCompute(
        "options_not_numeric", f"Alpha at the {level} level cannot be computed because {reason}."
    )


@dataclass(frozen=True, kw_only=True)
class AgreementResult:
    """A measure of agreement and its percentile bootstrap interval.

    items and votes count the pairable ones: items with at least two votes, and the votes on them.
    low and high are NaN without draws. undefined_draws: draws without a value (for instance because
    all resampled votes were alike), which the interval leaves out.
    """

    value: float
    low: float
    high: float
    items: int
    votes: int
    draws: int
    undefined_draws: int
    confidence: float
    seed: int
    resample: Resample


@dataclass(frozen=True, kw_only=True)
class AlphaResult(AgreementResult):
    """Krippendorff's alpha: 1 is perfect, 0 chance level, below 0 systematic disagreement."""

    level: Level


def krippendorff_alpha(
    votes: Votes,
    *,
    level: Level = "ordinal",
    draws: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
    resample: Resample = "items",
) -> AlphaResult:
    """Compute Krippendorff's alpha of the votes on one question.

    Parameters
    ----------
    votes : the order of `votes.options` is the order of the scale; for the levels interval and
        ratio they are numbers. Items with fewer than two votes do not count.
    resample : what the bootstrap draws: items (will it hold for other items?) or workers.

    Raises
    ------
    CannotCompute (options_not_numeric), NothingPairable, OneValueOnly, BadSetting
    """
    bootstrap = Bootstrap(draws=draws, confidence=confidence, seed=seed, resample=resample)
    positions = option_positions(votes, level)

    def alpha(o: Floats) -> Floats:
        return alpha_of(o, level, positions)

    counts = _pairable(votes, "Alpha")
    used = counts.any(axis=0)
    if used.sum() == 1:
        raise OneValueOnly(votes.options[int(np.argmax(used))])
    if counts.size * len(positions) <= CELLS_AT_ONCE:
        value = krippendorff.alpha(
            value_counts=counts, value_domain=positions, level_of_measurement=level
        )
    else:  # the package holds a matrix of all options for each item: 10 GiB for a thousand options
        value = alpha_from_counts(counts[:, used], level=level, values=positions[used])
    numbers = positions if level == "interval" else None
    fields = _with_interval(votes, counts, alpha, bootstrap, numbers)
    return AlphaResult(level=level, value=float(value), **fields)


def percent_agreement(
    votes: Votes,
    *,
    draws: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
    resample: Resample = "items",
) -> AgreementResult:
    """Compute the share of agreeing pairs of votes within items, weighting an item by its votes.

    This is the trace of the coincidence matrix over its sum, 1 - D_o of nominal alpha; with equally
    many votes on all items it is the plain share of agreeing pairs. Not corrected for chance.

    Raises NothingPairable, BadSetting.
    """
    bootstrap = Bootstrap(draws=draws, confidence=confidence, seed=seed, resample=resample)
    counts = _pairable(votes, "Percent agreement")
    fields = _with_interval(votes, counts, _share_agreeing, bootstrap)
    value = float(_share_agreeing(coincidence_matrix(counts)[None])[0])
    return AgreementResult(value=value, **fields)


def alpha_from_counts(counts: Ints, *, level: Level, values: Floats | None = None) -> float:
    """Return alpha from (N, V) value counts; NaN where it is undefined.

    values of shape (V,) are the numbers behind the options, by default 0..V-1.
    """
    positions = np.arange(counts.shape[1], dtype=np.float64) if values is None else values
    return float(alpha_of(coincidence_matrix(counts)[None], level, positions)[0])


def alpha_of(o: Floats, level: Level, positions: Floats) -> Floats:
    """Return alpha of each of the coincidence matrices (D, V, V); NaN where undefined."""
    n_v = o.sum(axis=2)
    n = n_v.sum(axis=1)
    delta = _distances(n_v, level, positions)
    observed = (o * delta).sum(axis=(1, 2))
    expected = (n_v[:, :, None] * n_v[:, None, :] * delta).sum(axis=(1, 2))
    defined = expected > 0
    ratio = np.divide(observed * (n - 1), expected, out=np.zeros_like(n), where=defined)
    return np.where(defined, 1 - ratio, np.nan)


def _distances(n_v: Floats, level: Level, positions: Floats) -> Floats:
    """Return squared differences (D, V, V) between options, given the marginals n_v (D, V)."""
    if level == "nominal":
        return np.broadcast_to(1 - np.eye(n_v.shape[1]), (*n_v.shape, n_v.shape[1]))
    # The ordinal metric adds up the votes between two options, half of the ends included. That is
    # the distance between the mid-ranks of the options, so it changes with every draw.
    x = np.cumsum(n_v, axis=1) - n_v / 2 if level == "ordinal" else positions[None]
    difference = x[:, :, None] - x[:, None, :]
    if level == "ratio":
        total = x[:, :, None] + x[:, None, :]
        difference = np.divide(difference, total, out=np.zeros_like(total), where=total != 0)
    return np.asarray(difference**2)


def option_positions(votes: Votes, level: Level) -> Floats:
    """Return the numbers behind the options (V,), checked against the level of measurement."""
    if level not in get_args(Level):
        raise BadSetting("level", level, "nominal, ordinal, interval or ratio")
    if level in ("nominal", "ordinal"):
        return np.arange(len(votes.options), dtype=np.float64)
    try:
        numbers = np.array(votes.options, dtype=np.float64)
    except (TypeError, ValueError):
        raise _options_not_numeric(level, "the options are not numbers") from None
    if not np.isfinite(numbers).all():
        raise _options_not_numeric(level, "an option is not a finite number")
    if level == "ratio" and (numbers < 0).any():
        raise _options_not_numeric(level, "an option is below zero")
    return numbers


def _share_agreeing(o: Floats) -> Floats:
    total = o.sum(axis=(1, 2))
    agreeing = np.trace(o, axis1=1, axis2=2)
    share = np.divide(agreeing, total, out=np.full_like(total, np.nan), where=total > 0)
    return np.asarray(share)


def _pairable(votes: Votes, measure: str) -> Ints:
    """Return the counts of the items that have at least two votes: (N', V)."""
    counts = votes.counts()
    counts = counts[counts.sum(axis=1) >= 2]
    if not len(counts):
        raise NothingPairable(measure)
    return np.asarray(counts)


def _with_interval(
    votes: Votes,
    counts: Ints,
    statistic: Statistic,
    bootstrap: Bootstrap,
    numbers: Floats | None = None,
) -> dict[str, Any]:
    """Return the fields of an AgreementResult other than its value.

    With the numbers behind the options the statistic is alpha at the interval level.
    """
    low, high, undefined = float("nan"), float("nan"), 0
    if bootstrap.draws:
        rng = bootstrap.generator()
        items = bootstrap.resample == "items"
        if numbers is not None and items:
            drawn = interval_item_draws(counts, numbers, bootstrap.draws, rng)
        elif numbers is not None:
            drawn = interval_worker_draws(votes, numbers, bootstrap.draws, rng)
        elif items:
            drawn = item_draws(counts, statistic, bootstrap.draws, rng)
        elif bootstrap.draws * counts.shape[1] ** 2 <= CELLS_AT_ONCE:
            drawn = statistic(kept_worker_coincidences(votes, bootstrap))
        else:
            drawn = worker_draws(votes, statistic, bootstrap.draws, rng)
        low, high, undefined = percentile_interval(drawn, bootstrap.confidence)
    return {
        "low": low,
        "high": high,
        "items": len(counts),
        "votes": int(counts.sum()),
        "draws": bootstrap.draws,
        "undefined_draws": undefined,
        "confidence": bootstrap.confidence,
        "seed": bootstrap.seed,
        "resample": bootstrap.resample,
    }


def spearman_brown(alpha: float, votes: int) -> float | None:
    """Return the reliability of the mean of several votes on an item, given alpha of one vote.

    None where one vote has no reliability. Spearman, British Journal of Psychology 3 (1910); Brown,
    ibid.
    """
    return alpha * votes / (1 + (votes - 1) * alpha) if alpha > 0 else None
