"""Two groups matched by topic: Wilcoxon signed-rank and paired t, with effect sizes.

Wilcoxon (1945), zero differences dropped before ranking (zero_method="wilcox"); effect size: the
matched-pairs rank-biserial correlation (rank_biserial.py). Paired t; effect size: Cohen's d_z, the
mean of the differences over their standard deviation. Its interval is a jackknife over topics
(Miller 1974) on the scale sqrt(2) asinh(d_z / sqrt(2)), where its variance is the same for each d_z
(as Hedges and Olkin 1985 have it for two groups). That of the noncentral t (Cumming and Finch 2001)
is exact for normal differences, and covered 65 to 100 % where they are skewed or have long tails. A
family of tests is corrected together: Benjamini and Hochberg (1995).
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
import scipy
from numpy.typing import ArrayLike

from analysis.stats.arrays import Floats
from analysis.stats.design_checks import LEAST_UNITS, few_clusters, few_topics_of_group
from analysis.stats.effects.rank_biserial import rank_biserial, rank_biserial_interval
from analysis.stats.errors import CannotCompute
from analysis.stats.resampling import check_confidence
from annotation.texts.plurals import counted

COLUMNS = ("test", "topic", "first", "second")
ONE_ALONE = "No interval for d_z: all differences but one are equal."
NAN = float("nan")
MAX_ENUMERATED = 13  # topics, as scipy: above, ties have the normal approximation
DIGITS = 10  # of the largest difference; what is below is the rounding of means, and ties are ties


class NotPaired(CannotCompute):
    """The values do not come in pairs, or not in enough of them."""

    def __init__(self, reason: str) -> None:
        super().__init__("not_paired", f"A paired test cannot be computed because {reason}.")


@dataclass(frozen=True, kw_only=True)
class PairedResult:
    """Second minus first on n topics, of which `zeros` have no difference.

    difference: the mean, with its t interval. t, t_p: paired t. d_z: Cohen's, with its interval.
    w: the smaller of W+ and W-; w_p: two-sided, exact or normal as scipy chooses.
    rank_biserial: 1 if second is higher on all topics, -1 on none, with its interval.
    Where ends are NaN, `why` gives the reason: below ten topics, or differences.
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
    why: str
    confidence: float


@dataclass(frozen=True, eq=False, kw_only=True)
class FamilyResult:
    """Tests that are corrected together.

    frame: test, the fields of PairedResult, and w_q, t_q: the p-values adjusted over the family.
    size: tests in it. refused: tests left out because they cannot be computed, and why.
    """

    family: str
    size: int
    correction: str
    frame: pd.DataFrame
    refused: Mapping[Hashable, str]
    confidence: float


def paired_test(
    first: ArrayLike, second: ArrayLike, *, confidence: float = 0.95, topics: int = 0
) -> PairedResult:
    """Compare two values (n,) each, the k-th of either on the same topic.

    topics: of all tests together. Where these are enough, only this test lacks topics.

    Raises NotPaired (lengths, fewer than two, a value that is no number, constant differences),
    BadSetting.
    """
    check_confidence(confidence)
    d = _differences(first, second)
    n, zeros, mean = len(d), int((d == 0).sum()), float(d.mean())
    error = float(d.std(ddof=1)) / np.sqrt(n)
    t, r = mean / error, rank_biserial(d)
    few, few_signs = (
        few_clusters("differences", units=n, workers=None, called="topics"),
        _few_signs(n - zeros),
    )
    if few and topics >= LEAST_UNITS:
        few = few_topics_of_group(n)
    reach = NAN if few else float(scipy.stats.t.ppf((1 + confidence) / 2, n - 1))
    d_z_low, d_z_high, one_alone = (NAN, NAN, "") if few else _d_z_interval(d, reach)
    r_low, r_high = (NAN, NAN)
    if not few_signs:
        r_low, r_high = rank_biserial_interval(r, n - zeros, confidence=confidence)
    w, w_p = _signed_rank(d)
    return PairedResult(
        n=n,
        zeros=zeros,
        difference=mean,
        low=mean - reach * error,
        high=mean + reach * error,
        t=t,
        t_p=2 * float(scipy.stats.t.sf(abs(t), n - 1)),
        d_z=t / np.sqrt(n),
        d_z_low=d_z_low,
        d_z_high=d_z_high,
        w=w,
        w_p=w_p,
        rank_biserial=r,
        rank_biserial_low=r_low,
        rank_biserial_high=r_high,
        why=few or " ".join(filter(None, (few_signs, one_alone))),
        confidence=confidence,
    )


def paired_family(
    frame: pd.DataFrame,
    *,
    family: str,
    confidence: float = 0.95,
) -> FamilyResult:
    """Run every test of a long frame with the columns test, topic, first, second.

    family: its name, as in "none of the tests by style". Several rows of a topic in one test are
    averaged first: topics are drawn from a population, and the styles of a topic are no further
    draws.

    Raises CannotCompute (no_test), NotPaired, BadSetting.
    """
    missing = [column for column in COLUMNS if column not in frame.columns]
    if missing:
        raise NotPaired(f"the frame lacks the columns {', '.join(missing)}")
    rows: list[dict[str, object]] = []
    refused: dict[Hashable, str] = {}
    of_all = frame["topic"].nunique()
    for test, part in frame.groupby("test", sort=False):
        # a missing value must not vanish in a mean
        topics = part.groupby("topic")[["first", "second"]].mean(skipna=False)
        try:
            result = paired_test(
                topics["first"], topics["second"], confidence=confidence, topics=of_all
            )
        except NotPaired as refusal:
            refused[test] = str(refusal)
        else:
            rows.append({"test": test, **vars(result)})
    if not rows:
        why = " No topic has values of both groups."
        if refused:
            why = f" For the first test: {next(iter(refused.values()))}"
        raise CannotCompute("no_test", f"No test {family} can be computed.{why}")
    tests = pd.DataFrame(rows).drop(columns="confidence")
    for test in ("w", "t"):
        tests[f"{test}_q"] = scipy.stats.false_discovery_control(tests[f"{test}_p"])
    return FamilyResult(
        family=family,
        size=len(rows),
        correction="Benjamini-Hochberg",
        frame=tests,
        refused=refused,
        confidence=confidence,
    )


def _differences(first: ArrayLike, second: ArrayLike) -> Floats:
    x, y = (np.asarray(values, dtype=np.float64) for values in (first, second))
    if x.shape != y.shape or x.ndim != 1:
        raise NotPaired(f"there are {x.size} and {y.size} values")
    if len(x) < 2:
        raise NotPaired(f"it needs two topics (you have {len(x)})")
    bad = int((~np.isfinite(x) | ~np.isfinite(y)).sum())
    if bad:
        have = "has" if bad == 1 else "have"
        raise NotPaired(f"{counted(bad, 'topic')} {have} a value that is not a finite number")
    d = y - x
    scale = float(np.abs(d).max())
    size = max(1.0, float(np.abs(x).max()), float(np.abs(y).max()))
    if scale <= size * 10.0**-DIGITS:  # no more than the rounding of sums
        raise NotPaired("the two groups have the same value on every topic")
    d = np.round(d / scale, DIGITS) * scale
    if (d == d[0]).all():
        raise NotPaired("the difference is the same on every topic, so it has no variance")
    return np.asarray(d)


def _signed_rank(d: Floats) -> tuple[float, float]:
    """Return Wilcoxon's statistic and its two-sided p for differences (n,).

    With ties or zeros and up to 13 topics scipy enumerates all 2^n signs one by one. The sums of
    their ranks are counted here instead: the same p, a thousand times as fast.
    """
    signed = d[d != 0]
    ranks = scipy.stats.rankdata(np.abs(signed))
    if len(d) > MAX_ENUMERATED or len(np.unique(ranks)) == len(d):
        result = scipy.stats.wilcoxon(d, zero_method="wilcox")
        return float(result.statistic), float(result.pvalue)
    doubled = np.rint(2 * ranks).astype(np.int64)  # means of tied ranks are halves
    ways = np.zeros(doubled.sum() + 1)  # (twice the sum,): choices of signs that reach it
    ways[0] = 1
    for rank in doubled:
        ways[rank:] += ways[:-rank].copy()
    plus = int(doubled[signed > 0].sum())
    tail = min(ways[: plus + 1].sum(), ways[plus:].sum()) / ways.sum()
    return min(plus, len(ways) - 1 - plus) / 2, min(1.0, 2 * float(tail))


def _few_signs(number: int) -> str:
    """Return why no interval of the rank-biserial correlation is offered."""
    if number >= LEAST_UNITS:
        return ""
    return (
        f"An interval for the rank-biserial correlation needs at least {LEAST_UNITS} topics with a "
        f"difference (you have {number})."
    )


def _d_z_interval(d: Floats, reach: float) -> tuple[float, float, str]:
    """Return the jackknife interval of differences (n,), n >= 3, on the variance-stable scale.

    `reach`: the quantile of t. The third value is the reason where there are no ends.
    """
    n = len(d)
    mean = (d.sum() - d) / (n - 1)
    variance = ((d**2).sum() - d**2 - (n - 1) * mean**2) / (n - 2)
    if (variance <= np.ptp(d) ** 2 * 10.0**-DIGITS).any():
        return NAN, NAN, ONE_ALONE
    whole = float(_stable(d.mean() / d.std(ddof=1)))
    without = _stable(mean / np.sqrt(variance))
    centre = n * whole - (n - 1) * float(without.mean())
    error = float(np.sqrt((n - 1) * without.var()))
    return _d_z(centre - reach * error), _d_z(centre + reach * error), ""


def _stable(d_z: Floats) -> Floats:
    return np.asarray(np.sqrt(2) * np.arcsinh(d_z / np.sqrt(2)))


def _d_z(stable: float) -> float:
    return float(np.sqrt(2) * np.sinh(stable / np.sqrt(2)))
