"""A list of a study: its rows, by what an address narrows them, its columns. Only reads."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import partial, reduce
from operator import or_
from typing import Any

from django.db.models import F, Q, QuerySet
from django.http import HttpRequest

from analysis.pages.entities.grouped import ByGroups, Counted, Counts
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
class Filter:
    """What an address narrows a list by: `?name=value`.

    `where` finds the rows, `said` is how a page calls the value. Where there are `choices`
    (value -> words), the page offers them.
    """

    name: str
    title: str
    where: Callable[[Study, str], Q]
    said: Callable[[Study, str], str] = as_it_is
    choices: Callable[[Study], Mapping[str, str]] | None = None


@dataclass(frozen=True)
class Column:
    """`sort` is the field by which the rows are sorted, or "" where they cannot be."""

    title: str
    sort: str = ""
    number: bool = False


@dataclass(frozen=True)
class Listing:
    """`rows` in their usual order, with what their columns sort by; `shown` is what the template
    of the list makes its rows of. A column that sorts by one of `values` reads it from elsewhere:
    the value of each row, by its id. What is looked for is looked for in `sought_in`, and among the
    few others that rows point to (`sought_among`: the field, and those with these words).
    `sought_by_id` are fields with the keyed hash of a platform ID, which matches as a whole.
    `sought_hint` is what the search field says, if not that it searches the list. `total`
    is what the amounts of the rows come to, None where they make no sum. A list that may have
    hundreds of thousands of rows says how it counts them by one of their fields (`counts`, and by
    which of them for all, `counted_by`); many of them share what they are sorted by."""

    key: str
    title: str
    one: str
    rows: Callable[[Study], Rows]
    shown: Callable[[Study, Sequence[Any]], Sequence[Any]]
    columns: Callable[[Study], Sequence[Column]]
    filters: tuple[Filter, ...] = ()
    sought_in: tuple[str, ...] = ()
    sought_among: tuple[tuple[str, Callable[[Study, str], Rows]], ...] = ()
    sought_by_id: tuple[str, ...] = ()
    sought_hint: str = ""
    kinds: tuple[str, ...] = BOTH
    values: Mapping[str, Callable[[Study], Mapping[int, float]]] = field(default_factory=dict)
    total: Callable[[Rows, "Asked"], Decimal | None] | None = None
    counts: Callable[[Study, Rows, "Asked", str], Counts] | None = None
    counted_by: str = ""

    @property
    def template(self) -> str:
        return f"console/entities/_{self.key}.html"


@dataclass(frozen=True)
class Asked:
    """What an address asks of a list."""

    q: str
    sort: str
    by: Mapping[str, str]  # name of a filter -> value

    @classmethod
    def of(cls, request: HttpRequest, listing: Listing) -> "Asked":
        given = {
            name: paging.said(request, name) for name in [each.name for each in listing.filters]
        }
        by = {name: value for name, value in given.items() if value}
        return cls(paging.sought(request), paging.said(request, "sort"), by)


def found(listing: Listing, study: Study, asked: Asked) -> Rows:
    """The rows that an address asks for, in the usual order of the list."""
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


def in_order(listing: Listing, study: Study, rows: Rows, asked: Asked) -> Rows | Sequence[int]:
    """The ids of the rows by the column that is asked for; what has no value there comes last.

    Ids alone, because a database sorts them many times quicker than rows with all that they show.
    """
    name, down = asked.sort.removeprefix("-"), asked.sort.startswith("-")
    if name not in {each.sort for each in listing.columns(study) if each.sort}:
        name = ""
    pks = rows.values_list("pk", flat=True)
    if name and name not in listing.values:
        by = F(name).desc(nulls_last=True) if down else F(name).asc(nulls_last=True)
        pks = pks.order_by(by, "pk")
    if listing.counts is not None:
        counts = partial(listing.counts, study, rows, asked)
        if "__" in name:
            return ByGroups(rows, name, down=down, counts=counts)
        return Counted(pks, sum(counts(listing.counted_by).values()))
    if name not in listing.values:
        return pks
    values = listing.values[name](study)
    known = sorted((pk for pk in pks if pk in values), key=lambda pk: values[pk], reverse=down)
    return [*known, *(pk for pk in pks if pk not in values)]
