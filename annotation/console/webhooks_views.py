"""The secret with which Prolific signs what it tells us: made or changed, and never shown."""

from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from annotation.clock import database_now
from annotation.console.confirmed import confirmed_when
from annotation.fieldwork.platforms import calls
from annotation.fieldwork.platforms.prolific_client import client_for_settings
from annotation.fieldwork.recruiting.prolific import saving_webhook_secrets, study_status
from annotation.people import access
from annotation.texts.translation import translated_error

LONGEST = 60  # of a workspace's id; Prolific's have 24


@login_required
@require_http_methods(["GET", "POST"])
@confirmed_when(lambda request: request.user.is_superuser)
def webhooks(request: HttpRequest) -> HttpResponse:
    """Show the secrets of webhooks to administrators; a secret is for all studies of the server."""
    if not request.user.is_superuser:
        raise Http404("Page not found.")
    context: dict[str, Any] = {
        "workspace": settings.PROLIFIC_WORKSPACE,
        "webhook": study_status.last_webhook(),
        "webhook_address": study_status.webhook_address(),
        "has_secret": saving_webhook_secrets.is_known(),
        "has_token": bool(settings.PROLIFIC_TOKEN),
        "dry_run": settings.RECRUITING_DRY_RUN,
    }
    status = _make(request, context) if request.method == "POST" else 200
    return render(request, "console/recruit/webhooks.html", context, status=status)


def _make(request: HttpRequest, context: dict[str, Any]) -> int:
    """Make a secret, and subscribe with it where that is asked for; the status of the answer.

    A secret that was made is kept whatever follows: the one before has ended.
    """
    workspace = request.POST.get("workspace", "").strip()
    context["workspace"] = workspace[:LONGEST]
    if not 0 < len(workspace) <= LONGEST or not workspace.isalnum() or not workspace.isascii():
        context["faulty"] = True
        return 422
    client = client_for_settings()
    try:
        secret = client.create_secret(workspace)
        saving_webhook_secrets.keep(workspace=workspace, secret=secret, now=database_now())
        context |= {"made": True, "has_secret": True}
        access.record(user=request.user, act="created a Prolific webhook secret")
        if request.POST.get("subscribe"):
            client.subscribe(workspace=workspace, address=context["webhook_address"])
            context["subscribed"] = True
    except (calls.CallRefused, calls.OutcomeUnknown) as error:
        context["refused"] = translated_error(error)
        return 409
    return 200
