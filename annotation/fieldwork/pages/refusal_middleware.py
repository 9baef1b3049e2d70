"""Answers refusals of the domain with a page, or with JSON for scripts."""

from collections.abc import Callable

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.request import UnreadablePostError
from django.shortcuts import render
from django.urls import Resolver404, resolve

from annotation.fieldwork.pages.languages import speak_at
from annotation.fieldwork.work.refusals import NotLive, OtherTab, UnknownLink
from annotation.refusals import Refusal, too_large
from annotation.texts.sentences import Sentence
from annotation.texts.translation import translated

MAX_DISCARDED_BYTES = 64 << 20  # bytes of a request that is refused for its size


class RefusalMiddleware:
    """Answer a Refusal with its status and sentence."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        # Before anything reads the body: Django itself would answer without a sentence.
        length = request.META.get("CONTENT_LENGTH") or "0"
        is_large = length.isdigit() and int(length) > (settings.DATA_UPLOAD_MAX_MEMORY_SIZE or 0)
        if is_large and not _takes_files(request):
            _read_away(request)
            is_form = request.META.get("CONTENT_TYPE", "").startswith("multipart/form-data")
            return refused(request, _file_too_large() if is_form else too_large())
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if isinstance(exception, RequestDataTooBig):
            exception = too_large()
        return refused(request, exception) if isinstance(exception, Refusal) else None


def _file_too_large() -> Refusal:
    return Refusal(
        "FileTooLarge",
        Sentence("This file is too large. Choose a smaller one."),
        status=413,
        title=Sentence("Too large"),
    )


def _read_away(request: HttpRequest) -> None:
    """Read the rest of a large request: browsers show no answer while they are sending."""
    left = MAX_DISCARDED_BYTES
    try:
        while left > 0 and (read := request.read(min(left, 1 << 16))):
            left -= len(read)
    except UnreadablePostError:  # whoever sent it is gone, and nobody reads the answer
        return


def _takes_files(request: HttpRequest) -> bool:
    """Return whether the view of this address reads large files with its own limit."""
    try:
        view = resolve(request.path_info).func
        return getattr(getattr(view, "view_class", view), "takes_files", False)
    except Resolver404:
        return False


def refused(request: HttpRequest, refusal: Refusal) -> HttpResponse:
    """Return the answer to a refusal; JSON has its kind, too."""
    speak_at(request)
    sentence = translated(refusal.said)
    if "application/json" in request.headers.get("Accept", ""):
        body: dict[str, object] = {"refusal": refusal.code, "sentence": sentence}
        if isinstance(refusal, NotLive):
            body["state"] = refusal.state
        if isinstance(refusal, OtherTab):
            body["after"] = refusal.after
        return JsonResponse(body, status=refusal.status)
    context = {
        "title": translated(refusal.title),
        "sentence": sentence,
        "code": refusal.code,
        "state": getattr(refusal, "state", ""),
        "other_tab": isinstance(refusal, OtherTab),
        "has_work": not isinstance(refusal, UnknownLink),
        "onboarding": refusal.onboarding,
        "study": refusal.study,
        "contact": refusal.contact,
        "own_work": refusal.own_work,
        "lets_nobody_in": refusal.lets_nobody_in,
        "asks_return": refusal.asks_return,
    }
    return render(request, "worker/refused.html", context, status=refusal.status)
