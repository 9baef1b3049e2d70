"""Effects of side, direction and position of an item on its votes.

All functions take a long frame of the votes on one question, a row a vote:

| column | meaning |
|---|---|
| item | id of the item, whatever the order its slots were shown in |
| worker | id of the worker |
| value | canonical vote: the name of the preferred slot or another option; empty if not answered |
| shown | names of the two slots from left to right, with a comma between: "a,b" or "b,a" |
| task | id of the questionnaire |
| position | place in the questionnaire at which the worker saw the item |
"""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import pandas as pd
import scipy

from analysis.stats.agreement.alpha import Level
from analysis.stats.agreement.part_agreement import PartsResult, compare_parts
from analysis.stats.arrays import Floats, Ints
from analysis.stats.crossed_errors import jackknife_variance
from analysis.stats.design_checks import few_workers
from analysis.stats.errors import BadSetting, CannotCompute, missing_columns
from analysis.stats.resampling import Bootstrap, percentile_interval, portions

Interval = Literal["jackknife", "bootstrap"]
SHARE = "the share of the right-hand side"


@dataclass(frozen=True, kw_only=True)
class RightHandShare:
    """The share of votes for the right-hand side among those that prefer a side.

    low, high: over clusters, NaN where `why` gives the reason for no interval. p: of the null
    hypothesis that both sides draw equally, exact over all ways to swap the sides of whole clusters
    (two-sided). binomial_p: of the plain binomial test, which takes every vote for independent and
    is too small when they are not. votes prefer a side, neutral ones do not.
    """

    share: float
    low: float
    high: float
    p: float
    binomial_p: float
    votes: int
    neutral: int
    clusters: int
    cluster: str
    interval: Interval
    why: str
    draws: int
    confidence: float
    seed: int


def right_hand_share(
    frame: pd.DataFrame,
    *,
    cluster: str = "worker",
    interval: Interval = "jackknife",
    draws: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
) -> RightHandShare:
    """Compute the share of the right-hand side, with a test that respects dependent votes.

    Parameters
    ----------
    frame : value, shown and the column named by `cluster`. Votes on several questions may be
        combined.
    cluster : votes of one cluster may depend on each other: those of a worker by habit. Where all
        workers saw an item the same way round they also depend by item, since the better text is on
        the same side for all: then cluster by item too.
    interval : "jackknife" over clusters with t and one degree of freedom less than clusters, from
        five on; or percentiles of a "bootstrap", which are too narrow for few clusters (with five
        workers they cover 83 % at 95).

    Raises
    ------
    CannotCompute (no_preferences, one_cluster, unknown_sides, missing_columns), BadSetting

    The sign-flip test is Fisher's (The Design of Experiments, 1935, section 21) on right minus left
    of each cluster.
    """
    bootstrap = Bootstrap(draws=draws, confidence=confidence, seed=seed)
    if interval not in get_args(Interval):
        raise BadSetting("interval", interval, " or ".join(get_args(Interval)))
    _need(frame, ("value", "shown", cluster))
    frame = frame[frame["value"].notna()]
    left, right = _sides(frame["shown"])
    is_right, is_left = (frame["value"] == right), (frame["value"] == left)
    sides = pd.DataFrame({"right": is_right, "left": is_left, "cluster": frame[cluster]})
    sums = sides[is_right | is_left].groupby("cluster")[["right", "left"]].sum()
    r, n = sums["right"].to_numpy(), sums.sum(axis=1).to_numpy()
    if not len(sums):
        raise CannotCompute(
            "no_preferences",
            "The right-hand share cannot be computed because no vote prefers a side.",
        )
    if len(sums) < 2:
        raise CannotCompute(
            "one_cluster",
            "The right-hand share cannot be tested because all votes belong to one "
            f"{_called(cluster)}, so they are not independent.",
        )
    if interval == "bootstrap":
        why = ""
        low, high, _ = percentile_interval(_shares(r, n, bootstrap), confidence)
    else:
        why = _without_interval(r, n, cluster)
        low, high = (float("nan"),) * 2 if why else _by_leaving_out(r, n, confidence)
    return RightHandShare(
        share=float(r.sum() / n.sum()),
        low=low,
        high=high,
        p=sign_flip_p(2 * r - n),
        binomial_p=float(scipy.stats.binomtest(int(r.sum()), int(n.sum())).pvalue),
        votes=int(n.sum()),
        neutral=int(len(frame) - n.sum()),
        clusters=len(sums),
        cluster=cluster,
        interval=interval,
        why=why,
        draws=draws,
        confidence=confidence,
        seed=seed,
    )


def within_item_order(
    frame: pd.DataFrame,
    *,
    options: Sequence[Hashable],
    level: Level = "ordinal",
    draws: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
) -> PartsResult:
    """Compare agreement among workers who saw items one way round with the other way round.

    Reads item, worker, value, shown. Only items with two votes in each direction count. Raises
    CannotCompute (one_direction, no_common_items, missing_columns) and the errors of
    krippendorff_alpha.
    """
    bootstrap = Bootstrap(draws=draws, confidence=confidence, seed=seed)
    _need(frame, ("item", "worker", "value", "shown"))
    directions = sorted(frame["shown"].unique())
    if len(directions) != 2:
        n = len(directions)
        raise CannotCompute(
            "one_direction",
            "Agreement between two directions cannot be computed because the items were "
            f"shown in {n} direction{'s' * (n != 1)}.",
        )
    return compare_parts(
        frame,
        frame["shown"] == directions[1],
        options=options,
        names=(f"shown as {directions[0]}", f"shown as {directions[1]}"),
        level=level,
        bootstrap=bootstrap,
    )


def questionnaire_halves(
    frame: pd.DataFrame,
    *,
    options: Sequence[Hashable],
    level: Level = "ordinal",
    draws: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
) -> PartsResult:
    """Compare agreement in the first and second half of a questionnaire, on the same items.

    Reads item, worker, value, task, position. The half is that of the worker's own sequence; the
    middle one of an odd number of items belongs to neither. Only items count that two workers met
    early and two late, which needs an own item order for each worker. Raises CannotCompute
    (shared_order, no_common_items, missing_columns) and the errors of krippendorff_alpha.
    """
    bootstrap = Bootstrap(draws=draws, confidence=confidence, seed=seed)
    _need(frame, ("item", "worker", "value", "task", "position"))
    if _one_order(frame):
        raise CannotCompute(
            "shared_order",
            "The halves of the questionnaire cannot be compared because all participants of a "
            "task saw its items in the same order: the halves contain different items, so "
            "their difference is not an order effect.",
        )
    sequence = frame.groupby(["task", "worker"])["position"]
    rank = sequence.rank(method="first")
    m = sequence.transform("size")
    early, late = rank <= m // 2, rank > m - m // 2
    return compare_parts(
        frame[early | late],
        late[early | late],
        options=options,
        names=("in the first half", "in the second half"),
        level=level,
        bootstrap=bootstrap,
    )


def sign_flip_p(differences: Ints) -> float:
    """Return P(|sum of +-d| >= |sum of d|) over all 2^C choices of signs, d (C,) integers.

    The sum has the characteristic function product of cos(d t); one Fourier transform gives the
    probability of every integer, exact to about 1e-12. Time and memory grow with the sum of |d|.
    """
    size, often = np.unique(np.abs(differences), return_counts=True)
    M = 2 * int(size @ often) + 1
    t = 2 * np.pi * np.arange(M) / M
    phi = np.ones(M)
    for d, c in zip(size, often, strict=True):
        phi *= np.cos(d * t) ** c
    probability = np.fft.fft(phi).real / M
    sums = np.minimum(np.arange(M), M - np.arange(M))  # place s holds the sum s, place M - s, -s
    p = probability[sums >= abs(int(differences.sum()))].sum()
    return float(np.clip(p, 0, 1))


def _called(cluster: str) -> str:
    """Return the word that readers know a column of clusters by."""
    return "participant" if cluster == "worker" else cluster


def _without_interval(right: Ints, n: Ints, cluster: str) -> str:
    """Return why no jackknife interval over clusters is offered."""
    if why := few_workers(SHARE, len(n), cluster=_called(cluster)):
        return why
    if (right * n.sum() == n * right.sum()).all():
        return f"No interval for {SHARE}: every {_called(cluster)} has the same share."
    return ""


def _by_leaving_out(right: Ints, n: Ints, confidence: float) -> tuple[float, float]:
    """Return the jackknife interval over clusters, with t, between 0 and 1."""
    share = right.sum() / n.sum()
    changes = share - (right.sum() - right) / (n.sum() - n)
    t = scipy.stats.t.ppf((1 + confidence) / 2, len(n) - 1)
    half = float(t * np.sqrt(jackknife_variance(changes)))
    return max(0.0, float(share) - half), min(1.0, float(share) + half)


def _shares(right: Ints, n: Ints, bootstrap: Bootstrap) -> Floats:
    """Return the share in each bootstrap sample of the clusters, equal counts drawn together."""
    rng = bootstrap.generator()
    kinds, frequency = np.unique(np.stack([right, n], axis=1), axis=0, return_counts=True)
    shares = [np.empty(0)]
    for count in portions(bootstrap.draws, len(kinds)):
        drawn = rng.multinomial(len(n), frequency / len(n), size=count) @ kinds
        shares.append(drawn[:, 0] / drawn[:, 1])
    return np.concatenate(shares)


def _sides(shown: "pd.Series[str]") -> tuple["pd.Series[str]", "pd.Series[str]"]:
    """Return the slot on the left and the slot on the right of each vote."""
    code, ways = pd.factorize(shown, use_na_sentinel=False)
    sides = [str(way).split(",") for way in ways]
    if wrong := [way for way, slots in zip(ways, sides, strict=True) if len(slots) != 2]:
        bad = wrong[0]
        raise CannotCompute(
            "unknown_sides",
            f"Order effects cannot be computed because votes were shown as {bad!r}, which does "
            "not contain a left and a right slot.",
        )
    if not sides:
        return shown, shown
    left, right = (
        pd.Series(slots).take(code).set_axis(shown.index) for slots in zip(*sides, strict=True)
    )
    return left, right


def _one_order(frame: pd.DataFrame) -> bool:
    """Return whether in each task with several workers all have the items in the same order."""
    ordered = frame.sort_values(["task", "worker", "position"], kind="stable")
    seats = ordered.groupby(["task", "worker"])["item"]
    ordered = ordered.assign(place=seats.cumcount(), items=seats.transform("size"))
    if not (ordered.groupby("task")["worker"].nunique() > 1).any():
        return False
    same = ordered.groupby("task")["items"].nunique() == 1
    return bool(same.all()) and bool(
        (ordered.groupby(["task", "place"])["item"].nunique() == 1).all()
    )


def _need(frame: pd.DataFrame, columns: Iterable[str]) -> None:
    missing = [column for column in columns if column not in frame.columns]
    if missing:
        raise missing_columns(missing)
