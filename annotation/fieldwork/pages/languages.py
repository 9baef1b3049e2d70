"""The language of a worker's pages: that of the study, whatever the browser asks for.

Pages before the study is known (a broken link) follow the browser. The console is English.
"""

import re
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation

from annotation.models import Assignment, Study

ADDRESS = re.compile(r"/(?:s/(?P<slug>[^/]+)|w/(?P<token>[^/]+))(?:/|$)")


class LanguageMiddleware:
    """Reset the language at the end of each request."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        language = settings.LANGUAGE_CODE
        if ADDRESS.match(request.path_info):
            language = translation.get_language_from_request(request)
        with translation.override(language):
            return self.get_response(request)


def speak(study: Study) -> None:
    """Use the language of the study until the end of the request."""
    translation.activate(study.language)


def speak_at(request: HttpRequest) -> None:
    """Use the language of the study of a worker's address, where no view has looked it up."""
    match = ADDRESS.match(request.path_info)
    if match and match["token"]:
        rows = Assignment.objects.addressed(match["token"]).values_list("study__language")
        for (language,) in rows:
            translation.activate(language)
