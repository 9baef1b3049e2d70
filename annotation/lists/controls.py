"""Column heads that sort a list, and selects that filter it, as the templates show them."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class ColumnHead:
    """Head of a column; its link sorts by `sort` (None: the usual order, "": no link)."""

    title: str
    sort: str | None = ""
    number: bool = False
    direction: str = ""  # value of aria-sort


@dataclass(frozen=True)
class ListColumn:
    """Column of a list; without `sort`, a field of the rows, it cannot be sorted by."""

    title: str
    sort: str = ""
    number: bool = False

    def head(self, current: str, *, largest_first: bool = True) -> ColumnHead:
        """Return the head in a list that is sorted by `current`.

        With `largest_first` the first click on a column of numbers sorts downwards.
        """
        if not self.sort:
            return ColumnHead(self.title, number=self.number)
        down = f"-{self.sort}"
        direction = {self.sort: "ascending", down: "descending"}.get(current, "")
        turns = current == self.sort or (self.number and largest_first and current != down)
        return ColumnHead(self.title, down if turns else self.sort, self.number, direction)


@dataclass(frozen=True)
class ListSelect:
    """Select of a list's form: a parameter, its words and its options (value -> words)."""

    name: str
    title: str
    options: Mapping[str, str]
    value: str
