"""Different rows against numpy's, which sorts rows as records."""

import numpy as np
import pytest

from analysis.stats.arrays import distinct_rows


@pytest.mark.parametrize(
    ("rows", "columns", "most"),
    [
        (400, 3, 5),
        (400, 1, 2),
        (50, 4, 1000),
        (0, 3, 5),
        (1, 2, 9),
        (300, 3, 2**31),
        (9, 70, 3),
        (9, 99, 1),
    ],
)
def test_distinct_rows_equal_those_of_numpy(rows, columns, most):
    drawn = np.random.default_rng(rows).integers(0, most, (rows, columns))
    drawn = np.concatenate([drawn, drawn[::3]])
    kinds, place, count = distinct_rows(drawn)
    expected = np.unique(drawn, axis=0, return_inverse=True, return_counts=True)
    np.testing.assert_array_equal(kinds, expected[0])
    np.testing.assert_array_equal(place, expected[1].ravel())
    np.testing.assert_array_equal(count, expected[2])
    assert kinds.dtype == drawn.dtype
    np.testing.assert_array_equal(kinds[place], drawn)
