"""Very long lists, sorted by a field that many of their rows share."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, overload

from django.db.models import F, Model, QuerySet
from django.db.models.expressions import OrderBy

Counts = Mapping[Any, int]  # id of what is shared -> how many rows share it


class GroupedIds(Sequence[int]):
    """Ids of rows, sorted by a field of a related object such as `item__topic__query`.

    Only the rows of the objects on a page are sorted: sorting half a million rows for the first
    fifty takes a database longer than all the rest of the page. `counts` gives the rows of each
    object.
    """

    def __init__(
        self, rows: "QuerySet[Any]", name: str, *, down: bool, counts: Callable[[str], Counts]
    ) -> None:
        self.by, _, self.field = name.rpartition("__")
        self.rows, self.down, self.counts = rows, down, counts

    @cached_property
    def _sizes(self) -> list[tuple[int, int]]:
        """Id of each shared object and its number of rows, in order."""
        counts = self.counts(self.by)
        groups = self._shared._base_manager.filter(pk__in=counts)
        pks = groups.order_by(self._sorted(self.field), "pk").values_list("pk", flat=True)
        return [(pk, counts[pk]) for pk in pks]

    @property
    def _shared(self) -> type[Model]:
        model: Any = self.rows.model
        for name in self.by.split("__"):
            model = model._meta.get_field(name).related_model
        model_class: type[Model] = model
        return model_class

    def _sorted(self, name: str) -> OrderBy:
        by = F(name)
        return by.desc(nulls_last=True) if self.down else by.asc(nulls_last=True)

    def __len__(self) -> int:
        return sum(size for _, size in self._sizes)

    @overload
    def __getitem__(self, at: int) -> int: ...
    @overload
    def __getitem__(self, at: slice) -> list[int]: ...
    def __getitem__(self, at: int | slice) -> int | list[int]:
        if isinstance(at, int):
            return self[at : at + 1 or None][0]
        first, last, _ = at.indices(len(self))
        here, skipped, before = [], 0, 0
        for pk, size in self._sizes:
            if before + size <= first:
                skipped += size
            elif before < last:
                here.append(pk)
            before += size
        rows = self.rows.filter(**{f"{self.by}__in": here}).order_by("pk")
        if len(here) > 1:
            rows = rows.order_by(self._sorted(f"{self.by}__{self.field}"), f"{self.by}__pk", "pk")
        return list(rows.values_list("pk", flat=True)[first - skipped : last - skipped])


class CountedIds(Sequence[int]):
    """Ids of rows in the order of a query, with a known total."""

    def __init__(self, pks: "QuerySet[Any, int]", total: int) -> None:
        self.pks, self.total = pks, total

    def __len__(self) -> int:
        return self.total

    @overload
    def __getitem__(self, at: int) -> int: ...
    @overload
    def __getitem__(self, at: slice) -> list[int]: ...
    def __getitem__(self, at: int | slice) -> int | list[int]:
        return list(self.pks[at]) if isinstance(at, slice) else self.pks[at]
