"""Around everything else: the id of a request, and its metrics."""

from collections.abc import Callable
from time import perf_counter

from django.conf import settings
from django.core.signals import request_finished
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from structlog.contextvars import bind_contextvars, unbind_contextvars

from annotation.request_ids import HEADER, KEY, accepted

FAILURE = "crowdwright.failure"  # in the environment of a request whose save has failed already


@receiver(request_finished)
def _forget(**_: object) -> None:
    """Unbind the id only now: Django logs refused requests after all middleware."""
    unbind_contextvars(KEY)


class RequestMiddleware:
    """Logs under the id of the request, answers with it, and counts if METRICS_TOKEN is set."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.observe: Callable[[HttpRequest, HttpResponse, float], None] | None = None
        if settings.METRICS_TOKEN:
            from config import metrics

            self.observe = metrics.observe

    def __call__(self, request: HttpRequest) -> HttpResponse:
        began = perf_counter()
        request_id = accepted(request.META.get("HTTP_X_REQUEST_ID"))
        bind_contextvars(**{KEY: request_id})
        response = self.get_response(request)
        response.headers[HEADER] = request_id
        if self.observe is not None:
            self.observe(request, response, perf_counter() - began)
        return response

    def process_view(self, request: HttpRequest, *_: object) -> None:
        """Raise the error of a save on the short path that is not to be repeated."""
        if (failure := request.META.get(FAILURE)) is not None:
            raise failure
