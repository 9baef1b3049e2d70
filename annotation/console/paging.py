"""Long lists, a page at a time, and what somebody looks for in them. Only reads."""

from typing import Any

from django.core.paginator import Page, Paginator
from django.http import HttpRequest

MOST_LETTERS = 200  # of what is looked for


def sought(request: HttpRequest) -> str:
    """Return the text of a list's search field."""
    return said(request, "q").strip()


def said(request: HttpRequest, name: str) -> str:
    """Return a query parameter, shortened and without NUL, which no database accepts."""
    return request.GET.get(name, "").replace("\x00", "")[:MOST_LETTERS]


def page_of(rows: Any, request: HttpRequest, *, rows_a_page: int) -> Page[Any]:
    """Return the requested page of a list or query, or the nearest existing one."""
    return Paginator(rows, rows_a_page).get_page(request.GET.get("page"))
