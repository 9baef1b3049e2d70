"""Definition of a list of records: its rows, filters, search and columns."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import partial, reduce
from operator import or_
from typing import Any, Generic, TypeVar

from django.db.models import F, Model, Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext

from annotation.lists.query import ListQuery, QueryParameter, parameters_in
from annotation.lists.sorted_ids import CountedIds, Counts, GroupedIds
from annotation.models import Study
from annotation.people.pseudonyms import hashes_of_id
from annotation.texts.sentences import marked

BY_PERSON = marked("Pseudonym or platform ID")
BOTH = (Study.Kind.JUDGING, Study.Kind.WRITING)
Rows = QuerySet[Any]
Owner = TypeVar("Owner", bound=Model)


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


def by_number(field: str, *, digits: int = 17) -> Callable[[Any, str], Q]:
    """Return the condition of a filter by a number; any other value matches no row."""

    def where(_: object, value: str) -> Q:
        fits = value.isdecimal() and len(value) <= digits
        return Q(**{field: value}) if fits else Q(pk=None)

    return where


@dataclass(frozen=True)
class ListFilter(Generic[Owner]):
    """Query parameter that narrows a list: `?name=value`.

    `where` is the field or the condition of the rows, `label` the words for a value (marked ones
    by value, or a function that returns None where the owner has nothing of this name). A page
    offers `choices`, value -> words.
    """

    name: str
    title: str
    where: str | Callable[[Owner, str], Q]
    label: Mapping[str, str] | Callable[[Owner, str], str | None] = field(default_factory=dict)
    choices: Mapping[str, str] | Callable[[Owner], Mapping[str, str]] | None = None

    def condition(self, owner: Owner, value: str) -> Q:
        return Q(**{self.where: value}) if isinstance(self.where, str) else self.where(owner, value)

    def words(self, owner: Owner, value: str) -> str | None:
        if not isinstance(self.label, Mapping):
            return self.label(owner, value)
        return gettext(self.label[value]) if value in self.label else value

    def options(self, owner: Owner) -> Mapping[str, str]:
        if isinstance(self.choices, Mapping):
            return {value: gettext(words) for value, words in self.choices.items()}
        return self.choices(owner) if self.choices else {}


@dataclass(frozen=True)
class RecordList(Generic[Owner]):
    """List of the records of a study or corpus, its owner.

    rows: the rows in their usual order, with the fields that the columns sort by.
    shown: the rows as the template of the list reads them.
    search_in: the fields that a search reads.
    unsearched: the rows in whose fields the reader may not search.
    search_related: related fields, and the related objects that match a search.
    search_ids: fields with the keyed hash of a platform ID, which matches as a whole.
    search_hint: the placeholder of the search field.
    values: sort columns that are no field: the value of each row, by its id.
    total: the sum of the amounts of the rows, None where they make none.
    counts, counted_by: in a list of hundreds of thousands of rows, the numbers of rows by a field,
    and the field that gives the total.
    """

    key: str
    title: str
    rows: Callable[[Owner], Rows]
    shown: Callable[[Owner, Sequence[Any]], Sequence[Any]] = lambda _, rows: rows
    one: str = ""
    columns: Callable[[Owner], Sequence[ListColumn]] = lambda _: ()
    filters: tuple[ListFilter[Owner], ...] = ()
    search_in: tuple[str, ...] = ()
    unsearched: Callable[[Owner], Q] | None = None
    search_related: tuple[tuple[str, Callable[[Owner, str], Rows]], ...] = ()
    search_ids: tuple[str, ...] = ()
    search_hint: str = ""
    kinds: tuple[str, ...] = BOTH
    values: Mapping[str, Callable[[Owner], Mapping[int, float]]] = field(default_factory=dict)
    total: Callable[[Rows, ListQuery], Decimal | None] | None = None
    counts: Callable[[Owner, Rows, ListQuery, str], Counts] | None = None
    counted_by: str = ""

    def query_in(self, request: HttpRequest) -> ListQuery:
        names = (*(list_filter.name for list_filter in self.filters), "sort", "q")
        return ListQuery.parse(map(QueryParameter, names), parameters_in(request))

    def narrowed(
        self, owner: Owner, query: ListQuery
    ) -> list[tuple[ListFilter[Owner], str, str | None]]:
        """Return the active filters, each with its value and the words for it."""
        return [
            (list_filter, value, list_filter.words(owner, value))
            for list_filter in self.filters
            if (value := query[list_filter.name])
        ]

    def matching(self, owner: Owner, query: ListQuery) -> Rows:
        """Return the rows that an address asks for, in the usual order of the list."""
        rows = self.rows(owner)
        for list_filter in self.filters:
            if value := query[list_filter.name]:
                rows = rows.filter(list_filter.condition(owner, value))
        return self.searched(owner, query["q"], rows=rows)

    def searched(self, owner: Owner, words: str, *, rows: Rows | None = None) -> Rows:
        """Return the rows, all or some, with these words."""
        rows = self.rows(owner) if rows is None else rows
        return rows.filter(self._search(owner, words)) if words and self.search_in else rows

    def _search(self, owner: Owner, words: str) -> Q:
        wheres = [Q(**{f"{name}__icontains": words}) for name in self.search_in]
        if self.unsearched:
            wheres = [where & ~self.unsearched(owner) for where in wheres]
        for name, among in self.search_related:
            wheres.append(Q(**{f"{name}__in": among(owner, words).values("pk")}))
        if self.search_ids:
            hashes = hashes_of_id(words)
            wheres += [Q(**{f"{name}__in": hashes}) for name in self.search_ids]
        return reduce(or_, wheres)

    def sorted_ids(self, owner: Owner, rows: Rows, query: ListQuery) -> Rows | Sequence[int]:
        """Return the ids of the rows by the requested column, rows without a value last.

        A database sorts ids alone many times quicker than complete rows.
        """
        name, down = query.order({column.sort for column in self.columns(owner)})
        pks = rows.values_list("pk", flat=True)
        if name and name not in self.values:
            by = F(name).desc(nulls_last=True) if down else F(name).asc(nulls_last=True)
            pks = pks.order_by(by, "pk")
        if self.counts is not None:
            counts = partial(self.counts, owner, rows, query)
            if "__" in name:
                return GroupedIds(rows, name, down=down, counts=counts)
            return CountedIds(pks, sum(counts(self.counted_by).values()))
        if name not in self.values:
            return pks
        values = self.values[name](owner)
        valued = sorted((pk for pk in pks if pk in values), key=lambda pk: values[pk], reverse=down)
        return [*valued, *(pk for pk in pks if pk not in values)]

    def read(self, owner: Owner, pks: Iterable[int]) -> list[Any]:
        """Return the rows of these ids, in their order."""
        wanted = list(pks)
        by_pk = {row.pk: row for row in self.rows(owner).filter(pk__in=wanted)}
        return [by_pk[pk] for pk in wanted if pk in by_pk]
