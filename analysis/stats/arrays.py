"""Array types that the methods exchange, and the sum and the sorting that they share."""

from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.signedinteger[Any]]
Flags = npt.NDArray[np.bool_]

MOST_BITS = 62  # of a number of 64 bits


def total(index: Ints, weight: Floats, size: int) -> Floats:
    """Return the sum of the weights at each index 0..size-1, of any shape: (size,)."""
    return np.bincount(index.ravel(), weights=weight.ravel(), minlength=size).astype(
        np.float64, copy=False
    )


def distinct_rows(rows: Ints) -> tuple[Ints, Ints, Ints]:
    """Return the different rows of non-negative integers (N, V), as np.unique(axis=0) does.

    They are sorted; then come the place of each row among them (N,) and their frequencies. Each row
    becomes one number, because numpy sorts rows as records, which takes several times as long.
    """
    sizes = rows.max(axis=0, initial=0).astype(np.int64) + 1
    if np.log2(sizes).sum() > MOST_BITS:
        kinds, place, count = np.unique(rows, axis=0, return_inverse=True, return_counts=True)
        return kinds, place.ravel(), count
    number = rows @ (sizes.prod() // np.cumprod(sizes))
    if sizes.prod() <= len(rows):
        frequency = np.bincount(number)
        place = (np.cumsum(frequency > 0) - 1)[number]
        count = frequency[frequency > 0]
    else:
        _, place, count = np.unique(number, return_inverse=True, return_counts=True)
    of_kind = np.zeros(len(count), dtype=np.int64)
    of_kind[place] = np.arange(len(rows))
    return rows[of_kind], place, count
