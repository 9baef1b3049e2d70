"""Logging in, in one step or two, and the page that turns the second one on and off."""

from base64 import b32encode
from typing import Any

from django.contrib import messages
from django.contrib.auth import authenticate, get_user_model, login
from django.contrib.auth import views as auth
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation.clock import database_now
from annotation.console.confirmed import confirmed
from annotation.console.login import LoginForm
from annotation.links import qr_code
from annotation.people.access import user_of
from annotation.refusals import Refusal
from annotation.texts.translation import translated_error
from config import verifying
from config.accounts import setting_up

WAITING = "waiting_for_code"  # in the session: who has shown the password and nothing else
WAITS = 10 * 60  # seconds


class LoginView(auth.LoginView):
    """Name and password; they log nobody in who has turned the second step on."""

    template_name = "console/login.html"
    authentication_form = LoginForm

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if setting_up.is_needed():
            return redirect("set_up")
        return super().get(request, *args, **kwargs)

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        user = form.get_user()
        if not verifying.is_on(user):
            return super().form_valid(form)
        session = self.request.session
        session.cycle_key()  # nobody who knew the key before is let in by the owner's code
        session[WAITING] = {
            "user": user.pk,
            "hash": user.get_session_auth_hash(),
            "backend": user.backend,  # type: ignore[attr-defined]
            "since": int(database_now().timestamp()),
            "next": self.get_success_url(),
        }
        return redirect("login_code")


@sensitive_post_parameters("code")
@require_http_methods(["GET", "POST"])
def code(request: HttpRequest) -> HttpResponse:
    """Show the second step of signing in."""
    waiting = request.session.get(WAITING, {})
    user = _who_waits(waiting)
    if user is None:
        request.session.pop(WAITING, None)
        return redirect("login")
    if request.method == "GET":
        return render(request, "console/login_code.html")
    try:
        _take_code(request, user)
    except Refusal as refusal:
        return render(request, "console/login_code.html", {"error": refusal}, status=refusal.status)
    del request.session[WAITING]
    login(request, user, backend=waiting["backend"])
    return redirect(waiting["next"])


def _who_waits(waiting: dict[str, Any]) -> User | None:
    if not 0 <= database_now().timestamp() - waiting.get("since", 0) <= WAITS:
        return None
    user = get_user_model().objects.filter(pk=waiting["user"], is_active=True).first()
    if user is None or not verifying.is_on(user):
        return None
    same = constant_time_compare(waiting["hash"], user.get_session_auth_hash())
    return user if same else None  # the password was changed meanwhile


def _take_code(request: HttpRequest, user: User) -> None:
    """Within the limits of config/logging_in.py: a wrong code counts as a wrong password."""
    typed = request.POST.get("code", "")
    if authenticate(request, username=user.get_username(), token=typed) is None:
        raise verifying.WrongCode


@login_required
@require_GET
def two_step(request: HttpRequest) -> HttpResponse:
    return _page(request)


@login_required
@require_POST
@confirmed
def prepare(request: HttpRequest) -> HttpResponse:
    try:
        verifying.prepare(user=user_of(request))
    except verifying.AlreadyOn as refusal:
        messages.info(request, translated_error(refusal))
    return redirect("two_step")


@sensitive_post_parameters("code")
@login_required
@require_POST
def turn_on(request: HttpRequest) -> HttpResponse:
    try:
        codes = verifying.turn_on(user=user_of(request), code=request.POST.get("code", ""))
    except (verifying.AlreadyOn, verifying.NotPrepared) as refusal:
        messages.info(request, translated_error(refusal))
        return redirect("two_step")
    except Refusal as refusal:
        return _page(request, refusal)
    return render(request, "console/recovery_codes.html", {"codes": codes, "all": "\n".join(codes)})


@sensitive_post_parameters("code")
@login_required
@require_POST
@confirmed
def turn_off(request: HttpRequest) -> HttpResponse:
    user = user_of(request)
    if verifying.is_on(user):
        try:
            _take_code(request, user)
        except Refusal as refusal:
            return _page(request, refusal)
        verifying.turn_off(user=user)
        messages.success(request, gettext("Two-step sign-in turned off."))
    return redirect("two_step")


def _page(request: HttpRequest, error: Refusal | None = None) -> HttpResponse:
    user = user_of(request)
    context: dict[str, object] = {
        "is_on": verifying.is_on(user),
        "left": verifying.recovery_codes_left(user),
        "error": error,
    }
    if not context["is_on"] and (phone := verifying.prepared(user)):
        secret = b32encode(phone.bin_key).decode()
        context["secret"] = [secret[n : n + 4] for n in range(0, len(secret), 4)]
        context["picture"] = qr_code(phone.config_url)
    return render(request, "console/two_step.html", context, status=error.status if error else 200)
