"""Votes on pairs of texts of systems, one row a worker and item."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pandas as pd
import scipy

from analysis.stats.arrays import Flags, Floats, Ints
from analysis.stats.errors import missing_columns

COLUMNS = ("worker", "topic", "a", "b", "system_a", "system_b", "left", "outcome")
SYSTEM_RIDGE, TEXT_RIDGE = 0.05, 2.0  # of votes between -1 and 1: a text is worth two votes


@dataclass(frozen=True, eq=False, kw_only=True)
class ComparedVotes:
    """n votes of W workers on pairs of R texts of S systems in T topics.

    outcome (n,): 1 prefers a, -1 prefers b, 0 neither; means over questions lie between. left (n,):
    1 where a was on the left, -1 on the right, 0 where it is unknown. The other arrays (n,) index
    the names.
    """

    worker: Ints
    topic: Ints
    a: Ints
    b: Ints
    system_a: Ints
    system_b: Ints
    left: Floats
    outcome: Floats
    workers: Sequence[Hashable]
    topics: Sequence[Hashable]
    systems: Sequence[Hashable]
    texts: int

    @classmethod
    def from_frame(cls, frame: pd.DataFrame) -> "ComparedVotes":
        """Read one row a vote: COLUMNS, and item; several questions of an item become their mean.

        Rows without a system or an outcome are left out. Raises CannotCompute.
        """
        if missing := [name for name in ("item", *COLUMNS) if name not in frame.columns]:
            raise missing_columns(missing)
        votes = frame.dropna(subset=["worker", "item", "system_a", "system_b", "outcome"])
        worker, workers = pd.factorize(votes["worker"], sort=True)
        item, items = pd.factorize(votes["item"], sort=True)
        # The questions of a cell share all but the outcome. A group of names takes much memory.
        _, first, cell = np.unique(
            worker * np.int64(len(items)) + item, return_index=True, return_inverse=True
        )
        outcome = votes["outcome"].astype(float).groupby(cell).mean()
        left = votes["left"].map({"a": 1.0, "b": -1.0}).astype(float).groupby(cell).first()
        votes = votes.take(first)
        texts, _ = pd.factorize(pd.concat([votes["a"], votes["b"]]), sort=True)
        owners, systems = pd.factorize(pd.concat([votes["system_a"], votes["system_b"]]), sort=True)
        topic, topics = pd.factorize(votes["topic"], sort=True)
        n = len(votes)
        return cls(
            worker=worker[first],
            topic=topic,
            a=texts[:n],
            b=texts[n:],
            system_a=owners[:n],
            system_b=owners[n:],
            left=np.asarray(left.fillna(0.0), dtype=np.float64),
            outcome=np.asarray(outcome, dtype=np.float64),
            workers=list(workers),
            topics=list(topics),
            systems=list(systems),
            texts=int(texts.max(initial=-1)) + 1,
        )

    def __len__(self) -> int:
        return len(self.outcome)

    def only(self, kept: Flags) -> "ComparedVotes":
        """Return the votes where kept (n,) is true; names and their numbers stay."""
        arrays = ("worker", "topic", "a", "b", "system_a", "system_b", "left", "outcome")
        return replace(self, **{name: getattr(self, name)[kept] for name in arrays})

    @cached_property
    def of_systems(self) -> scipy.sparse.csr_array:
        """(n, S): 1 for the system of a, -1 for that of b, 0 where both are the same."""
        return _signed(self.system_a, self.system_b, len(self.systems))

    @cached_property
    def by_worker(self) -> scipy.sparse.csr_array:
        """(W, n): 1 where the vote is the worker's."""
        n = len(self)
        rows = (np.ones(n), (self.worker, np.arange(n)))
        return scipy.sparse.csr_array(rows, shape=(len(self.workers), n))


def _signed(plus: Ints, minus: Ints, size: int) -> scipy.sparse.csr_array:
    n = len(plus)
    row, one = np.arange(n), np.ones(n)
    cells = (np.concatenate([one, -one]), (np.tile(row, 2), np.concatenate([plus, minus])))
    return scipy.sparse.csr_array(cells, shape=(n, size))


class Consensus:
    """Least squares of votes on systems and their texts, with a ridge on both."""

    def __init__(self, votes: ComparedVotes) -> None:
        texts = _signed(votes.a, votes.b, votes.texts)
        self.design = scipy.sparse.hstack([votes.of_systems, texts]).tocsr()
        S = len(votes.systems)
        ridge = np.concatenate([np.full(S, SYSTEM_RIDGE), np.full(votes.texts, TEXT_RIDGE)])
        normal = self.design.T @ self.design + scipy.sparse.diags_array(ridge)
        self._factor = scipy.sparse.linalg.splu(normal.tocsc())

    def solve(self, right: Floats) -> Floats:
        """Return the coefficients of right sides (S + R, ...) of the normal equations."""
        return np.asarray(self._factor.solve(np.ascontiguousarray(right)))

    def coefficients(self, outcomes: Floats) -> Floats:
        """Return the worth of systems and texts (S + R, ...) by outcomes (n, ...)."""
        return self.solve(self.design.T @ outcomes)

    def fitted(self, outcomes: Floats) -> Floats:
        return np.asarray(self.design @ self.coefficients(outcomes))
