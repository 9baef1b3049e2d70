"""The language in which methods are looked at and taken."""

from django.http import HttpRequest

from annotation.models import Study


def language_of(request: HttpRequest) -> str:
    wanted = request.GET.get("language", "")
    return wanted if wanted in Study.Language else Study.Language.EN
