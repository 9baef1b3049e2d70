"""Kendall's tau-b and Spearman's rho from contingency tables: few levels, many samples at once.

Kendall, Rank Correlation Methods (1948): tau-b = (P - Q) / sqrt((n0 - n1) (n0 - n2)) with P and Q
the concordant and discordant pairs, n0 all pairs, n1 and n2 those tied on either side. All of it is
read off the table of counts, so a bootstrap draw costs a table and no sorting.
"""

import numpy as np

from analysis.stats.arrays import Floats


def tau_b(tables: Floats) -> Floats:
    """Return tau-b of each contingency table (..., V, U), scales ascending; NaN for a constant."""
    tables = np.asarray(tables, dtype=np.float64)
    # how many lie below and to the right of each cell, and below and to the left of it
    below = np.zeros_like(tables)
    below[..., :-1, :] = np.cumsum(tables[..., :0:-1, :], axis=-2)[..., ::-1, :]
    left = np.zeros_like(tables)
    left[..., 1:] = np.cumsum(below, axis=-1)[..., :-1]
    right = np.zeros_like(tables)
    right[..., :-1] = np.cumsum(below[..., :0:-1], axis=-1)[..., ::-1]
    agreeing = (tables * (right - left)).sum(axis=(-2, -1))
    n = tables.sum(axis=(-2, -1))
    row_ties = (tables.sum(axis=-1) ** 2).sum(axis=-1)
    column_ties = (tables.sum(axis=-2) ** 2).sum(axis=-1)
    untied = (n**2 - row_ties) * (n**2 - column_ties)
    # n^2 instead of n (n - 1) on all sides, and so twice the pairs: the factors cancel
    tau = np.divide(2 * agreeing, np.sqrt(untied), out=np.full_like(n, np.nan), where=untied > 0)
    return np.asarray(tau)


def spearman(tables: Floats) -> Floats:
    """Return Spearman's rho by mid-ranks of each table (..., V, U); NaN for a constant."""
    tables = np.asarray(tables, dtype=np.float64)
    x, x_spread = _ranks(tables.sum(axis=-1))
    y, y_spread = _ranks(tables.sum(axis=-2))
    together = (tables * x[..., :, None] * y[..., None, :]).sum(axis=(-2, -1))
    untied = x_spread * y_spread
    rho = np.divide(together, np.sqrt(untied), out=np.full_like(untied, np.nan), where=untied > 0)
    return np.asarray(rho)


def _ranks(counts: Floats) -> tuple[Floats, Floats]:
    """Return mid-ranks of the levels (..., V) less their mean n / 2, and their sum of squares."""
    ranks = np.cumsum(counts, axis=-1) - counts / 2 - counts.sum(axis=-1, keepdims=True) / 2
    return ranks, (counts * ranks**2).sum(axis=-1)
