"""Two groups matched by topic: Wilcoxon signed-rank and paired t, with effect sizes.

Wilcoxon (1945), zero differences dropped before ranking (zero_method="wilcox"); effect size: the
matched-pairs rank-biserial correlation (W+ - W-) / (W+ + W-) (Kerby 2014), bootstrapped over
topics. Paired t; effect size: Cohen's d_z, the mean of the differences over their standard
deviation, its interval from the noncentral t distribution (Cumming and Finch 2001). A family of
tests is corrected together: Benjamini and Hochberg (1995).
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
import scipy
from numpy.typing import ArrayLike

from analysis.stats.arrays import Floats
from analysis.stats.errors import CannotCompute
from analysis.stats.resampling import Bootstrap
from annotation.texts.counting import counted, there_are

COLUMNS = ("test", "topic", "first", "second")
DIGITS = 10  # of the largest difference; what is below is the rounding of means, and ties are ties


class NotPaired(CannotCompute):
    """The values do not come in pairs, or not in enough of them."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"A paired test cannot be computed because {reason}.")


class NoTestLeft(CannotCompute):
    """Not one test of the family has a value."""

    def __init__(self, family: str, refused: Mapping[Hashable, str]) -> None:
        why = f" Of the first: {next(iter(refused.values()))}" if refused else ""
        super().__init__(f"No test {family} can be computed.{why}")


@dataclass(frozen=True, kw_only=True)
class PairedResult:
    """second - first on n topics, of which zeros have no difference.

    difference: the mean, with its t interval. t, t_p: paired t. d_z: Cohen's, with its interval.
    w: the smaller of W+ and W-; w_p: two-sided, by scipy's own choice of exact or normal.
    rank_biserial: 1 if second is higher on all topics, -1 on none, with its bootstrap interval.
    """

    n: int
    zeros: int
    difference: float
    low: float
    high: float
    t: float
    t_p: float
    d_z: float
    d_z_low: float
    d_z_high: float
    w: float
    w_p: float
    rank_biserial: float
    rank_biserial_low: float
    rank_biserial_high: float
    confidence: float
    draws: int
    seed: int


@dataclass(frozen=True, eq=False, kw_only=True)
class FamilyResult:
    """Tests that are corrected together.

    frame: test, the fields of PairedResult, and w_q, t_q: the p-values adjusted over the family.
    size: tests in it. refused: the tests that cannot be computed and are not in it, and why.
    """

    family: str
    size: int
    correction: str
    frame: pd.DataFrame
    refused: Mapping[Hashable, str]
    confidence: float
    draws: int
    seed: int


def paired_test(
    first: ArrayLike,
    second: ArrayLike,
    *,
    confidence: float = 0.95,
    draws: int = 1000,
    seed: int = 0,
) -> PairedResult:
    """Compare two values (n,) each, the k-th of either on the same topic.

    Raises NotPaired (lengths, fewer than two, a value that is no number, constant differences),
    BadSetting.
    """
    bootstrap = Bootstrap(draws=draws, confidence=confidence, seed=seed, least=1)
    d = _differences(first, second)
    n, mean, error = len(d), float(d.mean()), float(d.std(ddof=1)) / np.sqrt(len(d))
    t = mean / error
    half = float(scipy.stats.t.ppf((1 + confidence) / 2, n - 1)) * error
    lowest, highest = (_noncentrality(t, n - 1, tail) for tail in _tails(confidence)[::-1])
    w = scipy.stats.wilcoxon(d, zero_method="wilcox")
    rng = bootstrap.generator()
    drawn = _rank_biserial(d[rng.integers(0, n, (draws, n))])
    low, high = np.nanquantile(drawn, _tails(confidence))
    return PairedResult(
        n=n,
        zeros=int((d == 0).sum()),
        difference=mean,
        low=mean - half,
        high=mean + half,
        t=t,
        t_p=2 * float(scipy.stats.t.sf(abs(t), n - 1)),
        d_z=t / np.sqrt(n),
        d_z_low=lowest / np.sqrt(n),
        d_z_high=highest / np.sqrt(n),
        w=float(w.statistic),
        w_p=float(w.pvalue),
        rank_biserial=float(_rank_biserial(d[None])[0]),
        rank_biserial_low=float(low),
        rank_biserial_high=float(high),
        confidence=confidence,
        draws=draws,
        seed=seed,
    )


def paired_family(
    frame: pd.DataFrame,
    *,
    family: str,
    confidence: float = 0.95,
    draws: int = 1000,
    seed: int = 0,
) -> FamilyResult:
    """Every test of a long frame with the columns test, topic, first, second; family says which
    they are, as in "none of the tests by style".

    Several rows of a topic in one test are averaged first: topics are what is drawn from a
    population, and the styles of a topic are no further draws.

    Raises NotPaired, NoTestLeft, BadSetting.
    """
    missing = [column for column in COLUMNS if column not in frame.columns]
    if missing:
        raise NotPaired(f"the frame lacks the columns {', '.join(missing)}")
    rows: list[dict[str, object]] = []
    refused: dict[Hashable, str] = {}
    for test, part in frame.groupby("test", sort=False):
        # a missing value must not vanish in a mean
        topics = part.groupby("topic")[["first", "second"]].mean(skipna=False)
        try:
            result = paired_test(
                topics["first"], topics["second"], confidence=confidence, draws=draws, seed=seed
            )
        except NotPaired as refusal:
            refused[test] = str(refusal)
        else:
            rows.append({"test": test, **vars(result)})
    if not rows:
        raise NoTestLeft(family, refused)
    found = pd.DataFrame(rows).drop(columns=["confidence", "draws", "seed"])
    for test in ("w", "t"):
        found[f"{test}_q"] = scipy.stats.false_discovery_control(found[f"{test}_p"])
    return FamilyResult(
        family=family,
        size=len(rows),
        correction="Benjamini-Hochberg",
        frame=found,
        refused=refused,
        confidence=confidence,
        draws=draws,
        seed=seed,
    )


def _differences(first: ArrayLike, second: ArrayLike) -> Floats:
    x, y = (np.asarray(values, dtype=np.float64) for values in (first, second))
    if x.shape != y.shape or x.ndim != 1:
        raise NotPaired(f"there are {x.size} and {y.size} values")
    if len(x) < 2:
        raise NotPaired(f"{there_are(len(x), 'topic')}, and it takes two")
    bad = int((~np.isfinite(x) | ~np.isfinite(y)).sum())
    if bad:
        have = "has" if bad == 1 else "have"
        raise NotPaired(f"{counted(bad, 'topic')} {have} a value that is not a finite number")
    d = y - x
    scale = float(np.abs(d).max())
    if scale == 0:
        raise NotPaired("the two groups have the same value on every topic")
    d = np.round(d / scale, DIGITS) * scale
    if (d == d[0]).all():
        raise NotPaired("the difference is the same on every topic, and without variation no error")
    return np.asarray(d)


def _rank_biserial(d: Floats) -> Floats:
    """Of each row of differences (D, n); NaN for a row of zeros."""
    size = np.abs(d)
    # zeros rank first, and are taken out of the ranks of the others
    rank = scipy.stats.rankdata(size, axis=1) - (d == 0).sum(axis=1, keepdims=True)
    signed = (np.sign(d) * rank).sum(axis=1)
    all_ranks = (rank * (d != 0)).sum(axis=1)
    share = np.divide(signed, all_ranks, out=np.full(len(d), np.nan), where=all_ranks > 0)
    return np.asarray(share)


def _noncentrality(t: float, degrees: int, probability: float) -> float:
    """The noncentrality at which a t as low as this has the probability.

    T < t means Z < t S - ncp, S being the standard deviation, a chi variable: a mean of normal
    probabilities over S. scipy's noncentral t is NaN where ncp and t are far apart.
    """
    chi = scipy.stats.chi(degrees)
    S = np.linspace(chi.ppf(1e-12), chi.isf(1e-12), 2001)
    weight = chi.pdf(S)
    weight /= weight.sum()
    S /= np.sqrt(degrees)

    def excess(ncp: float) -> float:
        return float(weight @ scipy.special.ndtr(t * S - ncp)) - probability

    reach = 10 + abs(t) * float(S[-1])
    return float(scipy.optimize.brentq(excess, -reach, reach))


def _tails(confidence: float) -> tuple[float, float]:
    return (1 - confidence) / 2, (1 + confidence) / 2
