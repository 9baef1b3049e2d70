"""Cells of the tables while they are filled: a value each, or the reason for none."""

import json
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from analysis.stats.agreement.alpha import AgreementResult
from analysis.stats.agreement.crossed_alpha import CrossedAlpha
from analysis.stats.errors import CannotCompute

# What is kept, so that the same data give the same file on every machine: decimals, and of
# smaller numbers (p-values) significant digits.
DIGITS, SIGNIFICANT = 6, 3


@dataclass
class TableCells:
    """Tables as nested dictionaries, with intervals and the reasons of missing cells.

    values: table -> ... -> number or None. intervals: path of a cell -> [low, high].
    sizes: path -> sample sizes ({"items": n, ...}). missing: path -> reason.
    seconds: computing time, by part and step; tables.json leaves them out.
    drawn: values that a figure is drawn from and tables.json has no room for.
    A path joins the keys by dots, "table4.C.quality_overall".
    """

    values: dict[str, Any] = field(default_factory=dict)
    intervals: dict[str, list[float]] = field(default_factory=dict)
    sizes: dict[str, dict[str, int]] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)
    drawn: dict[str, Any] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)

    def put(self, *path: str, value: Any) -> None:
        """Set a cell; numbers are rounded, and NaN becomes None."""
        table = self.values
        for key in path[:-1]:
            table = table.setdefault(key, {})
        table[path[-1]] = rounded(value)

    def put_interval(self, *path: str, value: float, low: float, high: float) -> None:
        """Set a cell and its interval, if it has one."""
        self.put(*path, value=value)
        ends = [rounded(low), rounded(high)]
        if None not in ends:
            self.intervals[".".join(path)] = ends

    def put_agreement(self, *path: str, result: AgreementResult | CrossedAlpha) -> None:
        """Set a cell to an agreement, with its interval and its sample size."""
        self.put_interval(*path, value=result.value, low=result.low, high=result.high)
        self.sizes[".".join(path)] = {"items": result.items, "votes": result.votes}

    def fill(self, *path: str, make: Callable[[], Any]) -> None:
        """Set a cell to the result of `make`; if it cannot be computed, to None with the reason."""
        try:
            value = make()
        except CannotCompute as reason:
            self.lack(*path, reason=str(reason))
            return
        if isinstance(value, AgreementResult):
            self.put_agreement(*path, result=value)
        else:
            self.put(*path, value=value)

    def lack(self, *path: str, reason: str) -> None:
        self.put(*path, value=None)
        self.missing[".".join(path)] = reason

    def lack_all(self, *path: str, keys: Iterable[str], reason: str) -> None:
        """Leave a whole column empty, for one reason."""
        for key in keys:
            self.put(*path, key, value=None)
        self.missing[".".join(path)] = reason

    def add(self, other: "TableCells") -> None:
        """Take over the tables of another part."""
        for mine, theirs in (
            (self.values, other.values),
            (self.intervals, other.intervals),
            (self.sizes, other.sizes),
            (self.missing, other.missing),
            (self.drawn, other.drawn),
            (self.seconds, other.seconds),
        ):
            _merge(mine, theirs)


def _merge(into: dict[str, Any], other: dict[str, Any]) -> None:
    for key, value in other.items():
        if isinstance(value, dict) and isinstance(into.get(key), dict):
            _merge(into[key], value)
        else:
            into[key] = value


def rounded(value: Any) -> Any:
    """Return numbers rounded, None if not finite; in lists and dictionaries too."""
    if isinstance(value, dict):
        return {str(key): rounded(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(inner) for inner in value]
    if value is None or isinstance(value, str | bool | int):
        return value
    number = float(value)
    if not math.isfinite(number):
        return None
    if abs(number) < 10**-3:
        return float(f"{number:.{SIGNIFICANT}g}") + 0.0  # no negative zero
    return round(number, DIGITS)


def tables_json(cells: TableCells) -> str:
    """Return the tables by name, intervals and sizes by the path of a cell, and missing cells."""
    tables = {name: cells.values[name] for name in sorted(cells.values)}
    beside = {
        "intervals": dict(sorted(cells.intervals.items())),
        "sizes": dict(sorted(cells.sizes.items())),
        "missing": dict(sorted(cells.missing.items())),
    }
    return json.dumps(tables | beside, indent=1, allow_nan=False) + "\n"
