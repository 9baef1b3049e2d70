"""Long lists, a page at a time, and what somebody looks for in them. Only reads."""

from typing import Any

from django.core.paginator import Page, Paginator
from django.http import HttpRequest

MOST_LETTERS = 200  # of what is looked for


def sought(request: HttpRequest) -> str:
    """What the search field of a list says; no database has NUL in a text."""
    return said(request, "q").strip()


def said(request: HttpRequest, name: str) -> str:
    """What an address says there, cut to what a database can be asked for."""
    return request.GET.get(name, "").replace("\x00", "")[:MOST_LETTERS]


def page_of(rows: Any, request: HttpRequest, *, rows_a_page: int) -> Page[Any]:
    """The page of a list (or a query) that is asked for; the nearest one to a number it lacks."""
    return Paginator(rows, rows_a_page).get_page(request.GET.get("page"))
