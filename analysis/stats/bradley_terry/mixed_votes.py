"""Votes of workers on responses of systems, as a mixed model takes them."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
import pandas as pd
import scipy

from analysis.stats.arrays import Flags, Floats, Ints
from analysis.stats.bradley_terry.comparisons import OUTCOMES, Comparisons
from analysis.stats.errors import CannotCompute, missing_columns
from annotation.texts.plurals import counted

COLUMNS = ("topic", "a", "b", "worker", "outcome", "system_a", "system_b")
SIDES = {"a": 1.0, "b": -1.0}


@dataclass(frozen=True, eq=False, kw_only=True)
class MixedVotes:
    """n votes of W workers on R responses (of a topic each) by G systems.

    a, b (n,): the responses compared; outcome (n,): 1 where a is preferred, 0 a tie, -1 b.
    worker (n,); side (n,): 1 where a was on the left, -1 where b was, 0 where that is unknown.
    system, topic (R,); cell (R,): the topic and system that a response belongs to, 0.. in order.
    style (R, K): measures of the responses that adjust for style (style_adjustment.py), or None.
    """

    a: Ints
    b: Ints
    outcome: Ints
    worker: Ints
    side: Floats
    system: Ints
    topic: Ints
    cell: Ints
    systems: Sequence[Hashable]
    topics: Sequence[Hashable]
    workers: Sequence[Hashable]
    responses: Sequence[Hashable]
    style: Floats | None = None

    @property
    def style_apart(self) -> Floats:
        """Differences of the style of the two responses of each vote: (n, K)."""
        if self.style is None:
            return np.zeros((len(self), 0))
        return np.asarray(self.style[self.a] - self.style[self.b])

    def __len__(self) -> int:
        return len(self.a)

    @property
    def ties(self) -> Flags:
        return np.asarray(self.outcome == 0)

    def between(self, one: Hashable, other: Hashable) -> Flags:
        """Return the votes (n,) that compare responses of these two systems."""
        pair = {self.systems.index(one), self.systems.index(other)}
        sides = np.stack([self.system[self.a], self.system[self.b]])
        return np.asarray(np.isin(sides, list(pair)).all(axis=0) & (sides[0] != sides[1]))

    def of_topics(self, chosen: Ints) -> Self:
        """Return the votes on these topics, with their responses and workers, but all systems."""
        kept = np.isin(self.topic[self.a], chosen)
        used, sides = np.unique(np.r_[self.a[kept], self.b[kept]], return_inverse=True)
        workers, worker = np.unique(self.worker[kept], return_inverse=True)
        topics, topic = np.unique(self.topic[used], return_inverse=True)
        a, b = sides.reshape(2, -1)
        return replace(
            self,
            a=a,
            b=b,
            outcome=self.outcome[kept],
            worker=worker,
            side=self.side[kept],
            system=self.system[used],
            topic=topic,
            cell=np.unique(self.cell[used], return_inverse=True)[1],
            topics=tuple(self.topics[t] for t in topics),
            workers=tuple(self.workers[w] for w in workers),
            responses=tuple(self.responses[r] for r in used),
            style=None if self.style is None else self.style[used],
        )

    @property
    def joined(self) -> bool:
        """Return whether votes compare all systems, directly or through others."""
        G = len(self.systems)
        pairs = (self.system[self.a], self.system[self.b])
        graph = scipy.sparse.coo_array((np.ones(len(self)), pairs), shape=(G, G))
        return int(scipy.sparse.csgraph.connected_components(graph, directed=False)[0]) == 1

    @classmethod
    def from_frame(
        cls, frame: pd.DataFrame, *, outcomes: Mapping[Hashable, int] = OUTCOMES
    ) -> Self:
        """Read a long frame with the columns of COLUMNS, and left (a or b) if sides are known.

        Raises CannotCompute (missing_columns, incomplete_vote, two_systems), and what Comparisons
        raises.
        """
        missing = [column for column in COLUMNS if column not in frame.columns]
        if missing:
            raise missing_columns(missing)
        for column in ("worker", "system_a", "system_b"):
            if empty := int(frame[column].isna().sum()):
                raise CannotCompute(
                    "incomplete_vote",
                    f"The mixed model cannot be computed because {counted(empty, 'vote')} "
                    f"{'has' if empty == 1 else 'have'} no value in {column}.",
                )
        read = Comparisons.from_frame(frame.assign(problem=frame["topic"]), outcomes=outcomes)
        both = pd.concat([frame["system_a"], frame["system_b"]])
        code, systems = pd.factorize(both, sort=True)
        sides = np.concatenate([read.a, read.b])
        system = np.zeros(len(read.responses), dtype=np.int64)
        system[sides] = code
        if (system[sides] != code).any():
            response = read.responses[sides[int(np.argmax(system[sides] != code))]]
            raise CannotCompute(
                "two_systems",
                f"The mixed model cannot be computed because the response {response!r} belongs to "
                "two systems.",
            )
        worker, workers = pd.factorize(frame["worker"], sort=True)
        left = frame["left"].map(SIDES) if "left" in frame.columns else pd.Series([0.0])
        side = np.zeros(len(frame)) + left.fillna(0.0).to_numpy(dtype=np.float64)
        _, cell = np.unique(read.entry_problem * len(systems) + system, return_inverse=True)
        return cls(
            a=read.a,
            b=read.b,
            outcome=read.outcome,
            worker=worker,
            side=side,
            system=system,
            topic=read.entry_problem,
            cell=cell,
            systems=tuple(systems.tolist()),
            topics=read.problems,
            workers=tuple(workers.tolist()),
            responses=read.responses,
        )
