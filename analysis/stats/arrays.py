"""Array types that the methods exchange, and the sum that they share."""

from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.signedinteger[Any]]
Flags = npt.NDArray[np.bool_]


def total(index: Ints, weight: Floats, size: int) -> Floats:
    """Return the sum of the weights at each index 0..size-1, of any shape: (size,)."""
    return np.bincount(index.ravel(), weights=weight.ravel(), minlength=size).astype(
        np.float64, copy=False
    )
