"""Frames around the pages of a trial on the page of its draft. Only reads.

Pages of workers refuse frames, against clickjacking. A signed-in researcher may frame a trial.
"""

from collections.abc import Callable

from csp.constants import SELF
from django.conf import settings
from django.http import HttpRequest, HttpResponse

from annotation.fieldwork.pages.languages import ADDRESS
from annotation.models import Assignment, Study


class TrialFrameMiddleware:
    """Allow frames of this site around trials; requests without a session cost nothing."""

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
    match = ADDRESS.match(request.path_info)
    if not match or settings.SESSION_COOKIE_NAME not in request.COOKIES:
        return False
    if not request.user.is_authenticated:
        return False
    trials = Study.every.filter(purpose=Study.Purpose.TRIAL)
    if token := match["token"]:
        return Assignment.objects.addressed(token).filter(study__in=trials).exists()
    return trials.filter(slug=match["slug"]).exists()
