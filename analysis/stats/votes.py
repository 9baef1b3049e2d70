"""Votes on one question, as agreement, labels and competence take them."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
import pandas as pd
import scipy

from analysis.stats.arrays import Flags, Ints
from analysis.stats.errors import CannotCompute, missing_columns

COLUMNS = ("item", "worker", "value")


def _broken_indices(reason: str) -> CannotCompute:
    return CannotCompute("broken_indices", f"The votes cannot be read because {reason}.")


@dataclass(frozen=True, eq=False)
class Votes:
    """The n votes of W workers on N items of one question with V options.

    item, worker, value: integer arrays of shape (n,), indices into the three tables below.
    items, workers: the ids behind the indices, sorted, lengths N and W.
    options: the V options in the order of the scale, also those that nobody chose.

    A missing answer is no vote: it has no row here. Votes of unknown order are brought into one
    canonical order (item, worker, value), so that no result depends on the order of a file by
    so much as a rounding error.
    """

    item: Ints
    worker: Ints
    value: Ints
    items: Sequence[Hashable]
    workers: Sequence[Hashable]
    options: Sequence[Hashable]

    @classmethod
    def from_frame(cls, frame: pd.DataFrame, *, options: Sequence[Hashable]) -> Self:
        """Read a long frame with the columns item, worker, value: one row a vote.

        Rows with an empty value (None, NaN) are missing answers and are left out. Raises
        CannotCompute (missing_columns, incomplete_vote, unknown_option).
        """
        missing = [column for column in COLUMNS if column not in frame.columns]
        if missing:
            raise missing_columns(missing)
        answered = frame[frame["value"].notna()]
        value = pd.Index(list(options)).get_indexer(pd.Index(answered["value"]))
        if (value < 0).any():
            value = answered["value"].iloc[int(np.argmax(value < 0))]
            offered = ", ".join(map(repr, options))
            raise CannotCompute(
                "unknown_option",
                f"The votes cannot be read because {value!r} is not an option of the question "
                f"({offered}).",
            )
        item, items = _codes(answered, "item")
        worker, workers = _codes(answered, "worker")
        return cls.from_indices(
            item, worker, value, items=items, workers=workers, options=tuple(options)
        )

    @classmethod
    def from_indices(
        cls,
        item: Ints,
        worker: Ints,
        value: Ints,
        *,
        options: Sequence[Hashable],
        items: Sequence[Hashable] | None = None,
        workers: Sequence[Hashable] | None = None,
    ) -> Self:
        """Take integer arrays of shape (n,); tables that are not given are 0..max.

        Raises CannotCompute for arrays of unequal length or indices outside their table.
        """
        if not len(item) == len(worker) == len(value):
            raise _broken_indices("item, worker and value have different lengths")
        items = range(int(item.max(initial=-1)) + 1) if items is None else items
        workers = range(int(worker.max(initial=-1)) + 1) if workers is None else workers
        tables = {"item": (item, items), "worker": (worker, workers), "value": (value, options)}
        for name, (index, table) in tables.items():
            if len(index) and (index.min() < 0 or index.max() >= len(table)):
                raise _broken_indices(f"an index of {name} is outside its table")
        order = np.lexsort((value, worker, item))
        return cls(
            item=item[order].astype(np.int32),
            worker=worker[order].astype(np.int32),
            # two bytes, since ten million votes should fit beside everything else
            value=value[order].astype(np.int16),
            items=items,
            workers=workers,
            options=options,
        )

    def __len__(self) -> int:
        return len(self.item)

    def only(self, keep: Flags) -> Self:
        """Return the votes where keep (n,) is true, with the same tables of items and workers."""
        chosen = {name: getattr(self, name)[keep] for name in ("item", "worker", "value")}
        return replace(self, **chosen)

    def counts(self) -> Ints:
        """Return the votes for each option on each item: integers of shape (N, V)."""
        N, V = len(self.items), len(self.options)
        cell = self.item.astype(np.int64) * V + self.value
        return np.bincount(cell, minlength=N * V).reshape(N, V)


def common_names(tables: Iterable[Sequence[Hashable]]) -> pd.Index:
    """Return the names that are in some of the tables, sorted as `Votes` sorts its own."""
    every = pd.Series([name for table in tables for name in table], dtype=object)
    names: pd.Index = pd.Index(pd.factorize(every, sort=True)[1])
    return names


def vote_matrix(
    row: Ints, column: Ints, shape: tuple[int, int]
) -> "scipy.sparse.csr_array[np.float64]":
    """Return the sparse matrix of vote counts in each cell (row, column), n of them.

    The counts are floats, although bytes would hold them: a product with floats would convert
    them each time.
    """
    ones = np.ones(len(row))
    return scipy.sparse.coo_array((ones, (row, column)), shape=shape).tocsr()


def _codes(frame: pd.DataFrame, column: str) -> tuple[Ints, Sequence[Hashable]]:
    """Return integer codes of a column and its sorted distinct values."""
    codes, table = pd.factorize(frame[column], sort=True)
    if (codes < 0).any():
        raise CannotCompute(
            "incomplete_vote",
            f"The votes cannot be read because {int((codes < 0).sum())} of them have no {column}.",
        )
    return codes, tuple(table.tolist())
