"""Answers to requests that have none of a view: a page for people, JSON for programs."""

import sys

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext
from django.views.defaults import bad_request, page_not_found, server_error

from annotation.outages import is_outage

API = "/api/"
RETRY_AFTER = 10  # seconds


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer with 404."""
    if request.path.startswith(API):
        return JsonResponse({"detail": gettext("Page not found.")}, status=404)
    return page_not_found(request, exception)


def not_understood(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer with 400."""
    if request.path.startswith(API):
        return JsonResponse({"detail": gettext("Invalid request.")}, status=400)
    return bad_request(request, exception)


def failed(request: HttpRequest) -> HttpResponse:
    """Answer with 500; with 503 while the database is away."""
    if not is_outage(sys.exc_info()[1]):
        return server_error(request)
    if request.path.startswith(API) or request.headers.get("Accept") == "application/json":
        detail = gettext("The database isn't available. Try again in a moment.")
        answer: HttpResponse = JsonResponse({"detail": detail}, status=503)
    else:
        answer = server_error(request, template_name="503.html")
        answer.status_code = 503
    answer.headers["Retry-After"] = str(RETRY_AFTER)
    return answer
