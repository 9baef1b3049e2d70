"""Middleware: requests refused by their head, and a header that Django has no setting for.

A body that arrives slowly holds a thread, so a form that another site's page sends is refused
first: such a page could send many to a server on its reader's computer. A NUL in an address or a
header, or a form in an encoding other than UTF-8 (some make halves of surrogate pairs, some cannot
be decoded), is sent by no browser, and no database can keep it.
"""

import codecs
from collections.abc import Callable

from django.core.exceptions import BadRequest, PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse

NUL = "\x00"
SAFE = {"GET", "HEAD", "OPTIONS"}
# What browsers say of the page that a request comes from. Servers of others (webhooks) and programs
# send no such header, and old browsers none either: Django's check of Origin is left for them.
OTHERS = {"cross-site", "same-site"}
# What no page of ours uses, nor a page that one of ours shows in a frame. Copying to the clipboard
# and full screen stay as browsers have them.
UNUSED = (
    "accelerometer",
    "autoplay",
    "browsing-topics",
    "camera",
    "display-capture",
    "geolocation",
    "gyroscope",
    "hid",
    "magnetometer",
    "microphone",
    "midi",
    "payment",
    "publickey-credentials-get",
    "screen-wake-lock",
    "serial",
    "usb",
    "xr-spatial-tracking",
)


class IncomingMiddleware:
    """Answers such requests with 403, 404 and 400."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method not in SAFE and request.headers.get("Sec-Fetch-Site") in OTHERS:
            raise PermissionDenied("sent by a page of another site")
        if NUL in request.path_info:
            raise Http404("addresses cannot contain NUL")
        if _has_nul(request):
            raise BadRequest("NUL in an address or a header")
        if request.encoding and codecs.lookup(request.encoding).name != "utf-8":
            request.encoding = "utf-8"  # the page of the refusal reads the address
            raise BadRequest("a body that is not UTF-8")
        return self.get_response(request)


def _has_nul(request: HttpRequest) -> bool:
    meta = request.META
    # Of the headers, the browser's name is stored, and cookies are looked up.
    if NUL in meta.get("HTTP_USER_AGENT", "") or "%00" in meta.get("QUERY_STRING", ""):
        return True
    # A quoted cookie is unquoted: \000 in it is a NUL.
    is_quoted = "\\000" in meta.get("HTTP_COOKIE", "")
    return is_quoted and any(NUL in value for value in request.COOKIES.values())


class PermissionsPolicyMiddleware:
    """Turns features of browsers off that no page uses, for our pages and what they frame.

    A view that needs one of them allows it by setting the header itself.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        allowed = response.headers.get("Permissions-Policy", "")
        names = {rule.partition("=")[0].strip() for rule in allowed.split(",")}
        rules = [f"{feature}=()" for feature in UNUSED if feature not in names]
        response.headers["Permissions-Policy"] = ", ".join([allowed, *rules] if allowed else rules)
        return response
