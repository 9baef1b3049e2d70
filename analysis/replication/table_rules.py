"""Rules of a printed table: sums, means, differences, ranks and taus that its columns follow.

A rule is inferred: a column that is the sum, mean or difference of its neighbours in nearly all
rows. The rows in which it is not are contradictions (`contradictions`). The exactness of a cell
follows from its decimals. A rule counts only if chance would hardly make one like it in the whole
table, so most tables without sums have none.
"""

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations, zip_longest

import numpy as np
import scipy

from analysis.stats.arrays import Flags, Floats

FEWEST = 3  # lines in which a rule must hold
SHARE = 2 / 3  # of the lines
CHANCE = 1e-3  # of one such rule in a table without any
ATTEMPTS = 4  # rules tried, over the square of the number of columns; about
SUM, MEAN, DIFFERENCE, RANK, TAU = "sum", "mean", "difference", "rank", "tau"


@dataclass(frozen=True, eq=False)
class PrintedTable:
    """Values (R, C), NaN for no number; exact (R, C), half a unit of the last digit."""

    rows: Sequence[str]
    columns: Sequence[str]
    values: Floats
    exact: Floats

    @property
    def turned(self) -> "PrintedTable":
        return PrintedTable(self.columns, self.rows, self.values.T, self.exact.T)


@dataclass(frozen=True, eq=False)
class Rule:
    """Rule by which `target` (a column) follows from `sources`.

    (R,): expected, holds, known (has numbers).
    """

    kind: str
    target: int
    sources: tuple[int, ...]
    expected: Floats
    holds: Flags
    known: Flags

    @property
    def cells(self) -> frozenset[int]:
        return frozenset({self.target, *self.sources})

    @property
    def share(self) -> float:
        return float(self.holds.sum() / self.known.sum())


def read_table(lines: Sequence[Sequence[str]]) -> PrintedTable:
    """Read a table whose first line names the columns and whose first cells name the rows.

    A second line of names, as in print, names the columns together with the first.
    """
    head, body = _head_and_body(lines)
    width = len(head)
    cells = [[*line, *[""] * width][:width] for line in body]
    numbers = [[_number(cell) for cell in line[1:]] for line in cells]
    shape = (len(cells), width - 1)
    return PrintedTable(
        rows=_unique([line[0].strip() for line in cells], "row"),
        columns=_unique([name.strip() for name in head[1:]], "column"),
        values=np.array([[value for value, _ in line] for line in numbers]).reshape(shape),
        exact=np.array([[half for _, half in line] for line in numbers]).reshape(shape),
    )


def is_unnamed(column: str) -> bool:
    """Return whether a table has no name for this column, only the place that `_unique` gives."""
    return re.fullmatch(r"column \d+", column) is not None


def _head_and_body(
    lines: Sequence[Sequence[str]],
) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
    """Return the names of the columns and the lines below them.

    In a head of two lines a name of the first one stands over several names of the second.
    """
    head, *body = lines
    under = [cell.strip() for cell in body[0]] if len(body) > 1 else []
    is_second = any(under) and not under[0] and all(math.isnan(_number(name)[0]) for name in under)
    if not is_second or all(cell.strip() for cell in head[1:]):
        return head, body
    names, above = [head[0]], ""
    for upper, lower in zip_longest(head[1:], under[1:], fillvalue=""):
        above = upper.strip() or above
        names.append(f"{above} {lower}".strip())
    return names, body[1:]


def _unique(names: Sequence[str], what: str) -> list[str]:
    """Return names that differ: an empty one is column 3, a repeated one gets a number."""
    unique_names: list[str] = []
    for place, name in enumerate(names, start=1):
        name, count = name or f"{what} {place}", 1
        while (unique := name if count == 1 else f"{name} ({count})") in unique_names:
            count += 1
        unique_names.append(unique)
    return unique_names


def _number(cell: str) -> tuple[float, float]:
    """Return the number in a cell, and half a unit of its last digit; a comma groups thousands."""
    text = cell.strip().strip("*†‡").replace("−", "-").replace(",", "").removesuffix("%").strip()
    try:
        value = float(text)
    except ValueError:
        return math.nan, math.nan
    decimals = len(text.partition(".")[2]) if "e" not in text.lower() else 6
    return (value, 0.5 * 10.0**-decimals) if math.isfinite(value) else (math.nan, math.nan)


def rules(table: PrintedTable) -> list[Rule]:
    """Return the rules of columns, at most one for each set of columns and each target."""
    good = [rule for rule in _candidates(table) if _is_no_chance(table, rule)]
    # The rule that holds everywhere explains a column; then the one that needs the fewest sources.
    good.sort(key=lambda rule: (-rule.share, ORDER.index(rule.kind), len(rule.sources)))
    chosen: list[Rule] = []
    explained: set[int] = set()
    for rule in good:
        if rule.target in explained or any(rule.cells == other.cells for other in chosen):
            continue
        chosen.append(rule)
        explained.add(rule.target)
    return chosen


ORDER = (SUM, MEAN, DIFFERENCE, RANK, TAU)
Make = Callable[[Floats, Floats], tuple[Floats, Floats]]

# From values and exactness of the sources, (R, S) each: what follows, and how exact that is.
FORMULAS: dict[str, Make] = {
    SUM: lambda values, exact: (values.sum(axis=1), exact.sum(axis=1)),
    MEAN: lambda values, exact: (values.mean(axis=1), exact.mean(axis=1)),
    DIFFERENCE: lambda values, exact: (values[:, 0] - values[:, 1], exact.sum(axis=1)),
}


def _candidates(table: PrintedTable) -> Iterator[Rule]:
    C = len(table.columns)
    for start, end in combinations(range(C + 1), 2):
        sources = tuple(range(start, end))
        if len(sources) < 2:
            continue
        # A sum stands beside what it adds up.
        for target in {start - 1, end} & set(range(C)):
            for kind in (SUM, MEAN):
                yield from _rule(table, kind, target, sources)
    for a, b in permutations(range(C), 2):
        for target in {max(a, b) + 1, min(a, b) - 1} & set(range(C)):
            yield from _rule(table, DIFFERENCE, target, (a, b))
    for target, source in permutations(range(C), 2):
        yield from _ranks(table, target, source)
        yield from _taus(table, target, source)


def _rule(table: PrintedTable, kind: str, target: int, sources: tuple[int, ...]) -> Iterator[Rule]:
    columns = list(sources)
    expected, exact = FORMULAS[kind](table.values[:, columns], table.exact[:, columns])
    printed = table.values[:, target]
    is_known = np.isfinite(expected) & np.isfinite(printed)
    near = np.abs(expected - printed) <= exact + table.exact[:, target] + 1e-9
    if _is_worth_it(is_known, near & is_known):
        yield Rule(kind, target, sources, expected, near & is_known, is_known)


def _ranks(table: PrintedTable, target: int, source: int) -> Iterator[Rule]:
    """Yield the rule that the target ranks the source, from either end; equals may share a rank."""
    printed, values = table.values[:, target], table.values[:, source]
    is_known = np.isfinite(printed) & np.isfinite(values)
    n = int(is_known.sum())
    if n <= FEWEST or not set(printed[is_known]) <= {half / 2 for half in range(2, 2 * n + 1)}:
        return
    if len(set(values[is_known])) < n or (values[is_known] == printed[is_known]).all():
        return  # where values are equal, ranks depend on the unrounded ones
    for sign in (1, -1):
        expected = np.full(len(values), np.nan)
        expected[is_known] = scipy.stats.rankdata(sign * values[is_known])
        holds = is_known & (expected == printed)
        if _is_worth_it(is_known, holds):
            yield Rule(RANK, target, (source,), expected, holds, is_known)


def _taus(table: PrintedTable, target: int, source: int) -> Iterator[Rule]:
    """Yield the rule of a column of taus: of each row with the row of the source's name.

    Tried only for columns with such a name, where rows are measures of the other columns.
    """
    if not TAU_NAMES & {table.columns[target].lower()}:
        return
    others = [c for c in range(len(table.columns)) if c != target]
    values = table.values[:, others]
    if source >= len(table.rows):
        return
    expected = np.array([_tau(row, values[source]) for row in values])
    printed = table.values[:, target]
    is_known = np.isfinite(expected) & np.isfinite(printed)
    is_known[source] = False
    near = is_known & (np.abs(expected - printed) <= table.exact[:, target] + 1e-9)
    if _is_worth_it(is_known, near):
        yield Rule(TAU, target, (source,), expected, near, is_known)


TAU_NAMES = {"tau", "τ", "tau-b", "kendall", "kendall's tau"}


def _tau(x: Floats, y: Floats) -> float:
    both = np.isfinite(x) & np.isfinite(y)
    if both.sum() < FEWEST or not np.ptp(x[both]) or not np.ptp(y[both]):
        return math.nan
    return float(scipy.stats.kendalltau(x[both], y[both]).statistic)


def _is_worth_it(known: Flags, holds: Flags) -> bool:
    return bool(holds.sum() >= FEWEST and holds.sum() >= SHARE * known.sum())


def _is_no_chance(table: PrintedTable, rule: Rule) -> bool:
    """Return whether a table of this size without any rule would hardly show one like it.

    By chance a cell comes as near to its expectation as those of the rule do, in the range that
    both cover; any column might follow from any run of its neighbours. Rows in which the column is
    that near to one of its sources alone show no rule: columns that go up and down together would
    follow any mean of each other.
    """
    held, n_known = int(rule.holds.sum()), int(rule.known.sum())
    printed, expected = (
        column_values[rule.known] for column_values in (table.values[:, rule.target], rule.expected)
    )
    if len(set(printed)) < FEWEST:
        return False  # a column of equal numbers follows from anything
    attempts = ATTEMPTS * len(table.columns) ** 2
    if rule.kind == RANK:
        return attempts * math.comb(n_known, held) / math.factorial(held) < CHANCE
    off = np.abs(rule.expected - table.values[:, rule.target])[rule.holds].max()
    near = 2 * (off + float(np.median(table.exact[rule.known, rule.target])))
    spread = float(np.ptp(printed) + np.ptp(expected))
    hit = near / (spread + near)
    alike = _alike(table, rule, near / 2)
    held, n_known = int((rule.holds & ~alike).sum()), int((rule.known & ~alike).sum())
    return held >= FEWEST and bool(attempts * math.comb(n_known, held) * hit**held < CHANCE)


def _alike(table: PrintedTable, rule: Rule, near: float) -> Flags:
    """Return the rows in which the target is as near as that to one of its sources."""
    if rule.kind == TAU:
        return np.zeros(len(table.rows), dtype=bool)
    sources = table.values[:, list(rule.sources)]
    apart = np.abs(sources - table.values[:, [rule.target]])
    return np.asarray((apart <= near + 1e-9).any(axis=1))
