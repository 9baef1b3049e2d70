"""The short path of requests that save: answers of judging pages and chunks of interaction logs.

Most requests are of these two kinds, and much middleware does nothing for them. What comes before
this one applies as always: request ids, metrics, HTTPS, the security and content policies, the
maintenance page, and refusals of other sites and of NULs. Of what comes after, kept are the host
check, the language, refusals and the size limit, and the headers of privacy and framing. Left out:

- GZip: an answer has about 20 bytes.
- Sessions, their owners and sign-in: the token in the address is the authority. A request with a
  session cookie (a researcher's trial) takes the long path, which checks and renews the session.
- Common: no address of this path lacks its slash.
- CSRF: both views are exempt, because no cookie acts for a worker.
- Messages, htmx, frames of trials: these are of pages, and these answers are JSON.
- Axes: it answers failed sign-ins.
"""

import re
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core.handlers.base import BaseHandler
from django.core.handlers.exception import convert_exception_to_response
from django.http import HttpRequest, HttpResponse

from annotation.fieldwork.pages.languages import LanguageMiddleware
from annotation.fieldwork.pages.refusal_middleware import RefusalMiddleware
from config.logging_in import NEVER_CACHE

ADDRESS = re.compile("/w/[^/]+/(?:judging/answers|writing/log)/")
ROUTES = ("judging:answers", "writing:log")

# Its own type allows for coroutines.
guarded: Callable[[Callable[[HttpRequest], HttpResponse]], Callable[[HttpRequest], HttpResponse]]
guarded = convert_exception_to_response  # type: ignore[assignment]


class _Views(BaseHandler):
    """Django's call of a view, with refusals as the only middleware of views."""

    def __init__(self) -> None:
        view = guarded(self._get_response)  # type: ignore[attr-defined]  # the stubs lack it
        refusals = RefusalMiddleware(view)
        self._view_middleware: list[Any] = []
        self._exception_middleware = [refusals.process_exception]
        self.answer = guarded(LanguageMiddleware(guarded(refusals)))


class SavingMiddleware:
    """Answers requests that save itself, and passes all others on."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.answer = _Views().answer

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not is_short(request):
            return self.get_response(request)
        request.get_host()  # refuses hosts that are not ours
        response = self.answer(request)
        response.headers["Cache-Control"] = NEVER_CACHE
        response.headers["X-Frame-Options"] = settings.X_FRAME_OPTIONS
        response.headers.setdefault("Content-Length", str(len(response.content)))
        return response


def is_short(request: HttpRequest) -> bool:
    """Return whether a request saves and has no session."""
    return (
        request.method == "POST"
        and ADDRESS.fullmatch(request.path_info) is not None
        and settings.SESSION_COOKIE_NAME not in request.COOKIES
    )
