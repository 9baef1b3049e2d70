"""Costs of responses, judgments and gold labels, wages of workers, and savings by fewer votes.

Amounts are in the currency of the study and are never rounded here.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import comb, prod

import numpy as np

from analysis.stats.arrays import Floats, Ints
from analysis.stats.errors import BadSetting, CannotCompute
from analysis.stats.resampling import Bootstrap, percentile_interval
from analysis.stats.votes import Votes
from annotation.studies.wages import hourly

# With fewer works the percentiles of a bootstrap cover far less often than they say: of ratios
# of equal pay to lognormal hours (sigma .5) 85 % from 10 works and 93 % from 30 (test_cost.py).
LEAST_PAYMENTS = 30


@dataclass(frozen=True, kw_only=True)
class UnitCost:
    """Cost of a unit: value = total / units, over n payments.

    low and high are of a bootstrap over payments; NaN below LEAST_PAYMENTS, as for a lump sum.
    fee is the platform's share on top of the workers' pay, included in total.
    """

    unit: str
    value: float
    low: float
    high: float
    total: float
    units: float
    n: int
    fee: float
    draws: int
    confidence: float
    seed: int


@dataclass(frozen=True, kw_only=True)
class WageResult:
    """Effective wages in an hour of active work, over n assignments with a known time.

    value: all pay over all hours, with low and high (NaN below LEAST_PAYMENTS). median: of
    the single assignments. below: the share of assignments that earned less than the target
    (NaN without a target). untimed: assignments left out because they have no active time.
    """

    value: float
    low: float
    high: float
    median: float
    below: float
    n: int
    untimed: int
    target: float | None
    draws: int
    confidence: float
    seed: int


@dataclass(frozen=True, kw_only=True)
class SavingResult:
    """Money that `fewer` votes an item would save, and majorities that they would keep.

    saved: the money for the votes above `fewer`; share: of the total. kept: the probability that
    the majority of `fewer` votes drawn at random from those of an item is the majority of all,
    mean over the n items with more votes, ties counted by their chance; low and high are of a
    bootstrap over these items.
    """

    fewer: int
    votes: int
    price: float
    saved: float
    share: float
    kept: float
    low: float
    high: float
    n: int
    draws: int
    confidence: float
    seed: int


def unit_cost(
    paid: Sequence[float],
    units: Sequence[float],
    *,
    unit: str,
    fee: float = 0.0,
    draws: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
) -> UnitCost:
    """Compute the cost of a response, judgment or gold label.

    paid, units: the amount of each payment and the units it bought; for a lump sum one of each.
    fee: the platform's, as a share of the payment. Raises CannotCompute (no_units), BadSetting.
    """
    bootstrap = Bootstrap(draws=draws, confidence=confidence, seed=seed)
    money, bought = _amounts(paid, "paid"), _amounts(units, "units")
    if not fee >= 0:
        raise BadSetting("fee", fee, "0 or more")
    if len(money) != len(bought):
        raise BadSetting("units", len(bought), f"as many as the {len(money)} payments")
    if not bought.sum():
        raise CannotCompute(
            "no_units", f"The cost of a {unit} cannot be computed because there are no {unit}s."
        )
    money = money * (1 + fee)
    low, high = _interval_over_payments(money, bought, bootstrap)
    return UnitCost(
        unit=unit,
        value=float(money.sum() / bought.sum()),
        low=low,
        high=high,
        total=float(money.sum()),
        units=float(bought.sum()),
        n=len(money),
        fee=fee,
        draws=draws,
        confidence=confidence,
        seed=seed,
    )


def hourly_wage(
    paid: Sequence[float],
    minutes: Sequence[float],
    *,
    target: float | None = None,
    draws: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
) -> WageResult:
    """Compute the effective hourly wage from the pay and the active minutes of each assignment.

    Assignments without an active time (NaN or 0) are left out of both sums, or the wage would be
    too high. Raises CannotCompute (no_working_time), BadSetting.
    """
    bootstrap = Bootstrap(draws=draws, confidence=confidence, seed=seed)
    money = _amounts(paid, "paid")
    hours = np.asarray(minutes, dtype=np.float64) / 60
    if len(money) != len(hours):
        raise BadSetting("minutes", len(hours), f"as many as the {len(money)} payments")
    timed = hours > 0
    if not timed.any():
        raise CannotCompute(
            "no_working_time",
            "An hourly wage cannot be computed because no assignment has an active time above 0.",
        )
    money, hours = money[timed], hours[timed]
    low, high = _interval_over_payments(money, hours, bootstrap)
    wages = money / hours
    return WageResult(
        value=hourly(pay=float(money.sum()), minutes=float(hours.sum() * 60)) or 0.0,
        low=low,
        high=high,
        median=float(np.median(wages)),
        below=float("nan") if target is None else float((wages < target).mean()),
        n=len(money),
        untimed=int((~timed).sum()),
        target=target,
        draws=draws,
        confidence=confidence,
        seed=seed,
    )


def saving(
    votes: Votes,
    *,
    fewer: int,
    price: float,
    draws: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
) -> SavingResult:
    """Compute the savings of `fewer` votes an item on one question, at a price a vote.

    Raises CannotCompute (too_few_votes), BadSetting.
    """
    bootstrap = Bootstrap(draws=draws, confidence=confidence, seed=seed)
    if fewer < 1:
        raise BadSetting("fewer", fewer, "1 or more")
    counts = votes.counts()
    spare = counts[counts.sum(axis=1) > fewer]
    if not len(spare):
        raise CannotCompute(
            "too_few_votes",
            f"Savings with {fewer} {'vote' if fewer == 1 else 'votes'} per item cannot be "
            "computed because no item has more.",
        )
    kinds, kind = np.unique(spare, axis=0, return_inverse=True)
    probabilities = np.array([_kept(row, fewer) for row in kinds.tolist()])[kind]
    low, high = _ratio_interval(probabilities, np.ones(len(probabilities)), bootstrap)
    unneeded = int(spare.sum() - fewer * len(spare))
    return SavingResult(
        fewer=fewer,
        votes=len(votes),
        price=price,
        saved=unneeded * price,
        share=unneeded / len(votes),
        kept=float(probabilities.mean()),
        low=low,
        high=high,
        n=len(spare),
        draws=draws,
        confidence=confidence,
        seed=seed,
    )


def _kept(row: Sequence[int], fewer: int) -> float:
    """Return P(the majority of `fewer` votes drawn without return is that of all), for counts (V,).

    Where options are tied, in all votes or in the drawn ones, each is the majority with the same
    chance.
    """
    probability = 0.0
    for drawn in product(*(range(count + 1) for count in row)):
        if sum(drawn) == fewer:
            ways = prod(comb(count, taken) for count, taken in zip(row, drawn, strict=True))
            probability += ways * float(_leaders(row) @ _leaders(drawn))
    return probability / comb(sum(row), fewer)


def _leaders(counts: Sequence[int]) -> Floats:
    """Return the probability of each option to be the majority (V,)."""
    first = np.array(counts) == max(counts)
    return np.asarray(first / first.sum())


def _interval_over_payments(
    above: Floats, below: Floats, bootstrap: Bootstrap
) -> tuple[float, float]:
    """Return _ratio_interval, or NaN where payments are too few for it to cover."""
    if len(above) < LEAST_PAYMENTS:
        return float("nan"), float("nan")
    return _ratio_interval(above, below, bootstrap)


def _ratio_interval(above: Floats, below: Floats, bootstrap: Bootstrap) -> tuple[float, float]:
    """Return the bootstrap interval of sum(above) / sum(below) over their common axis (n,)."""
    if len(above) < 2 or not bootstrap.draws:
        return float("nan"), float("nan")
    # Equal pairs are drawn together: thousands of assignments have a handful of different rates.
    kinds, frequency = np.unique(np.stack([above, below]), axis=1, return_counts=True)
    rng = bootstrap.generator()
    drawn: Ints = rng.multinomial(len(above), frequency / len(above), size=bootstrap.draws)
    sums = drawn @ kinds.T
    ratio = np.divide(
        sums[:, 0], sums[:, 1], out=np.full(bootstrap.draws, np.nan), where=sums[:, 1] > 0
    )
    low, high, _ = percentile_interval(ratio, bootstrap.confidence)
    return low, high


def _amounts(values: Sequence[float], name: str) -> Floats:
    amounts = np.asarray(values, dtype=np.float64)
    if not (amounts >= 0).all():
        raise BadSetting(name, float(amounts[~(amounts >= 0)][0]), "numbers of 0 or more")
    return amounts
