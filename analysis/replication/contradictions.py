"""Contradictions in a printed table: cells that break a rule, and the wrong one where it is known.

A broken rule shows that one of its cells is wrong, not which. Two kinds of evidence decide it:

- Granularity (the GRIM test of Brown and Heathers, 2017): means of n whole answers are multiples of
  1/n. A cell that is no such multiple where the others are is wrong; a cell is right if no multiple
  of 1/n in its place would mend the rule.
- Crossing: a cell that breaks a rule of its row and a rule of its column, and that one number would
  mend in both.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from analysis.replication.table_rules import (
    CHANCE,
    DIFFERENCE,
    MEAN,
    SHARE,
    SUM,
    PrintedTable,
    Rule,
    rules,
)
from analysis.stats.arrays import Flags, Floats

LARGEST_N = 100  # answers behind a mean
NEAR = 1e-9


@dataclass(frozen=True)
class RuleCell:
    """A printed cell of a broken rule.

    `fits`: the number that would mend the rule if the other cells are right, None where none
    follows; `exact`: the largest rounding error of it.
    """

    row: str
    column: str
    printed: float
    half: float  # half a unit of the last printed digit
    fits: float | None = None
    exact: float = 0.0

    @property
    def place(self) -> tuple[str, str]:
        return self.row, self.column


@dataclass(frozen=True)
class TableContradiction:
    """A row or column (`line`) whose cells break a rule; `target` follows from the others.

    cells: the target first, then its sources. wrong: the wrong cell where there is evidence;
    multiple: the unit of which the others are multiples and it is not, or 0.
    """

    line: str
    target: str
    rule: str
    cells: tuple[RuleCell, ...]
    wrong: RuleCell | None = None
    multiple: float = 0.0

    @property
    def places(self) -> set[tuple[str, str]]:
        return {cell.place for cell in self.cells}


@dataclass(frozen=True)
class Checked:
    """Contradictions of a table, by row and column of the target, and the number of its rules."""

    contradictions: tuple[TableContradiction, ...]
    rules: int


def check_table(table: PrintedTable) -> Checked:
    """Find the rules of a table in both directions, and the cells that break them."""
    upright, turned = rules(table), rules(table.turned)
    every = [
        *(_turned(contradiction) for contradiction in _contradictions(table.turned, turned)),
        *_contradictions(table, upright),
    ]
    unique = list(
        {frozenset(contradiction.places): contradiction for contradiction in every}.values()
    )
    contradictions = sorted(
        (_crossing(contradiction, unique) for contradiction in unique),
        key=lambda contradiction: (
            table.rows.index(contradiction.cells[0].row),
            table.columns.index(contradiction.cells[0].column),
        ),
    )
    return Checked(tuple(contradictions), len(upright) + len(turned))


def _contradictions(table: PrintedTable, found: Sequence[Rule]) -> Iterator[TableContradiction]:
    for rule in found:
        names = ", ".join(table.columns[source] for source in rule.sources)
        grids = _grids(table, rule)
        for row in np.flatnonzero(rule.known & ~rule.holds).tolist():
            contradiction = TableContradiction(
                line=table.rows[row],
                target=table.columns[rule.target],
                rule=f"{rule.kind} of {names}",
                cells=tuple(_cells(table, rule, row, grids)),
            )
            yield _by_granularity(contradiction, [grids[c] for c in _columns(rule)])


def _columns(rule: Rule) -> tuple[int, ...]:
    return rule.target, *rule.sources


def _turned(each: TableContradiction) -> TableContradiction:
    def turn(cell: RuleCell) -> RuleCell:
        return replace(cell, row=cell.column, column=cell.row)

    wrong = each.wrong and turn(each.wrong)
    return replace(each, cells=tuple(map(turn, each.cells)), wrong=wrong)


def sentence(each: TableContradiction) -> str:
    """Return a contradiction in words: its cells, and the wrong one where it is known."""
    target, *sources = each.cells
    values = ", ".join(f"{_other(cell, each.line)} {cell.printed:g}" for cell in sources)
    fits = "" if target.fits is None else f" ({target.fits:.6g})"
    text = f"{each.line}: {each.target} {target.printed:g} is not the {each.rule}{fits}"
    text += f"; {values}. "
    if each.wrong is None:
        return f"{text}The check can't tell which of these cells is wrong."
    wrong = each.wrong
    text += f"{_other(wrong, each.line)} is wrong: {wrong.fits:.6g} fits."
    if each.multiple:
        text += f" The other numbers are multiples of {each.multiple:.4g}; this one isn't."
    return text


def _other(cell: RuleCell, line: str) -> str:
    return cell.column if cell.row == line else cell.row


# -- What would mend a rule ------------------------------------------------------------------------


def _cells(table: PrintedTable, rule: Rule, row: int, grids: dict[int, int]) -> list[RuleCell]:
    """Return the cells of a broken rule, each with the number that would mend it.

    SUM, MEAN: target = w (x1 + ... + xn), w = 1 or 1/n. DIFFERENCE: target = x1 - x2.
    """
    columns = _columns(rule)
    values = table.values[row, list(columns)]
    exact = np.array([_exactness(table, row, c, grids[c]) for c in columns])
    if rule.kind not in (SUM, MEAN, DIFFERENCE):
        fits = [float(rule.expected[row]), *[None] * len(rule.sources)]
        errors = np.zeros(len(columns))
    else:
        weight = 1 / len(rule.sources) if rule.kind == MEAN else 1.0
        signs = [1.0, -1.0] if rule.kind == DIFFERENCE else [1.0] * len(rule.sources)
        # 0 = -target + sum of the weighted sources; solved for each cell in turn.
        factors = np.array([-1.0, *(weight * sign for sign in signs)])
        rest = (factors * values).sum()
        fits = [float(v - rest / factor) for v, factor in zip(values, factors, strict=True)]
        errors = _errors(factors, exact)
    return [
        RuleCell(table.rows[row], table.columns[c], float(value), float(half), fit, float(error))
        for c, value, half, fit, error in zip(
            columns, values, table.exact[row, list(columns)], fits, errors, strict=True
        )
    ]


def _exactness(table: PrintedTable, row: int, column: int, n: int) -> float:
    """Return the rounding error of a cell: none of a multiple of 1/n that is printed in full."""
    value, half = table.values[row, column], table.exact[row, column]
    exact = n and abs(round(value * n) / n - value) < NEAR
    return 0.0 if exact else float(half)


def _errors(factors: Floats, exact: Floats) -> Floats:
    weighed = np.abs(factors) * exact
    return np.asarray((weighed.sum() - weighed) / np.abs(factors))


# -- Evidence: granularity -------------------------------------------------------------------------


def _grids(table: PrintedTable, rule: Rule) -> dict[int, int]:
    """Return n of each column of the rule, 0 where its numbers are no multiples of any 1/n.

    The sources are of one kind, so that they are taken together.
    """
    if rule.kind not in (SUM, MEAN, DIFFERENCE):
        return dict.fromkeys(_columns(rule), 0)
    n = granularity(table, rule.sources)
    return dict.fromkeys(rule.sources, n) | {rule.target: granularity(table, [rule.target])}


def granularity(table: PrintedTable, columns: Sequence[int]) -> int:
    """Return n if the numbers of these columns are multiples of 1/n, with few exceptions, or 0.

    A number of any size is as near to a multiple of 1/n as rounding allows with probability 2 half
    n. The n is that whose hits are the least probable, if they are too improbable for chance.
    """
    values = table.values[:, list(columns)].ravel()
    half = table.exact[:, list(columns)].ravel()
    is_number = np.isfinite(values)
    values, half = values[is_number], half[is_number]
    best, least = 0, CHANCE / LARGEST_N
    for n in range(2, LARGEST_N + 1):
        hits = _is_multiple(values, half, n)
        held = int(hits.sum())
        if not held or held < SHARE * len(values):
            continue
        chance = np.minimum(1.0, 2 * half[hits] * n)
        score = math.comb(len(values), held) * float(np.prod(chance))
        if score < least:
            best, least = n, score
    return best


def _is_multiple(values: Floats, half: Floats, n: int) -> Flags:
    return np.abs(np.round(values * n) / n - values) <= half + NEAR


def _by_granularity(each: TableContradiction, grids: Sequence[int]) -> TableContradiction:
    """Name the wrong cell where one alone is no multiple, or one alone could be mended by one."""
    pairs = list(zip(each.cells, grids, strict=True))
    off = [(cell, n) for cell, n in pairs if n and not _is_near(cell.printed, cell.half, n)]
    if len(off) == 1:
        ((cell, n),) = off
        return replace(each, wrong=cell, multiple=1 / n)
    if off or not any(grids):
        return each
    possible = [
        cell
        for cell, n in pairs
        if cell.fits is not None and (not n or _is_near(cell.fits, cell.exact, n))
    ]
    return replace(each, wrong=possible[0]) if len(possible) == 1 else each


def _is_near(value: float, exact: float, n: int) -> bool:
    return abs(round(value * n) / n - value) <= exact + NEAR


# -- Evidence: crossing ----------------------------------------------------------------------------


def _crossing(each: TableContradiction, found: Sequence[TableContradiction]) -> TableContradiction:
    """Name the one cell that a single number would mend here and in another contradiction."""
    if each.wrong is not None:
        return each
    mended = [
        cell
        for cell in each.cells
        if any(_agree(cell, other) for rest in found if rest is not each for other in rest.cells)
    ]
    return replace(each, wrong=mended[0]) if len(mended) == 1 else each


def _agree(one: RuleCell, other: RuleCell) -> bool:
    if one.place != other.place or one.fits is None or other.fits is None:
        return False
    return abs(one.fits - other.fits) <= one.exact + other.exact + NEAR
