"""Pages for one's own account, the set-up of a server, passwords, and account administration."""

from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth import views as auth
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse_lazy
from django.utils.decorators import method_decorator
from django.utils.translation import gettext, ngettext
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation.clock import database_now
from annotation.console.confirmed import confirmed_when
from annotation.console.login import JoinForm
from annotation.models import AccountSettings, Introduction, Membership
from annotation.people import access
from annotation.people.access import making_keys, user_of
from annotation.people.mailing import sends_mail
from annotation.refusals import Refusal
from annotation.texts.translation import translated_error
from config import verifying
from config.accounts import changing, recording_sessions, setting_up

LINK = "new_password_link"  # in the session, until it is shown
BACKEND = "django.contrib.auth.backends.ModelBackend"


@sensitive_post_parameters("token", "password1", "password2")
@require_http_methods(["GET", "POST"])
def set_up(request: HttpRequest) -> HttpResponse:
    """Make the first account; there is no such page once somebody has one."""
    if not setting_up.is_needed():
        return redirect("login")
    typed = (request.POST if request.method == "POST" else request.GET).get("token", "")
    form, error = JoinForm(request.POST if request.method == "POST" else None), None
    setting_up.announce()
    if form.is_bound and form.is_valid():
        try:
            user = setting_up.make_first(token_typed=typed, form=form)
        except Refusal as refusal:
            error = refusal
        else:
            login(request, user, backend=BACKEND)
            return redirect("studies")
    file = setting_up.token_file()
    context = {"form": form, "token": typed, "token_file": file, "error": error}
    return render(request, "console/set_up.html", context, status=422 if form.is_bound else 200)


class AccountForm(forms.ModelForm):  # type: ignore[type-arg]
    introduction = forms.CharField(required=False, max_length=2000, strip=True)
    emails_when_done = forms.BooleanField(required=False)

    class Meta:
        model = User
        fields = ("email",)


def changes_address(request: HttpRequest) -> bool:
    return request.POST.get("email", "").strip() != user_of(request).email


def is_administrator(request: HttpRequest) -> bool:
    return user_of(request).is_superuser


@login_required
@require_http_methods(["GET", "POST"])
@confirmed_when(changes_address)
def account(request: HttpRequest) -> HttpResponse:
    """Name, e-mail address, introduction, password, second step, and where one is logged in."""
    user = user_of(request)
    introduction = Introduction.objects.filter(user=user).first()
    choices = AccountSettings.objects.filter(user=user).first()
    form = AccountForm(
        request.POST if request.method == "POST" else None,
        instance=user,
        initial={
            "introduction": introduction.text if introduction else "",
            "emails_when_done": bool(choices and choices.emails_when_done),
        },
    )
    if form.is_bound and form.is_valid():
        changing.save_profile(form=form)
        messages.success(request, gettext("Saved."))
        return redirect("account")
    now = database_now()
    context = {
        "form": form,
        "sends_mail": sends_mail(),
        "two_step": verifying.is_on(user),
        "sessions": recording_sessions.live(user, now),
        "here": request.session.session_key,
    }
    return render(request, "console/account.html", context, status=422 if form.is_bound else 200)


@login_required
@require_POST
def end_sessions(request: HttpRequest) -> HttpResponse:
    """End one of one's sessions, or all but this one."""
    user, session = user_of(request), request.POST.get("session", "")
    if session == "others":
        ended = recording_sessions.end(user=user, but=request.session.session_key)
    elif session.isdecimal() and len(session) < 18:
        ended = recording_sessions.end(user=user, pk=int(session))
    else:
        raise Http404("Session not found.")
    sentence = ngettext("{n} session ended.", "{n} sessions ended.", ended)
    messages.success(request, sentence.format(n=ended))
    return redirect("account")


class PasswordView(auth.PasswordChangeView):
    """A new password, by somebody who knows the old one; other sessions end."""

    template_name = "console/password.html"
    success_url = reverse_lazy("account")

    def form_valid(self, form: Any) -> HttpResponse:
        before = self.request.session.session_key
        answer = super().form_valid(form)
        session = self.request.session
        recording_sessions.rename(before=before, session=session)
        user = user_of(self.request)
        recording_sessions.end(user=user, but=session.session_key)
        messages.success(self.request, gettext("Password changed. Other sessions ended."))
        _revoke_keys(self.request, user)
        return answer

    def get_context_data(self, **context: Any) -> dict[str, Any]:
        return super().get_context_data(keys=_keys_of(user_of(self.request)), **context)


class ForgottenView(auth.PasswordResetView):
    """A link by e-mail. What the page says does not tell whether there is such an account."""

    template_name = "console/forgotten.html"
    email_template_name = "console/forgotten.txt"
    subject_template_name = "console/forgotten_subject.txt"
    form_class = changing.ForgottenForm
    success_url = reverse_lazy("forgotten")

    @property
    def extra_context(self) -> dict[str, Any]:  # type: ignore[override]
        return {"sends_mail": sends_mail()}

    @property
    def extra_email_context(self) -> dict[str, Any]:
        return {"base": settings.PUBLIC_URL}

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not sends_mail():
            return redirect("forgotten")
        return super().post(request, *args, **kwargs)

    def form_valid(self, form: Any) -> HttpResponse:
        messages.success(
            self.request,
            gettext("If this address has an account, we sent a link. It expires in 24 hours."),
        )
        return super().form_valid(form)


@method_decorator(sensitive_post_parameters(), name="dispatch")
class NewPasswordView(auth.PasswordResetConfirmView):
    """A new password, by a link. Nobody is logged in by it: a second step is asked as ever."""

    template_name = "console/new_password.html"
    success_url = reverse_lazy("login")

    def form_valid(self, form: Any) -> HttpResponse:
        answer = super().form_valid(form)
        recording_sessions.end(user=form.user)
        access.record(user=form.user, act="set a new password from a link")
        messages.success(self.request, gettext("Password set. Please sign in."))
        _revoke_keys(self.request, form.user)
        return answer

    def get_context_data(self, **context: Any) -> dict[str, Any]:
        keys = _keys_of(self.user) if self.validlink and isinstance(self.user, User) else 0
        return super().get_context_data(keys=keys, **context)


def _keys_of(user: User) -> int:
    """Return how many API keys of somebody can be used."""
    return int(user.api_keys.valid(now=database_now()).count())


def _revoke_keys(request: HttpRequest, user: User) -> None:
    """Revoke all API keys of somebody who asked for it with a new password."""
    if not request.POST.get("revoke_keys"):
        return
    n = making_keys.revoke_all(user=user, now=database_now())
    sentence = ngettext("{n} API key revoked.", "{n} API keys revoked.", n)
    messages.success(request, sentence.format(n=n))


# -- Administrators -----------------------------------------------------------------------------


def _other(request: HttpRequest, pk: int) -> User:
    """Somebody's account, for an administrator."""
    if not request.user.is_superuser:
        raise Http404("Page not found.")
    return get_object_or_404(User, pk=pk)


@login_required
@require_GET
def person(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the teams of an account, and the actions for it."""
    user = _other(request, pk)
    members = list(Membership.objects.filter(user=user).order_by("-pk"))
    things = access.shared_by({member.team_id for member in members})
    context = {
        "person": user,
        "roles": [
            (member, things[member.team_id]) for member in members if member.team_id in things
        ],
        "sessions": recording_sessions.live(user, database_now()),
        "two_step": verifying.is_on(user),
        "link": request.session.pop(LINK, None),
    }
    return render(request, "console/person.html", context)


@login_required
@require_POST
@confirmed_when(is_administrator)
def activate(request: HttpRequest, pk: int) -> HttpResponse:
    """Deactivate an account, or let its owner in again."""
    user, by = _other(request, pk), user_of(request)
    try:
        if request.POST.get("active") == "yes":
            changing.reactivate(user=user, by=by)
            messages.success(request, gettext("{user} can sign in again.").format(user=user))
        else:
            changing.deactivate(user=user, by=by)
            messages.success(
                request,
                gettext("{user} can't sign in.").format(user=user),
            )
    except Refusal as refusal:
        messages.error(request, translated_error(refusal))
    return redirect("person", pk)


@login_required
@require_POST
@confirmed_when(is_administrator)
def reset(request: HttpRequest, pk: int) -> HttpResponse:
    """Make a link for a new password; the page that follows shows it once."""
    user = _other(request, pk)
    path = changing.make_link(user=user, by=user_of(request))
    request.session[LINK] = request.build_absolute_uri(path)
    return redirect("person", pk)
