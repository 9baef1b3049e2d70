"""Krippendorff's alpha with an interval for other workers and other items (or topics) at once.

With few workers the interval is for these workers on other items.

A bootstrap over items alone (alpha.py) holds for other items judged by these very workers. Workers
differ in their leanings, so with few of them it covers little (benchmarks/coverage/votes.py). The
error here is that of crossed_errors.py, and nothing is drawn: without an item, a worker or a vote,
the coincidence matrix loses a part that is known.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import scipy

from analysis.stats.agreement.alpha import Level, alpha_of, krippendorff_alpha, option_positions
from analysis.stats.arrays import Flags, Floats, Ints, distinct_rows
from analysis.stats.crossed_errors import error_about
from analysis.stats.design_checks import (
    ALL_ALIKE,
    LEAST_WORKERS,
    NOT_ENOUGH,
    PERFECT,
    About,
    about_raters,
    few_clusters,
)
from analysis.stats.errors import BadSetting
from analysis.stats.resampling import coincidences, portions
from analysis.stats.sequential import look_confidence
from analysis.stats.votes import Votes, vote_matrix


@dataclass(frozen=True, kw_only=True)
class CrossedAlpha:
    """Alpha with its interval over workers and units, units being items or groups of items.

    about: the raters that the interval is about; with few it is over units alone. low, high are NaN
    where no interval is offered; why is then the sentence, else empty. error: the standard error
    over both; over_units, over_workers: over each alone. degrees: of freedom of t.
    """

    value: float
    low: float
    high: float
    error: float
    over_units: float
    over_workers: float
    degrees: float
    units: int
    workers: int
    items: int
    votes: int
    level: Level
    confidence: float
    about: About
    why: str


def crossed_alpha(
    votes: Votes,
    *,
    together: Sequence[Hashable] | None = None,
    level: Level = "ordinal",
    confidence: float = 0.95,
    about: About | None = None,
    sequential: bool = False,
) -> CrossedAlpha:
    """Compute alpha of the votes on one question, counting a worker once on an item.

    together, aligned with votes.items: items with equal entries are one unit (both directions of a
    pair, or the pairs of a topic, which share its responses); by default each item is its own.
    about: the raters that the interval is about; by default by their number.
    sequential: the interval holds at every look at a study that still grows.

    Raises the errors of krippendorff_alpha.
    """
    value = krippendorff_alpha(votes, level=level, draws=0, confidence=confidence).value
    used = np.asarray(votes.counts().any(axis=0))
    parts = _Parts.of(votes, _units(votes, together), used)
    positions = option_positions(votes, level)[used]
    V = int(used.sum())

    def changes(lost: scipy.sparse.csr_array) -> Floats:
        """Return the change of alpha without each row (a lost coincidence matrix)."""
        parts_changed, start = [], 0
        for count in portions(lost.shape[0], V * V):
            rest = parts.whole - lost[start : start + count].toarray()
            parts_changed.append(value - alpha_of(rest.reshape(-1, V, V), level, positions))
            start += count
        return np.concatenate(parts_changed)

    moved = [changes(lost) for lost in (parts.units, parts.workers, parts.cells)]
    counted = {"units": len(moved[0]), "workers": len(moved[1])}
    about = about or about_raters(counted["workers"])
    called = "items" if together is None or about is About.LIKE_THESE else "topics"
    is_few = about is About.LIKE_THESE and counted["workers"] < LEAST_WORKERS
    why = few_clusters(
        "alpha for other participants" if is_few else "alpha",  # these have one of their own
        units=counted["units"],
        workers=counted["workers"] if about is About.LIKE_THESE else None,
        called=f"{called} with two votes or more",
        opening=NOT_ENOUGH if is_few else "An interval for",
    )
    drawn = moved if about is About.LIKE_THESE else moved[:1]
    if not why and any(np.isnan(change).any() for change in drawn):
        why = "No interval for alpha: without one unit or participant, all votes are equal."
    if not why and value > PERFECT:
        why = ALL_ALIKE.format("alpha")
    nan = float("nan")
    low = high = error = over_units = over_workers = degrees = nan
    if not why:
        crossed = error_about(about, units=moved[0], workers=moved[1], cells=moved[2])
        of_look = look_confidence(confidence) if sequential else confidence
        low, high = (float(end) for end in crossed.interval(np.asarray(value), of_look))
        error, degrees = float(crossed.error), float(crossed.degrees)
        over_units, over_workers = float(crossed.over_units), float(crossed.over_workers)
    return CrossedAlpha(
        value=value, low=low, high=min(high, 1.0), error=error, over_units=over_units,
        over_workers=over_workers, degrees=degrees, **counted, items=parts.items,
        votes=parts.votes, level=level, confidence=confidence, about=about,
        why=why,
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class _Parts:
    """Coincidences (V * V,) of all, and the losses without each unit, worker and cell.

    V options were used. An item has a few of them, so the losses are sparse: (clusters, V * V).
    """

    whole: Floats
    units: scipy.sparse.csr_array
    workers: scipy.sparse.csr_array
    cells: scipy.sparse.csr_array
    items: int
    votes: int

    @classmethod
    def of(cls, votes: Votes, unit: Ints, used: Flags) -> "_Parts":
        # Items with equal counts are of one kind, and lose the same by a vote for the same option.
        counts = votes.counts()[:, used]
        kinds, kind, _ = distinct_rows(counts)
        K, V = kinds.shape
        coincidences_of_kind, less = _of_kinds(kinds)
        pairable = counts.sum(axis=1) >= 2
        voted = pairable[votes.item]
        value = (np.cumsum(used) - 1)[votes.value[voted]]
        loss_row = kind[votes.item[voted]] * np.int64(V) + value
        _, worker = np.unique(votes.worker[voted], return_inverse=True)
        _, of_unit = np.unique(unit[pairable], return_inverse=True)
        place = np.zeros(len(counts), dtype=np.int64)
        place[pairable] = of_unit
        U, W = int(of_unit.max()) + 1, int(worker.max()) + 1
        _, cell = np.unique(place[votes.item[voted]] * np.int64(W) + worker, return_inverse=True)
        C = int(cell.max()) + 1
        return cls(
            whole=np.asarray(np.bincount(kind, minlength=K) @ coincidences_of_kind),
            units=vote_matrix(of_unit, kind[pairable], (U, K)) @ coincidences_of_kind,
            workers=vote_matrix(worker, loss_row, (W, K * V)) @ less,
            cells=vote_matrix(cell, loss_row, (C, K * V)) @ less,
            items=int(pairable.sum()),
            votes=int(voted.sum()),
        )


def _of_kinds(kinds: Ints) -> tuple[scipy.sparse.csr_array, scipy.sparse.csr_array]:
    """Return the coincidences of each kind of item (K, V * V), and its losses by a vote.

    kinds (K, V); the losses (K * V, V * V) have a row for each kind and option.
    """
    K, V = kinds.shape
    entries: tuple[list[Ints], list[Ints], list[Floats]] = ([], [], [])
    losses: tuple[list[Ints], list[Ints], list[Floats]] = ([], [], [])
    for k, counts in enumerate(kinds):
        used = np.flatnonzero(counts)
        if not len(used):  # items that nobody voted on lose nothing
            continue
        of_kind = coincidences(counts[None, used]).ravel()
        fewer = coincidences(counts[used] - np.eye(len(used), dtype=counts.dtype))
        lost = of_kind - fewer.reshape(len(used), -1)
        column = (used[:, None] * V + used).ravel()
        for values, row, number in (
            (entries, np.full(column.shape, k), of_kind),
            (losses, np.repeat(k * V + used, len(column)), lost.ravel()),
        ):
            values[0].append(row)
            values[1].append(np.resize(column, row.shape))
            values[2].append(number)
    whole, less = (
        scipy.sparse.csr_array(
            (np.concatenate(number), (np.concatenate(row), np.concatenate(column))),
            shape=(rows, V * V),
        )
        for (row, column, number), rows in ((entries, K), (losses, K * V))
    )
    return whole, less


def _units(votes: Votes, together: Sequence[Hashable] | None) -> Ints:
    if together is None:
        return np.arange(len(votes.items))
    if len(together) != len(votes.items):
        allowed = f"one entry for each of {len(votes.items)}"
        raise BadSetting("together", f"of length {len(together)}", allowed)
    return np.asarray(pd.factorize(pd.Series(list(together)))[0])
