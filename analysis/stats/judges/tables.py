"""Labels of two sides on the same units as tables, and the measures of their sum.

A unit adds a table (V, V) of weight 1: the row is the label of the one side (the judge), the column
that of the other (people). Where a side gave several labels the weight is shared, so that a tie
between two labels of people is half of either, and no order of the options decides it. All measures
are functions of the summed table:

- accuracy: its trace over its sum;
- kappa: (p_o - p_e) / (1 - p_e), p_o the accuracy and p_e that of the margins (Cohen 1960);
- alpha: Krippendorff's of the two sides. The coincidences are the table and its transpose: cross
  pairs alone, as in between_groups.py with one label a side.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.stats.agreement.alpha import Level, alpha_of
from analysis.stats.arrays import Floats, Ints

Statistic = Callable[[Floats], Floats]  # from tables (D, V, V) to values (D,)
# From the counts of people (n, K, V) on the units of these rows (n,) to tables (n, V, V).
Tabling = Callable[[Floats, Ints], Floats]


def accuracy_of(tables: Floats) -> Floats:
    return _ratio(np.trace(tables, axis1=1, axis2=2), tables.sum(axis=(1, 2)))


def kappa_of(tables: Floats) -> Floats:
    n = tables.sum(axis=(1, 2))
    chance = _ratio((tables.sum(axis=1) * tables.sum(axis=2)).sum(axis=1), n**2)
    return _ratio(accuracy_of(tables) - chance, np.where(1 - chance > 1e-12, 1 - chance, 0))


def further(statistic: Statistic) -> Statistic:
    """Return the statistic of the first half of the columns less that of the second."""

    def difference(tables: Floats) -> Floats:
        first, other = np.split(tables, 2, axis=2)
        return statistic(first) - statistic(other)

    return difference


def alpha_at(level: Level, positions: Floats) -> Statistic:
    return lambda tables: alpha_of(tables + tables.transpose(0, 2, 1), level, positions)


def _ratio(above: Floats, below: Floats) -> Floats:
    return np.asarray(np.divide(above, below, out=np.full(len(below), np.nan), where=below > 0))


def majority_shares(counts: Floats) -> Floats:
    """Return the majority label as shares (..., V): tied labels share it; 0 without votes."""
    most = counts.max(axis=-1, keepdims=True)
    top = (counts == most) & (most > 0)
    return np.asarray(top / np.maximum(top.sum(axis=-1, keepdims=True), 1))


@dataclass(frozen=True, eq=False)
class PeopleVotes:
    """n votes of people on U units: unit, worker, value (n,) as indices; topic (U,).

    slot (n,): 0, or 1 in the second of K = 2 separate directions.
    """

    unit: Ints
    worker: Ints
    value: Ints
    slot: Ints
    topic: Ints
    units: tuple[str, ...]
    options: tuple[str, ...]

    @classmethod
    def of(
        cls, votes: pd.DataFrame, *, options: tuple[str, ...], directions: bool = False
    ) -> "PeopleVotes":
        """Return the votes from oriented ones (orientation.py); units sorted by name."""
        valid_votes = votes[votes["value"].isin(list(options))]
        units, unit = np.unique(valid_votes["unit"].to_numpy(dtype=str), return_inverse=True)
        slot: Ints = np.zeros(len(valid_votes), dtype=np.int64)
        if directions:
            first = valid_votes.groupby("unit")["direction"].transform("min")
            slot = (valid_votes["direction"] != first).to_numpy().astype(np.int64)
        topics = valid_votes.drop_duplicates("unit").set_index("unit")["topic"]
        return cls(
            unit=unit,
            worker=pd.factorize(valid_votes["worker"])[0],
            value=pd.Index(list(options)).get_indexer(pd.Index(valid_votes["value"])),
            slot=slot,
            topic=pd.factorize(topics.reindex(list(units)))[0],
            units=tuple(units.tolist()),
            options=options,
        )

    def counts(self, slots: int = 1) -> Floats:
        """Return votes of each option: (U, K, V)."""
        counts = np.zeros((len(self.units), slots, len(self.options)))
        np.add.at(counts, (self.unit, self.slot, self.value), 1)
        return counts


@dataclass(frozen=True, eq=False)
class Tables:
    """T (n, V, V) of n units with their topic (n,), and their losses without each worker.

    lost (C, V, V) goes with cell_unit and cell_worker (C,): one for each worker on a unit; empty
    where nobody is left out.
    """

    T: Floats
    topic: Ints
    lost: Floats
    cell_unit: Ints
    cell_worker: Ints

    @classmethod
    def of(cls, people: PeopleVotes, make: Tabling, *, slots: int = 1) -> "Tables":
        """Return the tables of the units that have one: its sum is above 0."""
        counts = people.counts(slots)
        U, every = len(counts), np.arange(len(people.units))
        T = make(counts, every)
        W = int(people.worker.max(initial=-1)) + 1
        keys, cell = np.unique(people.unit * np.int64(W) + people.worker, return_inverse=True)
        cells = np.divmod(keys, max(W, 1))
        worker_counts = np.zeros((len(keys), *counts.shape[1:]))
        np.add.at(worker_counts, (cell, people.slot, people.value), 1)
        lost = T[cells[0]] - make(counts[cells[0]] - worker_counts, cells[0])
        has_table = T.sum(axis=(1, 2)) > 0
        place = np.full(U, -1)
        place[has_table] = np.arange(has_table.sum())
        in_tables = has_table[cells[0]]
        return cls(
            T=T[has_table], topic=people.topic[has_table], lost=lost[in_tables],
            cell_unit=place[cells[0][in_tables]], cell_worker=cells[1][in_tables],
        )  # fmt: skip

    def only(self, units: Ints) -> "Tables":
        """Return the tables of some of the units, given by index."""
        place = np.full(len(self.T), -1)
        place[units] = np.arange(len(units))
        in_units = place[self.cell_unit] >= 0
        return Tables(
            T=self.T[units], topic=self.topic[units], lost=self.lost[in_units],
            cell_unit=place[self.cell_unit[in_units]], cell_worker=self.cell_worker[in_units],
        )  # fmt: skip
