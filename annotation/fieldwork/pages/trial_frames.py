"""A trial stands in a frame on the page of its draft. Only reads.

The pages of a worker are shown in no frame, so that nobody clicks on them unawares. Those of a
trial are its researcher's own: a page of this site may frame them, for whoever is logged in.
"""

from collections.abc import Callable

from csp.constants import SELF
from django.conf import settings
from django.http import HttpRequest, HttpResponse

from annotation.fieldwork.pages.languages import ADDRESS
from annotation.models import Assignment, Study


class TrialFrameMiddleware:
    """Costs a worker nothing: only who has a session can be a researcher who tries."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if _is_page(response) and _is_tried(request):
            response["X-Frame-Options"] = "SAMEORIGIN"
            response._csp_replace = {"frame-ancestors": [SELF]}  # type: ignore[attr-defined]  # what django-csp reads
        return response


def _is_page(response: HttpResponse) -> bool:
    return response.headers.get("Content-Type", "").startswith("text/html")


def _is_tried(request: HttpRequest) -> bool:
    found = ADDRESS.match(request.path_info)
    if not found or settings.SESSION_COOKIE_NAME not in request.COOKIES:
        return False
    if not request.user.is_authenticated:
        return False
    trials = Study.every.filter(purpose=Study.Purpose.TRIAL)
    if token := found["token"]:
        return Assignment.objects.addressed(token).filter(study__in=trials).exists()
    return trials.filter(slug=found["slug"]).exists()
