"""Answers to addresses that nothing is at: a page for people, JSON for programs."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext
from django.views.defaults import bad_request, page_not_found

API = "/api/"


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer with 404."""
    if request.path.startswith(API):
        return JsonResponse({"detail": gettext("Nothing found at this address.")}, status=404)
    return page_not_found(request, exception)


def not_understood(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer with 400."""
    if request.path.startswith(API):
        return JsonResponse({"detail": gettext("Invalid request.")}, status=400)
    return bad_request(request, exception)
