"""Agreement of coders on one code: Cohen's kappa and Krippendorff's alpha, over units.

A code is a binary vote by each coder on each unit. The bootstrap resamples units, assuming that
they are independent. Percentile intervals are too narrow if few units have the rarer answer, so
they are expanded (Hesterberg, The American Statistician 69, 2015) as for a mean of these units.
benchmarks/coverage/coders.py measures the coverage; with fewer than 10 uses it falls to 50%.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import scipy

from analysis.stats.agreement.alpha import AgreementResult, krippendorff_alpha
from analysis.stats.agreement.kappa import cohen_kappa
from analysis.stats.arrays import Flags
from analysis.stats.design_checks import LEAST_UNITS, MOST_UNDEFINED, NOT_ENOUGH, PERFECT, at_least
from analysis.stats.errors import CannotCompute
from analysis.stats.votes import Votes

LEAST_RARER = 10  # votes for the rarer answer over all coders
CONFIDENCE = 0.95
UNVARIED = ("no_variation", "one_value_only")
ALL_AGREE = "No interval because the coders agree on all comments."
ALL_THE_SAME = "Not defined because all comments were coded alike."


@dataclass(frozen=True)
class CodeMeasure:
    """A measure with its interval, or with the reason why it has none. None means undefined."""

    value: float | None
    low: float | None
    high: float | None
    why: str


@dataclass(frozen=True)
class CodeAgreement:
    """Agreement on a code; `given` counts the units that each coder gave the code."""

    units: int
    given: tuple[int, ...]
    kappa: CodeMeasure
    alpha: CodeMeasure
    draws: int
    seed: int


def code_agreement(
    given: Sequence[Sequence[bool]] | Flags, *, draws: int = 1000, seed: int = 0
) -> CodeAgreement:
    """Return the agreement on a code from a row of answers per coder, (C, N) with C > 1."""
    table = np.array(given, dtype=np.int64)
    C, N = table.shape
    votes = Votes.from_indices(
        np.tile(np.arange(N), C), np.repeat(np.arange(C), N), table.ravel(), options=("no", "yes")
    )
    rarer = int(min(table.sum(), table.size - table.sum()))
    few = _too_few(N, rarer, is_mostly_given=table.mean() > 0.5)
    carriers = int((table == (table.mean() <= 0.5)).any(axis=0).sum())
    measures: Sequence[Callable[..., AgreementResult]] = (
        partial(cohen_kappa, minimum_shared=1),
        partial(krippendorff_alpha, level="nominal"),
    )
    kappa, alpha = (
        _measured(partial(function, votes, seed=seed, confidence=expanded(carriers)), few, draws)
        for function in measures
    )
    return CodeAgreement(N, tuple(map(int, table.sum(axis=1))), kappa, alpha, draws, seed)


def _too_few(units: int, rarer: int, *, is_mostly_given: bool) -> str:
    """Return the reason against an interval, or an empty string."""
    if units < LEAST_UNITS:
        return f"{NOT_ENOUGH} it needs {at_least(LEAST_UNITS, 'comments', units)}."
    if rarer < LEAST_RARER:
        rare = "comments without the code" if is_mostly_given else "uses of the code"
        return f"{NOT_ENOUGH} it needs {at_least(LEAST_RARER, f'{rare} by all coders', rarer)}."
    return ""


def expanded(n: int) -> float:
    """Return the share of draws in an expanded 95% percentile interval of n > 1 units."""
    if n < 2:
        return CONFIDENCE
    t = scipy.stats.t.ppf((1 + CONFIDENCE) / 2, n - 1)
    return float(1 - 2 * scipy.stats.norm.sf(t * (n / (n - 1)) ** 0.5))


def _measured(function: Callable[..., AgreementResult], few: str, draws: int) -> CodeMeasure:
    try:
        result = function(draws=0 if few else draws)
    except CannotCompute as reason:
        why = ALL_THE_SAME if reason.code in UNVARIED else str(reason)
        return CodeMeasure(None, None, None, why)
    if few:
        return CodeMeasure(result.value, None, None, few)
    if result.value > PERFECT:
        return CodeMeasure(result.value, None, None, ALL_AGREE)
    if result.undefined_draws > MOST_UNDEFINED * draws:
        why = f"No interval because {result.undefined_draws:,} of {draws:,} draws have no value."
        return CodeMeasure(result.value, None, None, why)
    return CodeMeasure(result.value, result.low, result.high, "")
