"""Short lists of a page of results until its reader asks for more."""

from django.http import HttpRequest


def is_first_sight(request: HttpRequest) -> bool:
    """Return whether the address asks for nothing but the raters of the results."""
    return not set(request.GET) - {"pool"}


def at_first_sight(request: HttpRequest, few: int, rows_a_page: int) -> int:
    """Return the number of rows on a page of a list: `few` at first sight."""
    return few if is_first_sight(request) else rows_a_page
