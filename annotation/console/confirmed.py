"""Page that asks for the password again before a sensitive change."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from annotation.people.access import confirming

View = Callable[..., HttpResponse]
OURS = ("csrfmiddlewaretoken", confirming.FIELD)


def confirmed_when(when: Callable[[HttpRequest], bool]) -> Callable[[View], View]:
    """Let a view take some forms only after their sender has given the password again.

    The page that asks for it sends the same form once more, so that nothing typed is lost.
    """

    def decorator(view: View) -> View:
        @wraps(view)
        def page(request: HttpRequest, *args: Any, **named: Any) -> HttpResponse:
            if request.method == "POST" and request.user.is_authenticated and when(request):
                try:
                    confirming.require(request)
                except confirming.PasswordNotConfirmed as refusal:
                    return _asked(request, refusal)
            return view(request, *args, **named)

        return page

    return decorator


confirmed = confirmed_when(lambda _: True)


def _asked(request: HttpRequest, refusal: confirming.PasswordNotConfirmed) -> HttpResponse:
    sent = [
        (name, value)
        for name, values in request.POST.lists()
        if name not in OURS
        for value in values
    ]
    context = {
        "sent": sent,
        "address": request.get_full_path(),
        "field": confirming.FIELD,
        "is_wrong": isinstance(refusal, confirming.WrongPassword),
        "error": refusal,
    }
    return render(request, "console/confirm.html", context, status=refusal.status)
