"""Agreement of coders on one code: Cohen's kappa and Krippendorff's alpha, over units.

A code is a binary vote by each coder on each unit. The bootstrap resamples units, assuming that
they are independent. Percentile intervals are too narrow if few units have the rarer answer, so
they are expanded (Hesterberg, The American Statistician 69, 2015) as for a mean of these units.
benchmarks/coverage/coders.py measures the coverage; with fewer than 10 uses it falls to 50%.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import scipy

from analysis.stats.agreement.alpha import AgreementResult, krippendorff_alpha
from analysis.stats.agreement.kappa import cohen_kappa
from analysis.stats.arrays import Flags
from analysis.stats.design_checks import (
    ALL_ALIKE,
    MOST_UNDEFINED,
    PERFECT,
    at_least,
    few_clusters,
    undefined,
)
from analysis.stats.errors import CannotCompute
from analysis.stats.votes import Votes

LEAST_RARER = 10  # votes for the rarer answer over all coders


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
    few = few_clusters("agreement", units=N, workers=None, called="units")
    if not few and rarer < LEAST_RARER:
        few = f"An interval needs at least {at_least(LEAST_RARER, 'uses of the code', rarer)}."
    carriers = int((table == (table.mean() <= 0.5)).any(axis=0).sum())
    measures: Mapping[str, Callable[..., AgreementResult]] = {
        "kappa": partial(cohen_kappa, minimum_shared=1),
        "alpha": partial(krippendorff_alpha, level="nominal"),
    }
    kappa, alpha = (
        _measured(
            name, partial(function, votes, seed=seed, confidence=expanded(carriers)), few, draws
        )
        for name, function in measures.items()
    )
    return CodeAgreement(N, tuple(map(int, table.sum(axis=1))), kappa, alpha, draws, seed)


def expanded(n: int, confidence: float = 0.95) -> float:
    """Return the share of draws inside an expanded percentile interval, for n > 1 units."""
    if n < 2:
        return confidence
    t = scipy.stats.t.ppf((1 + confidence) / 2, n - 1)
    return float(1 - 2 * scipy.stats.norm.sf(t * (n / (n - 1)) ** 0.5))


def _measured(
    name: str, function: Callable[..., AgreementResult], few: str, draws: int
) -> CodeMeasure:
    try:
        result = function(draws=0 if few else draws)
    except CannotCompute as reason:
        return CodeMeasure(None, None, None, str(reason))
    if few:
        return CodeMeasure(result.value, None, None, few)
    if result.value > PERFECT:
        return CodeMeasure(result.value, None, None, ALL_ALIKE.format(name))
    if result.undefined_draws > MOST_UNDEFINED * draws:
        why = undefined(name, undefined_draws=result.undefined_draws, draws=draws)
        return CodeMeasure(result.value, None, None, why)
    return CodeMeasure(result.value, result.low, result.high, "")
