"""Grade grid of a topic: texts × bank entries, rows and columns sorted by their sums."""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
from django.core.cache import cache
from django.db.models import Avg, Count, Max, Q, QuerySet

from annotation.models import Topic
from judging.banks.deleting import board_cache_prefix
from judging.banks.scales import BankScales, half_up
from judging.models import Bank, BankEntry, ItemSlot, Judgment
from judging.raters.cells import PEOPLE, counting, entry_keys

MINUTES = 30
KEY = re.compile("[0-9a-f]{32}")
MOST_BLOCK = 100  # rows or columns per response
Raters = Literal["all", "people", "models"]
Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Grid:
    """Sums and counts of grades. Rows are `texts`, columns are `entries` (primary keys).

    Both arrays have the shape (2, rows, columns): people first, then models.
    """

    texts: tuple[tuple[str, int], ...]  # (passage or response, primary key)
    entries: tuple[int, ...]
    sums: Floats
    numbers: npt.NDArray[np.int32]

    def means(self, raters: Raters) -> Floats:
        """Return the mean grade of each cell, NaN for cells without grades."""
        kinds = {"all": [0, 1], "people": [0], "models": [1]}[raters]
        numbers = self.numbers[kinds].sum(axis=0)
        sums = self.sums[kinds].sum(axis=0)
        means: Floats = np.full_like(sums, np.nan)
        np.divide(sums, numbers, out=means, where=numbers > 0)
        return means

    @property
    def lowest(self) -> float:
        return float(np.nanmin(self.means("all"), initial=0))

    @property
    def highest(self) -> float:
        return float(np.nanmax(self.means("all"), initial=1))


@dataclass(frozen=True)
class SortedGrid:
    """Mean grades with rows and columns in descending order of their sums."""

    grid: Grid
    means: Floats
    rows: npt.NDArray[np.intp]
    columns: npt.NDArray[np.intp]

    def block(self, rows: slice, columns: slice) -> list[str]:
        """Return the cells of a block, one comma-separated line per row."""
        means = self.means[np.ix_(self.rows[rows], self.columns[columns])]
        return [",".join(map(written, line)) for line in means.tolist()]

    def sums_of_rows(self, rows: slice) -> list[str]:
        return [written(each) for each in np.nansum(self.means[self.rows[rows]], axis=1).tolist()]

    def sums_of_columns(self, columns: slice) -> list[str]:
        sums = np.nansum(self.means[:, self.columns[columns]], axis=0)
        return [written(each) for each in sums.tolist()]


def written(grade: float) -> str:
    """Return a grade with one decimal at most, rounded half up, "" for none."""
    if grade != grade:
        return ""
    return f"{half_up(grade, digits=1):.1f}".removesuffix(".0")


def sorted_grid(bank: Bank, topic: Topic, raters: Raters, *, key: str = "") -> SortedGrid:
    """Return the grid of a topic for some raters; `key` is the cache key from `grid_of`."""
    grid, _ = grid_of(bank, topic, key=key)
    means = grid.means(raters)
    known = np.nan_to_num(means)
    rows = np.argsort(-known.sum(axis=1), kind="stable")
    columns = np.argsort(-known.sum(axis=0), kind="stable")
    return SortedGrid(grid, means, rows, columns)


def grid_of(bank: Bank, topic: Topic, *, key: str = "") -> tuple[Grid, str]:
    """Return the grid of a topic and its cache key.

    Pass the key to get the cached grid, so that all blocks of a page come from the same grid.
    """
    place = f"{board_cache_prefix(bank.pk)}grid:{topic.pk}"
    grid: Grid | None = cache.get(f"{place}:{key}") if KEY.fullmatch(key) else None
    if grid is not None:
        return grid, key
    judgments = counting(bank).filter(item__topic=topic)
    state = judgments.aggregate(n=Count("pk"), newest=Max("answered_at"), last=Max("pk"))
    key = hashlib.sha256(repr(sorted(state.items())).encode()).hexdigest()[:32]
    grid = cache.get(f"{place}:{key}")
    if grid is None:
        grid = _grid(bank, topic, judgments)
        cache.set(f"{place}:{key}", grid, 60 * MINUTES)
    return grid, key


def _grid(bank: Bank, topic: Topic, judgments: "QuerySet[Judgment]") -> Grid:
    keys = entry_keys(bank)
    entries = dict(BankEntry.objects.filter(bank=bank, topic=topic).values_list("key", "pk"))
    entry_of = {pk: entries[key] for pk, key in keys.items() if key in entries}
    criteria: dict[int, dict[str, int]] = {}
    text_of: dict[int, tuple[str, int]] = {}
    slots = ItemSlot.objects.filter(item__topic=topic, item__study__instruments__bank=bank)
    columns = ("item", "name", "criterion", "passage", "response")
    for item, name, criterion, passage, response in slots.order_by().values_list(*columns):
        if criterion is not None:
            criteria.setdefault(item, {})[name] = criterion
        elif passage or response:
            text_of[item] = ("passage", passage) if passage else ("response", response)
    cells: dict[tuple[tuple[str, int], int, int], list[float]] = {}
    for item, slot, is_person, mean, n in _means(judgments, BankScales.of(bank)):
        among = criteria.get(item, {})
        criterion = among.get(slot) or (next(iter(among.values())) if len(among) == 1 else None)
        if criterion in entry_of and item in text_of:
            cell = cells.setdefault((text_of[item], entry_of[criterion], 1 - is_person), [0.0, 0])
            cell[0] += mean * n
            cell[1] += n
    return _filled(cells)


def _means(
    judgments: "QuerySet[Judgment]", scales: BankScales
) -> Iterator[tuple[int, str, bool, float, int]]:
    """Yield item, slot, whether people graded, mean on the common scale, and number."""
    rows = judgments.filter(score__isnull=False).order_by()
    rows = rows.annotate(is_person=Q(rater__kind__in=PEOPLE))
    columns = ("item", "slot", "is_person", "item__study", "question__key")
    grouped = rows.values(*columns).annotate(mean=Avg("score"), n=Count("pk"))
    for *place, study, question, mean, n in grouped.values_list(*columns, "mean", "n"):
        item, slot, is_person = place
        yield item, slot, is_person, scales.rescaled(study, question, mean), n


def _filled(cells: dict[tuple[tuple[str, int], int, int], list[float]]) -> Grid:
    texts = sorted({text for text, _, _ in cells})
    entries = sorted({entry for _, entry, _ in cells})
    row_of = {text: place for place, text in enumerate(texts)}
    column_of = {entry: place for place, entry in enumerate(entries)}
    sums = np.zeros((2, len(texts), len(entries)), dtype=np.float32)
    numbers = np.zeros(sums.shape, dtype=np.int32)
    for (text, entry, kind), (total, n) in cells.items():
        at = kind, row_of[text], column_of[entry]
        sums[at], numbers[at] = total, n
    return Grid(tuple(texts), tuple(entries), sums, numbers)
