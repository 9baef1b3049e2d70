"""Requests that hold what no database can keep are refused before anything reads them.

A NUL in an address or a header, or a form in an encoding other than UTF-8 (some make halves of
surrogate pairs, some cannot be decoded), is sent by no browser.
"""

import codecs
from collections.abc import Callable

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse

NUL = "\x00"


class IncomingMiddleware:
    """Answers such requests with 400."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if _has_nul(request):
            raise BadRequest("NUL in an address or a header")
        if request.encoding and codecs.lookup(request.encoding).name != "utf-8":
            request.encoding = "utf-8"  # the page of the refusal reads the address
            raise BadRequest("a body that is not UTF-8")
        return self.get_response(request)


def _has_nul(request: HttpRequest) -> bool:
    if NUL in request.path_info or "%00" in request.META.get("QUERY_STRING", ""):
        return True
    headers = (value for name, value in request.META.items() if name.startswith("HTTP_"))
    # Cookies are unquoted: \000 in one is a NUL.
    cookies = request.COOKIES.values() if "\\000" in request.META.get("HTTP_COOKIE", "") else ()
    return any(NUL in value for value in (*headers, *cookies))
