"""Query of a list in an address: search, filters, order and page."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, urlencode

from django.core.paginator import Page, Paginator
from django.http import HttpRequest

MAX_LENGTH = 200  # characters of a parameter
MAX_QUERY_LENGTH = 1000  # characters of the query of an address


def parameter(request: HttpRequest, name: str) -> str:
    """Return a query parameter, shortened and without NUL, which no database accepts."""
    return request.GET.get(name, "").replace("\x00", "")[:MAX_LENGTH]


def search_words(request: HttpRequest) -> str:
    """Return the text of a list's search field."""
    return parameter(request, "q").strip()


def page_of(rows: Any, request: HttpRequest, *, rows_a_page: int) -> Page[Any]:
    """Return the requested page of a list or query, or the nearest existing one."""
    return Paginator(rows, rows_a_page).get_page(request.GET.get("page"))


def parameters_in(request: HttpRequest) -> dict[str, str]:
    return {name: parameter(request, name) for name in request.GET}


def parameters_of(query: str) -> dict[str, str]:
    """Return the parameters of the query of an address."""
    pairs = parse_qsl(query[:MAX_QUERY_LENGTH].replace("\x00", ""))
    return {name: value[:MAX_LENGTH] for name, value in pairs}


def with_query(path: str, parameters: Mapping[str, object]) -> str:
    query = urlencode(parameters)
    return f"{path}?{query}" if query else path


@dataclass(frozen=True)
class QueryParameter:
    """Parameter of a list; a value outside `choices` becomes `other`, or else the default."""

    name: str
    default: str = ""
    choices: Collection[str] | None = None
    other: str = ""

    def value(self, given: str) -> str:
        if self.choices is not None and given not in self.choices:
            return self.other or self.default
        return given.strip() if self.name == "q" else given


@dataclass(frozen=True)
class ListQuery:
    """Values of the parameters of a list, by name: `query["q"]`."""

    parameters: tuple[QueryParameter, ...]
    values: Mapping[str, str]

    @classmethod
    def parse(cls, parameters: Iterable[QueryParameter], given: Mapping[str, str]) -> "ListQuery":
        parameters = tuple(parameters)
        values = {row.name: row.value(given.get(row.name, row.default)) for row in parameters}
        return cls(parameters, values)

    def __getitem__(self, name: str) -> str:
        return self.values[name]

    def replace(self, **values: str) -> "ListQuery":
        return self.parse(self.parameters, {**self.values, **values})

    @property
    def given(self) -> dict[str, str]:
        """The values that are no defaults."""
        usual = {row.name: ("", row.default) for row in self.parameters}
        return {name: v for name, v in self.values.items() if v not in usual[name]}

    @property
    def query(self) -> str:
        """The query of an address that asks for the same."""
        return urlencode(self.given)

    def order(self, columns: Collection[str]) -> tuple[str, bool]:
        """Return the column of these to sort by, or "", and if it is sorted downwards."""
        name = self["sort"].removeprefix("-")
        return name if name in columns else "", self["sort"].startswith("-")
