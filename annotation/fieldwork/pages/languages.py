"""The language of a worker's pages: that of the study, whatever the browser asks for.

Whoever finds the study of a worker's address says so by `speak`. A page before that (a broken
link) follows the browser. The researcher's pages are English.
"""

import re
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation

from annotation.models import Assignment, Study

ADDRESS = re.compile(r"/(?:s/(?P<slug>[^/]+)|w/(?P<token>[^/]+))(?:/|$)")


class LanguageMiddleware:
    """Every request ends in the language that it began in."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        language = settings.LANGUAGE_CODE
        if ADDRESS.match(request.path_info):
            language = translation.get_language_from_request(request)
        with translation.override(language):
            return self.get_response(request)


def speak(study: Study) -> None:
    """From here to the end of the request, in the language of the study."""
    translation.activate(study.language)


def speak_at(request: HttpRequest) -> None:
    """The same for the study of a worker's address, where nobody has looked it up."""
    found = ADDRESS.match(request.path_info)
    if found and found["token"]:
        rows = Assignment.objects.addressed(found["token"]).values_list("study__language")
        for (language,) in rows:
            translation.activate(language)
