"""Tables of Popp et al. as numbers of texts or systems, and criteria or scales.

A text is a system and "best" or "worst", or T1, T2, ... in the order of the tables of texts; a
table may have texts or systems as rows or as columns. Criteria come in two heads, each followed by
its own four; a scale is a head with these.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from analysis.replication.table_rules import PrintedTable, is_unnamed

HEADS = ("honesty", "comprehensibility")
SCALES = (*HEADS, "total")
FEW = 4  # a table with more measures has criteria, one with fewer scales
RANK = ("best", "worst")


@dataclass(frozen=True)
class NamedCell:
    """A printed cell with its entity, its measure and its place."""

    entity: tuple[str, str]  # system, and best or worst; "" for all texts of the system
    measure: str  # a criterion, or a scale
    row: str
    column: str
    value: float
    half: float


def entity_of(name: str) -> tuple[str, str]:
    words = re.findall(r"[a-z0-9]+", name.lower())
    which = next((word for word in words if word in RANK), "")
    return " ".join(word for word in words if word not in RANK), which


def plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def scale_of(name: str) -> str:
    """Return the scale that a name means; empty for none."""
    for scale, start in zip(SCALES, ("hon", "compr", "tot"), strict=True):
        if plain(name).startswith(start):
            return scale
    return ""


@dataclass(frozen=True)
class Entities:
    """Systems by the names given with best and worst, with their texts in order."""

    systems: tuple[str, ...]
    texts: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, tables: Collection[PrintedTable]) -> Self:
        names = [name for table in tables for name in (*table.rows, *table.columns)]
        texts = dict.fromkeys(entity_of(name) for name in names if entity_of(name)[1])
        return cls(tuple(dict.fromkeys(system for system, _ in texts)), tuple(texts))

    def find(self, name: str) -> tuple[str, str] | None:
        """Return the text or system that a name means; Luminous is Luminous-Base, T1 the first."""
        if number := re.fullmatch(r"t(?:ext)?\s*(\d+)", name.strip().lower()):
            place = int(number[1]) - 1
            return self.texts[place] if 0 <= place < len(self.texts) else None
        system, which = entity_of(name)
        if system in self.systems:
            return system, which
        like = [
            name_of_system
            for name_of_system in self.systems
            if _begins(name_of_system, system) or _begins(system, name_of_system)
        ]
        return (like[0], which) if len(like) == 1 else None


def _begins(one: str, other: str) -> bool:
    """Return whether a name begins with the words of another name."""
    return bool(other) and one.split()[: len(other.split())] == other.split()


def named(table: PrintedTable, entities: Entities) -> list[NamedCell]:
    """Return the cells of a table that name a text or a system, without columns of no name."""
    turned = not _are_entities(table.rows, entities) and _are_entities(table.columns, entities)
    upright = table.turned if turned else table
    measures = _measures(upright.columns)
    named_cells = []
    for r, c in zip(*np.nonzero(np.isfinite(upright.values)), strict=True):
        entity, place = entities.find(upright.rows[r]), (upright.rows[r], upright.columns[c])
        if entity is not None and not is_unnamed(place[1]):
            row, column = reversed(place) if turned else place
            value, half = float(upright.values[r, c]), float(upright.exact[r, c])
            named_cells.append(NamedCell(entity, measures[c], row, column, value, half))
    return named_cells


def _are_entities(names: Sequence[str], entities: Entities) -> bool:
    return sum(entities.find(name) is not None for name in names) >= len(names) / 2


def _measures(names: Sequence[str]) -> list[str]:
    """Return the measures of columns: a head is the scale where only scales occur."""
    if len(names) <= FEW:
        return [scale_of(name) or plain(name) for name in names]
    return ["total" if scale_of(name) == "total" else plain(name) for name in names]


def heads_of(criteria: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the criteria of each head, in table order: from the second head on, the second."""
    second = next((k for k, name in enumerate(criteria) if k and name.startswith("compr")), 0)
    second = second or len(criteria) // 2
    return dict(zip(HEADS, (tuple(criteria[:second]), tuple(criteria[second:])), strict=True))
