"""The page on which a person makes and revokes the keys of their programs."""

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from annotation.clock import database_now
from annotation.console.confirmed import confirmed
from annotation.people.access import Act, making_keys, user_of
from annotation.texts.translation import translated_error

LASTING = [
    ("30", gettext_lazy("30 days")),
    ("90", gettext_lazy("90 days")),
    ("365", gettext_lazy("1 year")),
    ("", gettext_lazy("Until revoked")),
]


class KeyForm(forms.Form):
    name = forms.CharField(label=gettext_lazy("Purpose"), max_length=80)
    scopes = forms.MultipleChoiceField(
        label=gettext_lazy("Additional permissions"),
        choices=[
            (act.value, gettext_lazy(title))
            for act, title in making_keys.SCOPES.items()
            if act != Act.VIEW
        ],
        widget=forms.CheckboxSelectMultiple,
        required=False,
    )
    days = forms.TypedChoiceField(
        label=gettext_lazy("Expires after"),
        choices=LASTING,
        coerce=int,
        empty_value=None,
        required=False,
        initial="365",
    )


@login_required
@require_http_methods(["GET", "POST"])
@confirmed
def keys(request: HttpRequest) -> HttpResponse:
    """Show the API keys of the account; a new key is shown once."""
    user = user_of(request)
    secret = ""
    form = KeyForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            _, secret = making_keys.make_key(user=user, now=database_now(), **form.cleaned_data)
        except making_keys.BadKey as error:
            form.add_error(error.field, translated_error(error))
        else:
            form = KeyForm()
    context = {
        "form": form,
        "secret": secret,
        "keys": user.api_keys.filter(revoked_at=None),
        "now": database_now(),
    }
    bad = request.method == "POST" and not secret
    return render(request, "console/api_keys.html", context, status=422 if bad else 200)


@login_required
@require_POST
def revoke(request: HttpRequest, pk: int) -> HttpResponse:
    user = user_of(request)
    key = get_object_or_404(user.api_keys, pk=pk)
    if making_keys.revoke_key(key=key, user=user, now=database_now()):
        messages.success(
            request,
            gettext("API key {key} revoked.").format(key=key),
        )
    return redirect("api_keys")
