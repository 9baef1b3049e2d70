"""Limits against guessed passwords, and the end of sessions.

Ten wrong guesses from an address lock that address out for a quarter of an hour, whatever names it
guesses. The owner, who may share the address with the guesser, is known by a browser that was
logged in before: it has a limit of its own, which no other browser uses up.
"""

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode, urlsplit

from axes.helpers import get_client_username
from django.conf import settings
from django.contrib.auth import get_user_model, logout, user_logged_in, user_logged_out
from django.contrib.auth.models import AbstractBaseUser, User
from django.core import signing
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import resolve_url
from django.utils.cache import add_never_cache_headers

from annotation.clock import database_now
from annotation.models import LoginSession
from config.accounts import recording_sessions

GUESSES, GUESSES_OF_KNOWN = 10, 100  # in AXES_COOLOFF_TIME
KNOWN = "crowdwright_known"  # the cookie
KNOWN_FOR = 180 * 24 * 3600  # seconds
TOUCH = 15 * 60  # seconds; how exactly we know when somebody was last here
BEGAN, SEEN = "began", "seen"  # in the session
NEVER_CACHE = "max-age=0, no-cache, no-store, must-revalidate, private"
UNSENT = "unsent"  # in the address of the log-in: a form was sent after the session had ended


def is_known(request: HttpRequest, credentials: dict[str, Any] | None = None) -> bool:
    """Return whether this browser was logged in under this name before, with today's password."""
    cookie = getattr(request, "COOKIES", {}).get(KNOWN, "")
    try:
        proof = signing.loads(cookie, salt=KNOWN, max_age=KNOWN_FOR)
    except signing.BadSignature:
        return False
    name = get_client_username(request, credentials) or ""
    user = get_user_model().objects.filter(username=name).first()
    return user is not None and proof == _proof(user)


def _proof(user: AbstractBaseUser) -> list[Any]:
    return [user.pk, user.get_session_auth_hash()]


def failure_limit(request: HttpRequest, credentials: dict[str, Any] | None = None) -> int:
    return GUESSES_OF_KNOWN if is_known(request, credentials) else GUESSES


def lockout_parameters(
    request: HttpRequest, credentials: dict[str, Any] | None = None
) -> list[str | list[str]]:
    """Return the parameters by which failures are counted.

    Failures under other names do not count against a known browser.
    """
    by_name: list[str | list[str]] = [["username", "ip_address"]]
    return by_name if is_known(request, credentials) else [*by_name, "ip_address"]


@receiver(user_logged_in)
def _begin(*, request: HttpRequest, user: User, **_: Any) -> None:
    request.session[BEGAN] = request.session[SEEN] = int(database_now().timestamp())
    request.logged_in_now = user  # type: ignore[attr-defined]
    agent = request.META.get("HTTP_USER_AGENT", "")
    recording_sessions.begin(user=user, session=request.session, agent=agent, now=database_now())


@receiver(user_logged_out)
def _end(*, request: HttpRequest, user: User | None, **_: Any) -> None:
    if user is not None:
        LoginSession.objects.filter(key=request.session.session_key).delete()


def _lead_back(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Redirect a sign-in after an ended session to a page that helps.

    1. A part of a page that renews itself is told 401: the page to log in is no part of it.
    2. Who sent a form goes on with the page of the form. Django would lead to the address that
       takes the form, and most of these show no page.
    """
    if "Location" not in response:
        return response
    place = urlsplit(response["Location"])
    is_lost = QueryDict(place.query).get("next") == request.get_full_path()
    if not is_lost or place.path != resolve_url("login"):
        return response
    if "HX-Request" in request.headers:
        return HttpResponse(status=401)
    if request.method != "POST":
        return response
    came = urlsplit(request.headers.get("Referer", ""))
    is_ours = came.netloc == request.get_host() and not came.path.startswith("//")
    form = came._replace(scheme="", netloc="", fragment="").geturl() if is_ours else "/"
    response["Location"] = f"{place.path}?{urlencode({'next': form, UNSENT: 'yes'})}"
    return response


class LoginMiddleware:
    """Ends old sessions, makes browsers known, and lets nobody keep a copy of a page.

    A page of a worker is as private as one of a researcher. Only the documentation is public.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        # A worker has no session, and pays for none.
        if settings.SESSION_COOKIE_NAME in request.COOKIES:
            self._look_at(request)
        response = _lead_back(request, self.get_response(request))
        cached = response.get("Cache-Control", NEVER_CACHE)
        if cached.startswith("public"):
            pass
        elif cached != NEVER_CACHE:
            add_never_cache_headers(response)
        else:
            response["Cache-Control"] = NEVER_CACHE  # Django takes ten times as long to join it
        if user := getattr(request, "logged_in_now", None):
            response.set_cookie(
                KNOWN,
                signing.dumps(_proof(user), salt=KNOWN),
                max_age=KNOWN_FOR,
                secure=settings.SESSION_COOKIE_SECURE,
                httponly=True,
                samesite="Lax",
            )
        return response

    def _look_at(self, request: HttpRequest) -> None:
        """Idle ones end by their expiry, which each touch moves; no session is touched for ever."""
        session, now = request.session, int(database_now().timestamp())
        if session.is_empty() or not request.user.is_authenticated:
            return
        if now - session.setdefault(BEGAN, now) > settings.SESSION_LASTS:
            logout(request)
        elif now - session.get(SEEN, 0) > TOUCH:
            session[SEEN] = now
            recording_sessions.see(
                user=request.user,
                session=session,
                agent=request.META.get("HTTP_USER_AGENT", ""),
                now=database_now(),
            )
