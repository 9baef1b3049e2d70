"""Items of a design before dealing, and their figures. Pure."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Protocol

from judging.designers.questionnaires import PlannedItem


@dataclass(frozen=True)
class Figures:
    """`words` of all items, repeated pairs (`again`), and items by `size` (`sizes`)."""

    words: int
    again: int
    sizes: Mapping[int | tuple[str, ...], int]


class PlannedItems(Protocol):
    """The product of a designer: its figures may take a fraction of the time of its items."""

    def __len__(self) -> int: ...

    @property
    def figures(self) -> Figures: ...

    @property
    def items(self) -> tuple[PlannedItem, ...]: ...


def figures_of(items: Sequence[PlannedItem]) -> Figures:
    """Return the figures, counted one by one."""
    return Figures(
        words=sum(map(attrgetter("words"), items)),
        again=sum(map(attrgetter("reverse"), items)),
        sizes=Counter(map(attrgetter("size"), items)),
    )


@dataclass(frozen=True, eq=False)
class ListedItems:
    """Items that were made one by one."""

    items: tuple[PlannedItem, ...]

    def __len__(self) -> int:
        return len(self.items)

    @property
    def figures(self) -> Figures:
        return figures_of(self.items)
