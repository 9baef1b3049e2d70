"""Groups of workers who lean to one system, or against it, more than tastes of honest people do.

A member of a group obeys with a probability between LEAST_OBEYING and 1: in pairs with the group's
system it votes for it (or for the other text), and else like an honest worker of some type. The
votes of each worker have a likelihood as a member and as an honest worker, means over types. The
statistic of a system and a direction is the likelihood ratio of a mixture of members and others to
honest workers alone, the largest over SHARES of members and over SHIFTS: what the members'
votes have added to the worth of the system, which is taken off again. Its maximum over systems and
directions is compared with that of simulated honest workers, so p is corrected for their number.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd
import scipy

from analysis.stats.arrays import Flags, Floats, Ints
from analysis.stats.errors import CannotCompute
from analysis.stats.manipulation.compared_votes import ComparedVotes, Consensus
from analysis.stats.manipulation.honest_types import TYPES, HonestTypes, honest_workers

Direction = Literal["for", "against"]
SIGNS = (1, -1)  # for, against
SHARES = (0.1, 0.2, 0.3)  # of the workers are members
SHIFTS = (0.0, 0.5)  # logits
LEAST_OBEYING = 0.7
LEAST_WORKERS = 10
FARTHEST = 50.0  # of a log-likelihood ratio
CELLS_AT_ONCE = 8_000_000


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
    votes: ComparedVotes, *, draws: int = 199, level: float = 0.05, seed: int = 0
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
    rng = np.random.default_rng(seed)
    outcome = np.sign(votes.outcome).astype(np.int64)
    honest = honest_workers(votes, outcome)
    simulated = honest.votes(votes, rng, draws)
    evidence = _Evidence(votes, honest.types(votes, rng), rng)
    studies = np.column_stack([outcome, simulated])
    step = max(1, CELLS_AT_ONCE // (W * TYPES))
    ratios = np.concatenate(
        [evidence.ratios(studies[:, at : at + step]) for at in range(0, 1 + draws, step)], axis=2
    )  # (2, S, 1 + draws), that of the study first
    highest = ratios[:, :, 1:].max(axis=(0, 1))  # (draws,)
    best = ratios[:, :, 0].argmax(axis=0)
    ratio = ratios[best, np.arange(S), 0]
    p = (1 + (highest[None, :] >= ratio[:, None]).sum(axis=1)) / (1 + draws)
    member = np.stack([evidence.members(outcome, s, best[s]) for s in range(S)])
    member &= (p <= level)[:, None]
    leans = _leans(votes, simulated, member)
    return SharedLeans(
        leans=leans,
        groups=_groups(votes, leans, np.where(best == 0, 1, -1), p),
        taste=honest.taste,
        draws=draws,
        level=level,
        seed=seed,
    )


class _Evidence:
    """Likelihoods of votes (n, B) of -1, 0 and 1 by members and by honest workers."""

    def __init__(self, votes: ComparedVotes, honest: HonestTypes, rng: np.random.Generator) -> None:
        self.votes, self.honest = votes, honest
        self.obeying = rng.uniform(LEAST_OBEYING, 1, len(honest.tie)).astype(np.float32)
        n = len(votes)
        self._log = np.log(honest.probability(np.arange(n), np.zeros(n)))

    def ratios(self, outcome: Ints) -> Floats:
        """Return the largest log-likelihood ratio of a group to none: (2, S, B)."""
        types, systems = self._types(outcome), range(len(self.votes.systems))
        return np.array(
            [
                [_mixtures(self._parts(s, sign, outcome, types)).max(axis=(0, 1)) for s in systems]
                for sign in SIGNS
            ]
        )

    def members(self, outcome: Ints, system: int, direction: int) -> Flags:
        """Return who is more likely a member than not, by the likeliest mixture: (W,)."""
        outcome = outcome[:, None]
        parts = self._parts(system, SIGNS[direction], outcome, self._types(outcome))
        mixtures = _mixtures(parts)
        shift, share, _ = np.unravel_index(mixtures.argmax(), mixtures.shape)
        other, member = parts[shift, :, :, 0]
        return np.asarray(SHARES[share] * member > (1 - SHARES[share]) * other)

    def _types(self, outcome: Ints) -> Floats:
        """Return the probability (W, B, K) of each type, given all votes of an honest worker."""
        of = np.arange(len(self.votes))
        log = self._sums(self._cells(of, outcome), self._log)
        weight = np.exp(log - log.max(axis=2, keepdims=True))
        return np.asarray(weight / weight.sum(axis=2, keepdims=True))

    def _parts(self, system: int, sign: int, outcome: Ints, types: Floats) -> Floats:
        """Return likelihoods of others and members, over honest ones: (shifts, 2, W, B)."""
        side = self.votes.of_systems[:, [system]].toarray()[:, 0]
        of = np.flatnonzero(side)
        log, side, cells = self._log[:, of], side[of], self._cells(of, outcome)
        wanted = (sign * side).astype(np.int64) + 1, np.arange(len(of))
        parts = []
        for shift in SHIFTS:
            other = self.honest.probability(of, -sign * shift * side) if shift else np.exp(log)
            member = np.log1p(-self.obeying) + np.log(other)
            member[wanted] = np.log(self.obeying + (1 - self.obeying) * other[wanted])
            by_honest = np.ones(types.shape[:2])
            if shift:
                by_honest = self._likelihood(cells, np.log(other) - log, types)
            parts.append([by_honest, self._likelihood(cells, member - log, types)])
        return np.array(parts)

    def _likelihood(self, cells: scipy.sparse.csr_array, table: Floats, types: Floats) -> Floats:
        change = np.exp(np.clip(self._sums(cells, table), -FARTHEST, FARTHEST))
        ratio = np.einsum("wbk,wbk->wb", types, change)
        return np.asarray(np.maximum(ratio, np.exp(-FARTHEST)), dtype=np.float64)

    def _cells(self, of: Ints, outcome: Ints) -> scipy.sparse.csr_array:
        """Return 1 for the vote of each worker in each study: (W B, 3 m)."""
        m, B, W = len(of), outcome.shape[1], len(self.votes.workers)
        row = self.votes.worker[of][:, None] * B + np.arange(B)
        column = (outcome[of] + 1) * m + np.arange(m)[:, None]
        one = np.ones(m * B, dtype=np.float32)
        return scipy.sparse.csr_array((one, (row.ravel(), column.ravel())), shape=(W * B, 3 * m))

    def _sums(self, cells: scipy.sparse.csr_array, table: Floats) -> Floats:
        """Return sums of table (3, m, K) over the votes of each worker: (W, B, K)."""
        sums = cells @ table.reshape(-1, table.shape[2])
        return np.asarray(sums).reshape(len(self.votes.workers), -1, table.shape[2])


def _mixtures(parts: Floats) -> Floats:
    """Return log-likelihood ratios (shifts, shares, B) of parts (shifts, 2, W, B)."""
    share = np.array(SHARES)[None, :, None, None]
    mixed = (1 - share) * parts[:, None, 0] + share * parts[:, None, 1]
    return np.asarray(np.log(mixed).sum(axis=2))


def _leans(votes: ComparedVotes, simulated: Ints, member: Flags) -> pd.DataFrame:
    S, W = len(votes.systems), len(votes.workers)
    rest = votes.outcome - Consensus(votes).fitted(votes.outcome)
    signs = votes.of_systems
    scores = _scores(votes, simulated)
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


def _scores(votes: ComparedVotes, simulated: Ints) -> Floats:
    """Return leans in standard deviations of simulated honest workers: (S, W)."""
    own = np.sign(votes.outcome)
    scores = []
    for s in range(len(votes.systems)):
        side = votes.of_systems[:, [s]].toarray()
        drawn = votes.by_worker @ (simulated * side)  # (W, draws)
        spread = drawn.std(axis=1)
        above = votes.by_worker @ (own * side[:, 0]) - drawn.mean(axis=1)
        scores.append(np.divide(above, spread, where=spread > 0, out=np.zeros_like(above)))
    return np.stack(scores)


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
