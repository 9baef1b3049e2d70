"""Definition of a list of a study: its rows, filters, search and columns."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import partial, reduce
from operator import or_
from typing import Any

from django.db.models import F, Q, QuerySet
from django.http import HttpRequest

from analysis.pages.entities.sorted_ids import CountedIds, Counts, GroupedIds
from annotation.console import paging
from annotation.models import Study
from annotation.people.pseudonyms import hashes_of_id
from annotation.texts.sentences import marked

BY_PERSON = marked("Pseudonym or platform ID")
BOTH = (Study.Kind.JUDGING, Study.Kind.WRITING)
Rows = QuerySet[Any]


def as_it_is(_: Study, value: str) -> str:
    return value


@dataclass(frozen=True)
class ListFilter:
    """Query parameter that narrows a list: `?name=value`.

    `where` is the condition of the rows, `said` the words for a value. A page offers `choices`
    (value -> words).
    """

    name: str
    title: str
    where: Callable[[Study, str], Q]
    said: Callable[[Study, str], str] = as_it_is
    choices: Callable[[Study], Mapping[str, str]] | None = None


@dataclass(frozen=True)
class ListColumn:
    """Column of a list; without `sort`, a field of the rows, it cannot be sorted by."""

    title: str
    sort: str = ""
    number: bool = False


@dataclass(frozen=True)
class StudyList:
    """List of a study.

    rows: the rows in their usual order, with the fields that the columns sort by.
    shown: the rows as the template of the list reads them.
    sought_in: the fields that a search reads.
    sought_among: related fields, and the related objects that match a search.
    sought_by_id: fields with the keyed hash of a platform ID, which matches as a whole.
    sought_hint: the placeholder of the search field.
    values: sort columns that are no field: the value of each row, by its id.
    total: the sum of the amounts of the rows, None where they make none.
    counts, counted_by: in a list of hundreds of thousands of rows, the numbers of rows by a field,
    and the field that gives the total.
    """

    key: str
    title: str
    one: str
    rows: Callable[[Study], Rows]
    shown: Callable[[Study, Sequence[Any]], Sequence[Any]]
    columns: Callable[[Study], Sequence[ListColumn]]
    filters: tuple[ListFilter, ...] = ()
    sought_in: tuple[str, ...] = ()
    sought_among: tuple[tuple[str, Callable[[Study, str], Rows]], ...] = ()
    sought_by_id: tuple[str, ...] = ()
    sought_hint: str = ""
    kinds: tuple[str, ...] = BOTH
    values: Mapping[str, Callable[[Study], Mapping[int, float]]] = field(default_factory=dict)
    total: Callable[[Rows, "ListQuery"], Decimal | None] | None = None
    counts: Callable[[Study, Rows, "ListQuery", str], Counts] | None = None
    counted_by: str = ""

    @property
    def template(self) -> str:
        return f"console/entities/_{self.key}.html"


@dataclass(frozen=True)
class ListQuery:
    """Search, sort and filters in the address of a list."""

    q: str
    sort: str
    by: Mapping[str, str]  # name of a filter -> value

    @classmethod
    def of(cls, request: HttpRequest, listing: StudyList) -> "ListQuery":
        given = {
            name: paging.said(request, name) for name in [each.name for each in listing.filters]
        }
        by = {name: value for name, value in given.items() if value}
        return cls(paging.sought(request), paging.said(request, "sort"), by)


def found(listing: StudyList, study: Study, asked: ListQuery) -> Rows:
    """Return the rows that an address asks for, in the usual order of the list."""
    rows = listing.rows(study)
    for each in listing.filters:
        if value := asked.by.get(each.name):
            rows = rows.filter(each.where(study, value))
    if asked.q and listing.sought_in:
        wheres = [Q(**{f"{name}__icontains": asked.q}) for name in listing.sought_in]
        for name, among in listing.sought_among:
            pks = among(study, asked.q).values("pk")
            wheres.append(Q(**{f"{name}__in": pks}))
        if listing.sought_by_id:
            hashes = hashes_of_id(asked.q)
            wheres += [Q(**{f"{name}__in": hashes}) for name in listing.sought_by_id]
        rows = rows.filter(reduce(or_, wheres))
    return rows


def in_order(
    listing: StudyList, study: Study, rows: Rows, asked: ListQuery
) -> Rows | Sequence[int]:
    """Return the ids of the rows by the requested column, rows without a value last.

    A database sorts ids alone many times quicker than complete rows.
    """
    name, down = asked.sort.removeprefix("-"), asked.sort.startswith("-")
    if name not in {column.sort for column in listing.columns(study) if column.sort}:
        name = ""
    pks = rows.values_list("pk", flat=True)
    if name and name not in listing.values:
        by = F(name).desc(nulls_last=True) if down else F(name).asc(nulls_last=True)
        pks = pks.order_by(by, "pk")
    if listing.counts is not None:
        counts = partial(listing.counts, study, rows, asked)
        if "__" in name:
            return GroupedIds(rows, name, down=down, counts=counts)
        return CountedIds(pks, sum(counts(listing.counted_by).values()))
    if name not in listing.values:
        return pks
    values = listing.values[name](study)
    known = sorted((pk for pk in pks if pk in values), key=lambda pk: values[pk], reverse=down)
    return [*known, *(pk for pk in pks if pk not in values)]
