"""Groups of workers who lean to one system, or against it, more than tastes of honest people do.

The lean of a worker to a system is the sum of the residuals of the worker's votes on that system
after a consensus of systems and texts, without the worker's own sharpness and habit of a side.
Honest workers lean, too. Under the null hypothesis their tastes are skewed: of each system an
exponential distribution, whose standard deviation is estimated and at least LEAST_TASTE. A group is
a mixture: a share of the workers lies some standard deviations above the others. Its likelihood
ratio, the largest over systems, directions, shares and distances, is compared with simulated
studies of the same design, so that p is corrected for the number of systems and directions.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from analysis.stats.arrays import Flags, Floats, Ints
from analysis.stats.errors import CannotCompute
from analysis.stats.manipulation.compared_votes import ComparedVotes, Consensus

Direction = Literal["for", "against"]
SHARES, DISTANCES = (0.1, 0.2, 0.3), (2.0, 3.0, 4.0)  # of the groups that are looked for
LEAST_TASTE = 0.15  # SD in votes from -1 to 1; a third of a logit
LARGEST = 3.0  # a single worker counts no more, however far away: a group is several
LEAST_WORKERS = 10
LEAST_LEAN_SD = 0.3  # of the median: workers who saw a system less often are not scored on it
SIDES_WORTH, SHARPNESS_WORTH = 4.0, 4.0  # votes that a worker's own habits are shrunk by
NOISE_WORTH = 10  # votes that the noise of a worker is shrunk by
CELLS_AT_ONCE = 4_000_000


@dataclass(frozen=True, eq=False, kw_only=True)
class SharedLeans:
    """Leans of workers to systems, and the group of each system.

    leans: one row a worker and system: worker, system, votes (on the system against others),
    points (mean outcome for it, -1 to 1), lean (what that is above the consensus, a vote),
    z, member (of the system's group). groups: one row a system, the least p first: system,
    direction, workers (in the group), points and others_points (mean outcome for it by the group
    and by the others), p (family-wise). Where p > level, nobody is a member.
    """

    leans: pd.DataFrame
    groups: pd.DataFrame
    taste: float
    draws: int
    level: float
    seed: int

    @property
    def members(self) -> Sequence[Hashable]:
        """The workers in some group."""
        return sorted(set(self.leans.loc[self.leans["member"], "worker"]), key=str)


def shared_leans(
    votes: ComparedVotes, *, draws: int = 399, level: float = 0.05, seed: int = 0
) -> SharedLeans:
    """Look for groups that share a lean. Raises CannotCompute."""
    W, S = len(votes.workers), len(votes.systems)
    if S < 2:
        raise CannotCompute(
            "one_system_only", "Leans cannot be computed because all texts are of one system."
        )
    if W < LEAST_WORKERS:
        raise CannotCompute(
            "too_few_workers",
            f"Detecting shared leans needs at least {LEAST_WORKERS} participants (you have {W}).",
        )
    model = _LeanModel(votes)
    rng = np.random.default_rng(seed)
    scores, null, taste = _standardised(model, draws, rng)
    ratios = np.stack([_ratio(sign * scores) for sign in (1, -1)])  # (2, S)
    highest = np.stack([_ratio(sign * null) for sign in (1, -1)]).max(axis=(0, 1))  # (draws,)
    best = ratios.argmax(axis=0)
    ratio = ratios[best, np.arange(S)]
    p = (1 + (highest[None, :] >= ratio[:, None]).sum(axis=1)) / (1 + draws)
    sign = np.where(best == 0, 1, -1)
    member = np.stack([_members(sign[s] * scores[s]) for s in range(S)]) & (p <= level)[:, None]
    leans = _leans(model, scores, member)
    return SharedLeans(
        leans=leans,
        groups=_groups(votes, leans, sign, p),
        taste=taste,
        draws=draws,
        level=level,
        seed=seed,
    )


class _LeanModel:
    """Leans (S, W, ...) of outcomes (n, ...) of one design."""

    def __init__(self, votes: ComparedVotes) -> None:
        self.votes, self.consensus = votes, Consensus(votes)
        self.fitted = self.consensus.fitted(votes.outcome)
        self.counts = np.bincount(votes.worker, minlength=len(votes.workers)).astype(np.float64)
        spread = float(np.var(self.fitted))
        self._habits = (
            (self.fitted, SHARPNESS_WORTH * spread + 1e-12),
            (votes.left, SIDES_WORTH),
        )

    def residuals(self, outcomes: Floats) -> Floats:
        """Return outcomes (n, B) without the consensus and the habits of each worker."""
        votes = self.votes
        rest = outcomes - self.consensus.fitted(outcomes)
        for habit, worth in self._habits:
            size = votes.by_worker @ (habit * habit) + worth
            slope = (votes.by_worker @ (rest * habit[:, None])) / size[:, None]
            rest = rest - slope[votes.worker] * habit[:, None]
        return rest

    def sums(self, residuals: Floats) -> Floats:
        """Return the sum of residuals (n, B) for each system and worker: (S, W, B)."""
        votes = self.votes
        signs = votes.of_systems.tocsc()
        columns = (signs[:, [s]].toarray() for s in range(len(votes.systems)))
        return np.stack([votes.by_worker @ (residuals * column) for column in columns])

    def noise(self, residuals: Floats) -> Floats:
        """Return the standard deviation of the residuals (n,) of each worker: (W,)."""
        squares = self.votes.by_worker @ residuals**2
        whole = NOISE_WORTH * float(np.mean(residuals**2))
        return np.asarray(np.sqrt((squares + whole) / (self.counts + NOISE_WORTH)))

    def tastes(self, rng: np.random.Generator, draws: int) -> Floats:
        """Return votes (n, draws) by nothing but tastes of SD 1."""
        votes = self.votes
        taste = rng.exponential(1.0, (len(votes.workers), len(votes.systems), draws)) - 1
        return np.asarray(taste[votes.worker, votes.system_a] - taste[votes.worker, votes.system_b])


def _standardised(
    model: _LeanModel, draws: int, rng: np.random.Generator
) -> tuple[Floats, Floats, float]:
    """Return scores (S, W), those of simulated honest workers (S, W, draws), SD of tastes."""
    own = model.residuals(model.votes.outcome[:, None])
    lean, noise = model.sums(own)[:, :, 0], model.noise(own[:, 0])[model.votes.worker]
    of_noise, of_taste = [], []
    step = max(1, CELLS_AT_ONCE // max(1, len(model.votes)))
    for start in range(0, draws, step):
        size = (len(model.votes), min(step, draws - start))
        drawn = rng.standard_normal(size) * noise[:, None]
        of_noise.append(model.sums(model.residuals(drawn)))
        of_taste.append(model.sums(model.residuals(model.tastes(rng, size[1]))))
    by_noise, by_taste = np.concatenate(of_noise, axis=2), np.concatenate(of_taste, axis=2)
    noise_variance, taste_variance = by_noise.var(axis=2), by_taste.var(axis=2)
    taste = _taste(lean, noise_variance, taste_variance)
    sd = np.sqrt(noise_variance + taste**2 * taste_variance)
    seen = sd > LEAST_LEAN_SD * np.median(sd[sd > 0]) if (sd > 0).any() else sd > 0
    divisor = np.where(seen, sd, np.inf)
    null = (by_noise + taste * by_taste) / divisor[:, :, None]
    return lean / divisor, null, taste


def _taste(lean: Floats, noise_variance: Floats, taste_variance: Floats) -> float:
    """Return the SD of tastes: the median over systems, which one group does not move."""
    size = taste_variance.sum(axis=1)
    excess = (lean**2 - noise_variance).sum(axis=1)[size > 0] / size[size > 0]
    return float(max(np.sqrt(max(np.median(excess), 0.0)), LEAST_TASTE)) if len(excess) else 0.0


def _densities(scores: Floats, share: float, distance: float) -> tuple[Floats, Floats]:
    """Return the parts of a mixture of mean 0 in units of N(0, 1): the others, the group."""
    low, high = -share * distance, (1 - share) * distance
    others = (1 - share) * np.exp(low * scores - low * low / 2)
    return others, share * np.exp(high * scores - high * high / 2)


def _ratio(scores: Floats) -> Floats:
    """Return the largest log-likelihood ratio of a group to none: (S, ...) of (S, W, ...)."""
    limited = np.clip(scores, -LARGEST, LARGEST)
    ratios = [
        np.log(sum(_densities(limited, share, distance))).sum(axis=1)
        for share in SHARES
        for distance in DISTANCES
    ]
    return np.asarray(np.max(ratios, axis=0))


def _members(scores: Floats) -> Flags:
    """Return who is more likely in the group than not, by the likeliest mixture: (W,)."""
    limited = np.clip(scores, -LARGEST, LARGEST)
    parts = [_densities(limited, share, far) for share in SHARES for far in DISTANCES]
    others, group = max(parts, key=lambda part: float(np.log(part[0] + part[1]).sum()))
    return np.asarray(group > others)


def _leans(model: _LeanModel, scores: Floats, member: Flags) -> pd.DataFrame:
    votes = model.votes
    S, W = scores.shape
    # Residuals without the own habits: what a reader can check from the votes.
    rest = votes.outcome - model.fitted
    signs = votes.of_systems
    count = (votes.by_worker @ abs(signs)).toarray().T
    points, lean = (
        (votes.by_worker @ signs.multiply(value[:, None]).tocsr()).toarray().T
        for value in (votes.outcome, rest)
    )
    shown = count > 0
    system, worker = (index.ravel() for index in np.indices((S, W)))
    frame = pd.DataFrame(
        {
            "worker": pd.Series(list(votes.workers), dtype=object).take(worker).to_numpy(),
            "system": pd.Series(list(votes.systems), dtype=object).take(system).to_numpy(),
            "votes": count.ravel().astype(np.int64),
            "points": np.divide(points, count, where=shown, out=np.zeros_like(count)).ravel(),
            "lean": np.divide(lean, count, where=shown, out=np.zeros_like(count)).ravel(),
            "z": scores.ravel(),
            "member": member.ravel(),
        }
    )
    return frame[frame["votes"] > 0].reset_index(drop=True)


def _groups(votes: ComparedVotes, leans: pd.DataFrame, sign: Ints, p: Floats) -> pd.DataFrame:
    rows = []
    for s, system in enumerate(votes.systems):
        own = leans[leans["system"] == system]
        group, others = own[own["member"]], own[~own["member"]]
        rows.append(
            {
                "system": system,
                "direction": "for" if sign[s] > 0 else "against",
                "workers": len(group),
                "votes": int(group["votes"].sum()),
                "points": _mean_points(group),
                "others_points": _mean_points(others),
                "p": float(p[s]),
            }
        )
    return pd.DataFrame(rows).sort_values("p", kind="stable", ignore_index=True)


def _mean_points(leans: pd.DataFrame) -> float:
    votes = leans["votes"].sum()
    return float((leans["points"] * leans["votes"]).sum() / votes) if votes else float("nan")
