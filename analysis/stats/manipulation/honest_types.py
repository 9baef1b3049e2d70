"""Types of workers who vote honestly and independently on pairs of texts.

A worker of type k prefers the first text with probability F(eta - c_k), the second with
F(-eta - c_k), and neither otherwise; F is the logistic function, and
eta = a_k (gap of the texts + difference of the tastes t_k for their systems) + s_k left.
Sharpness a, habit of a side s, habit of ties c and tastes t are drawn, so that the mean over types
is the probability of votes of a worker of whom nothing is known. Gaps, the usual tie, the mean
habit of a side and the standard deviation of tastes are estimated from the votes.
"""

from dataclasses import dataclass

import numpy as np
import scipy

from analysis.stats.arrays import Floats, Ints, total
from analysis.stats.manipulation.compared_votes import ComparedVotes, Consensus

TYPES = 128
CARELESS = 0.1  # of the types have sharpness 0
SHARPNESS_SD, TIE_SD, SIDE_SD = 0.4, 0.5, 0.5  # of log a, of log c, of s
LEAST_TASTE = 1 / 3  # logits
SYSTEM_SD, TEXT_SD = 1.0, 0.7  # logits; that of texts is where its estimate starts
LEAST_TIE, ROUNDS = 0.02, 8
LEAST = 1e-6  # of a probability


@dataclass(frozen=True, eq=False, kw_only=True)
class HonestTypes:
    """K types for n votes: gap, left (n,), systems (n, S); tastes (K, S), the others (K,)."""

    gap: Floats
    left: Floats
    systems: scipy.sparse.csr_array
    tastes: Floats
    sharpness: Floats
    side: Floats
    tie: Floats

    def probability(self, of: Ints, shift: Floats) -> Floats:
        """Return the probability (m, 3, K) of votes -1, 0, 1 where gaps grow by shift (m,)."""
        sharpness, tie = self.sharpness.astype(np.float32), self.tie.astype(np.float32)
        latent = self.sharpness * (self.gap[of, None] + self.systems[of] @ self.tastes.T)
        eta = (latent + self.side * self.left[of, None]).astype(np.float32)
        eta += np.multiply.outer(shift, sharpness, dtype=np.float32)
        chances = np.empty((len(of), 3, len(tie)), dtype=np.float32)
        second, neither, first = chances.swapaxes(0, 1)
        scipy.special.expit(-eta - tie, out=second)
        scipy.special.expit(eta - tie, out=first)
        np.subtract(1 - first, second, out=neither)
        return np.maximum(chances, LEAST, out=chances)


@dataclass(frozen=True, eq=False, kw_only=True)
class HonestWorkers:
    """Distribution of honest workers: gap (n,) of pairs, usual tie, mean side, SD of tastes."""

    gap: Floats
    tie: float
    side: float
    taste: float

    def types(self, votes: ComparedVotes, rng: np.random.Generator) -> HonestTypes:
        """Draw types."""
        tastes, sharpness, side, tie = self._drawn(len(votes.systems), TYPES, rng)
        return HonestTypes(
            gap=self.gap,
            left=votes.left,
            systems=votes.of_systems,
            tastes=tastes,
            sharpness=sharpness,
            side=side,
            tie=tie,
        )

    def votes(self, votes: ComparedVotes, rng: np.random.Generator, draws: int) -> Ints:
        """Return votes (n, draws) of -1, 0 and 1 of new workers in each draw."""
        W, S, n = len(votes.workers), len(votes.systems), len(votes)
        outcome = np.empty((n, draws), dtype=np.int8)
        for draw in range(draws):
            tastes, sharpness, side, tie = (
                values[votes.worker] for values in self._drawn(S, W, rng)
            )
            row = np.arange(n)
            taste = tastes[row, votes.system_a] - tastes[row, votes.system_b]
            latent = sharpness * (self.gap + taste) + side * votes.left + rng.logistic(size=n)
            outcome[:, draw] = np.where(np.abs(latent) < tie, 0, np.sign(latent))
        return outcome

    def _drawn(self, systems: int, size: int, rng: np.random.Generator) -> tuple[Floats, ...]:
        """Return tastes (size, S), sharpness, habit of a side and tie (size,) of workers."""
        tastes = self.taste * (rng.exponential(1.0, (size, systems)) - 1)
        sharpness = np.exp(rng.normal(0, SHARPNESS_SD, size)) * (rng.random(size) >= CARELESS)
        side = rng.normal(self.side, SIDE_SD, size)
        return tastes, sharpness, side, self.tie * np.exp(rng.normal(0, TIE_SD, size))


def honest_workers(votes: ComparedVotes, outcome: Ints) -> HonestWorkers:
    """Fit the model to outcomes (n,) of -1, 0 and 1."""
    gap, tie = _gaps(votes, outcome)
    taste = max(_taste(votes, outcome, gap, tie), LEAST_TASTE)
    return HonestWorkers(gap=gap, tie=tie, side=_side(votes, outcome), taste=taste)


def _gaps(votes: ComparedVotes, outcome: Ints) -> tuple[Floats, float]:
    """Return the gap of each pair (n,) and the half width of ties, by penalised likelihood."""
    design, S = Consensus(votes).design, len(votes.systems)
    worth, text_sd = np.zeros(design.shape[1]), TEXT_SD
    tied = float((outcome == 0).mean())
    tie = max(LEAST_TIE, float(scipy.special.logit((1 + tied) / 2)) if tied < 1 else LEAST_TIE)
    for _ in range(ROUNDS):
        ridge = np.r_[np.full(S, SYSTEM_SD**-2), np.full(len(worth) - S, text_sd**-2)]
        first, second = _sides(design @ worth, tie)
        none = 1 - first - second
        slope = np.where(outcome > 0, 1 - first, np.where(outcome < 0, second - 1, second - first))
        weight = (
            first * (1 - first) ** 2 + second * (1 - second) ** 2 + none * (first - second) ** 2
        )
        normal = design.T @ (design * weight[:, None]) + scipy.sparse.diags_array(ridge)
        step = scipy.sparse.linalg.spsolve(normal.tocsc(), design.T @ slope - ridge * worth)
        worth = worth + step
        variance = worth[S:] ** 2 + 1 / normal.diagonal()[S:]
        text_sd = float(np.clip(np.sqrt(variance.mean()), 0.3, 2.0))
        first, second = _sides(design @ worth, tie)
        growth = first * (1 - first) + second * (1 - second)
        tie = max(LEAST_TIE, tie + float((tied - (1 - first - second).mean()) / growth.mean()))
    return design @ worth, tie


def _sides(eta: Floats, tie: float) -> tuple[Floats, Floats]:
    return scipy.special.expit(eta - tie), scipy.special.expit(-eta - tie)


def _taste(votes: ComparedVotes, outcome: Ints, gap: Floats, tie: float) -> float:
    """Return the SD of tastes in logits: the median over systems, which one group does not move."""
    first, second = _sides(gap, tie)
    rest, variance = outcome - (first - second), first + second - (first - second) ** 2
    growth = first * (1 - first) + second * (1 - second)
    W, excess = len(votes.workers), []
    for s in range(len(votes.systems)):
        sign = votes.of_systems[:, [s]].toarray()[:, 0]
        lean = total(votes.worker, rest * sign, W)
        size = total(votes.worker, growth * abs(sign), W)
        noise = total(votes.worker, variance * abs(sign), W)
        excess.append((lean**2 - noise).sum() / max((size**2).sum(), 1e-12))
    return float(np.sqrt(max(np.median(excess), 0.0)))


def _side(votes: ComparedVotes, outcome: Ints) -> float:
    """Return the log odds of the left side."""
    chosen = outcome * votes.left
    return float(np.log(((chosen > 0).sum() + 1) / ((chosen < 0).sum() + 1)))
