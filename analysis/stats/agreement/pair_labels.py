"""Labels of pairs that cannot be taken for the other side: what raters are compared on.

A label of a pair says which response is preferred, by its id, and in which order the two were
shown. "a" and "b" mean nothing once the order is lost; published comparisons went wrong by it.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import pandas as pd

from analysis.stats.arrays import Flags, Ints
from analysis.stats.errors import CannotCompute

COLUMNS = ("topic", "left", "right", "preferred", "tied")
PREFERS_FIRST, TIED, PREFERS_SECOND = -1, 0, 1


class NotOriented(CannotCompute):
    """A label does not say which response it prefers."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"Labels of pairs cannot be read because {reason}.")


class LabelledTwice(CannotCompute):
    """A source has several labels where one is compared."""

    def __init__(self, pair: object, wanted: str) -> None:
        super().__init__(
            f"Labels of pairs cannot be compared because the pair {pair!r} has several labels "
            f"{wanted} from the same source."
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class PairLabels:
    """The labels of one source (a rater, a gold standard) on N pairs as they were shown.

    pairs: the N keys (topic, first, second), first < second whatever the order shown.
    value (N,): -1 first preferred, 0 tied, 1 second preferred. first_left (N,): first stood left.
    """

    source: str
    pairs: Sequence[Hashable]
    value: Ints
    first_left: Flags

    @classmethod
    def from_frame(cls, frame: pd.DataFrame, *, source: str) -> Self:
        """Read a long frame: topic, left, right, preferred (a response id), tied (true or false).

        preferred is one of the two ids, and empty if and only if tied is true; a missing label has
        no row. Raises NotOriented, and LabelledTwice for a pair labelled twice in the same order.
        """
        missing = [column for column in COLUMNS if column not in frame.columns]
        if missing:
            raise NotOriented(f"the frame lacks the columns {', '.join(missing)}")
        if frame[["topic", "left", "right", "tied"]].isna().any(axis=None):
            raise NotOriented("a row has no topic, left, right or tied")
        _check(frame)
        first_left = (frame["left"] < frame["right"]).to_numpy(dtype=bool)
        first = frame["left"].where(first_left, frame["right"])
        second = frame["right"].where(first_left, frame["left"])
        tied = frame["tied"].to_numpy(dtype=bool)
        prefers_first = (frame["preferred"] == first).to_numpy(dtype=bool)
        labels = cls(
            source=source,
            pairs=tuple(zip(frame["topic"], first, second, strict=True)),
            value=np.select([tied, prefers_first], [TIED, PREFERS_FIRST], PREFERS_SECOND),
            first_left=first_left,
        )
        labels.by_key(shown=True)
        return labels

    def __len__(self) -> int:
        return len(self.pairs)

    def by_key(self, *, shown: bool) -> "pd.Series[int]":
        """The values by pair, or by pair and order shown. Raises LabelledTwice."""
        keys: Sequence[Hashable] = self.pairs
        if shown:
            keys = tuple(zip(self.pairs, self.first_left.tolist(), strict=True))
        values = pd.Series(self.value, index=_index(keys))
        twice = values.index.duplicated()
        if twice.any():
            pair = values.index[int(np.argmax(twice))]
            raise LabelledTwice(pair, "in the same order" if shown else "in one order or the other")
        return values

    def both_orders(self) -> tuple[Ints, Ints]:
        """Of the pairs labelled in both orders, the values with first left and with first right."""
        values = pd.Series(self.value, index=_index(self.pairs))
        left, right = values[self.first_left], values[~self.first_left]
        common = left.index.intersection(right.index, sort=False)
        return left[common].to_numpy(), right[common].to_numpy()


def _index(keys: Sequence[Hashable]) -> "pd.Index[Any]":
    """The keys as single values: pandas and numpy would take tuples apart."""
    return pd.Index(np.fromiter(keys, dtype=object, count=len(keys)), tupleize_cols=False)


def _check(frame: pd.DataFrame) -> None:
    if (frame["left"] == frame["right"]).any():
        raise NotOriented("a pair shows the same response twice")
    if not frame["tied"].isin([True, False]).all():
        raise NotOriented("tied is neither true nor false in a row")
    tied = frame["tied"].to_numpy(dtype=bool)
    named = frame["preferred"].notna().to_numpy(dtype=bool)
    if (tied & named).any():
        raise NotOriented("a tied pair names a preferred response")
    if (~tied & ~named).any():
        raise NotOriented("a pair that is not tied names no preferred response")
    known = (frame["preferred"] == frame["left"]) | (frame["preferred"] == frame["right"])
    stray = ~tied & ~known.to_numpy(dtype=bool)
    if stray.any():
        row = frame.iloc[int(np.argmax(stray))]
        raise NotOriented(
            f"{row['preferred']!r} is neither of the two responses shown, "
            f"{row['left']!r} and {row['right']!r}"
        )
