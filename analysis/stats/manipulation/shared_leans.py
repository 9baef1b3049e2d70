"""Groups of workers who lean to one system, or against it, more than tastes of honest people do.

A member of a group obeys with a probability between LEAST_OBEYING and 1: in pairs with the group's
system it votes for it (or for the other text), and else like an honest worker of some type. The
votes of each worker have a likelihood as a member and as an honest worker, means over types. The
statistic of a system and a direction is the likelihood ratio of a mixture of members and others to
honest workers alone, the largest over SHARES of members and over SHIFTS: what the members'
votes have added to the worth of the system, which is taken off again. Its maximum over systems and
directions is compared with that of simulated honest workers, so p is corrected for their number.
"""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from typing import Literal

import numpy as np
import pandas as pd

from analysis.stats.arrays import Flags, Floats, Ints
from analysis.stats.errors import CannotCompute
from analysis.stats.manipulation.compared_votes import ComparedVotes, Consensus
from analysis.stats.manipulation.honest_types import TYPES, HonestTypes, honest_workers

Direction = Literal["for", "against"]
SIGNS = (1, -1)  # for, against
OPTIONS = np.array([-1, 0, 1])
SHARES = (0.1, 0.2, 0.3)  # of the workers are members
SHIFTS = (0.0, 0.5)  # logits
LEAST_OBEYING = 0.7
LEAST_WORKERS = 10
FARTHEST = 50.0  # of a log-likelihood ratio
CELLS_AT_ONCE = 3_000_000  # of votes, options and types; of workers, studies and types
DRAWS_AT_ONCE = 20


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
            "one_system_only", "Leans cannot be computed because all texts are by one system."
        )
    if W < LEAST_WORKERS:
        raise CannotCompute(
            "too_few_workers",
            f"Detecting shared leans needs at least {LEAST_WORKERS} participants (you have {W}).",
        )
    rng = np.random.default_rng(seed)
    outcome = np.sign(votes.outcome).astype(np.int8)
    honest = honest_workers(votes, outcome.astype(np.int64))
    simulated = honest.votes(votes, rng, draws)
    evidence = _Evidence(votes, honest.types(votes, rng), rng)
    ratios = evidence.ratios(np.column_stack([outcome, simulated]))
    # (2, S, 1 + draws), that of the study first
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

    def ratios(self, outcome: Ints) -> Floats:
        """Return the largest log-likelihood ratio of a group to none: (2, S, B)."""
        S = len(self.votes.systems)
        sums = np.zeros((len(SIGNS), S, len(SHIFTS), len(SHARES), outcome.shape[1]))
        # of two systems, a lean to one is a lean against the other
        different = range(1 if S == 2 else S)
        for block in self._blocks(outcome):
            for sign, system in product(range(len(SIGNS)), different):
                sums[sign, system] += _mixtures(self._parts(block, system, SIGNS[sign]))
        if S == 2:
            sums[:, 1] = sums[::-1, 0]
        return np.asarray(sums.max(axis=(2, 3)))

    def members(self, outcome: Ints, system: int, direction: int) -> Flags:
        """Return who is more likely a member than not, by the likeliest mixture: (W,)."""
        blocks = self._blocks(outcome[:, None])
        parts = np.concatenate(
            [self._parts(block, system, SIGNS[direction]) for block in blocks], axis=2
        )
        mixtures = _mixtures(parts)
        shift, share, _ = np.unravel_index(mixtures.argmax(), mixtures.shape)
        other, member = parts[shift, :, :, 0]
        return np.asarray(SHARES[share] * member > (1 - SHARES[share]) * other)

    def _blocks(self, outcome: Ints) -> Iterator["_Block"]:
        """Yield the votes of a few workers at a time, in the order of workers."""
        votes, B = self.votes, outcome.shape[1]
        order = np.argsort(votes.worker, kind="stable")
        ends = np.searchsorted(votes.worker[order], np.arange(len(votes.workers) + 1))
        first = 0
        while first < len(votes.workers):
            by_votes = ends[first] + CELLS_AT_ONCE // (3 * max(TYPES, B))
            last = int(np.searchsorted(ends, by_votes, side="right")) - 1
            last = min(max(last, first + 1), first + max(1, CELLS_AT_ONCE // (TYPES * B)))
            of, bounds = order[ends[first] : ends[last]], ends[first : last + 1] - ends[first]
            yield _Block.of_votes(of, bounds, outcome, self.honest)
            first = last

    def _parts(self, block: "_Block", system: int, sign: int) -> Floats:
        """Return likelihoods of others and members, over honest ones: (shifts, 2, W, B)."""
        side = self.votes.of_systems[block.of][:, [system]].toarray()[:, 0]
        shown = np.flatnonzero(side)
        block, side = block.only(shown), side[shown]
        wanted = np.arange(len(shown)), (sign * side).astype(np.int64) + 1
        parts = []
        for shift in SHIFTS:
            other, log, by_honest = block.honest, block.log, np.ones(block.types.shape[:2])
            if shift:
                other = self.honest.probability(block.of, -sign * shift * side)
                log = np.log(other)
                by_honest = block.likelihood(log - block.log)
            member = np.log1p(-self.obeying) + log
            member[wanted] = np.log(self.obeying + (1 - self.obeying) * other[wanted])
            parts.append([by_honest, block.likelihood(member - block.log)])
        return np.array(parts)


@dataclass(frozen=True, eq=False)
class _Block:
    """Votes (m,) of W workers, one worker after the other, in B studies.

    bounds (W + 1,): where the votes of each begin. given (m, 3, B): 1 for the vote. honest, log
    (m, 3, K): the probability of each vote by honest types, and its logarithm. types (W, B, K): the
    probability of each type, given all votes of an honest worker.
    """

    of: Ints
    bounds: Ints
    given: Floats
    honest: Floats
    log: Floats
    types: Floats

    @classmethod
    def of_votes(cls, of: Ints, bounds: Ints, outcome: Ints, honest: HonestTypes) -> "_Block":
        given = (outcome[of][:, None] == OPTIONS[:, None]).astype(np.float32)
        chances = honest.probability(of, np.zeros(len(of)))
        log = np.log(chances)
        sums = _sums(given, log, bounds)
        weight = np.exp(sums - sums.max(axis=2, keepdims=True))
        types = weight / weight.sum(axis=2, keepdims=True)
        return cls(of, bounds, given, chances, log, types)

    def only(self, kept: Ints) -> "_Block":
        """Return some of the votes, with the types by all."""
        bounds = np.searchsorted(kept, self.bounds)
        arrays = (self.given[kept], self.honest[kept], self.log[kept])
        return _Block(self.of[kept], bounds, *arrays, self.types)

    def likelihood(self, table: Floats) -> Floats:
        """Return the mean over types of the products of a table (m, 3, K) of logs: (W, B)."""
        change = _sums(self.given, table, self.bounds)
        np.exp(np.clip(change, -FARTHEST, FARTHEST, out=change), out=change)
        ratio = np.einsum("wbk,wbk->wb", self.types, change)
        return np.asarray(np.maximum(ratio, np.exp(-FARTHEST)), dtype=np.float64)


def _sums(given: Floats, table: Floats, bounds: Ints) -> Floats:
    """Return sums of the table (m, 3, K) over the votes of each worker: (W, B, K)."""
    B, K = given.shape[2], table.shape[2]
    sums: Floats = np.empty((len(bounds) - 1, B, K), dtype=table.dtype)
    for worker, (start, end) in enumerate(pairwise(bounds.tolist())):
        chosen = given[start:end].reshape(-1, B)
        np.matmul(chosen.T, table[start:end].reshape(-1, K), out=sums[worker])
    return sums


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
        by_side = votes.by_worker.multiply(votes.of_systems[:, [s]].toarray()[:, 0]).tocsr()
        portions = range(0, simulated.shape[1], DRAWS_AT_ONCE)
        drawn = np.column_stack(
            [by_side @ simulated[:, at : at + DRAWS_AT_ONCE] for at in portions]
        )  # (W, draws)
        spread = drawn.std(axis=1)
        above = by_side @ own - drawn.mean(axis=1)
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
