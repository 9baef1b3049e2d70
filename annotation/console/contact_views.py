"""A submission at Prolific: its state, what was written to its participant, and a form to write."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from annotation.clock import database_now
from annotation.fieldwork.platforms import calls
from annotation.fieldwork.recruiting.prolific import messaging
from annotation.models import PlatformMessage, PlatformSubmission
from annotation.people import access
from annotation.people.access import Act
from annotation.people.access.roles import check
from annotation.refusals import Refusal
from annotation.texts.translation import translated_error


@login_required
@require_http_methods(["GET", "POST"])
def contact_participant(request: HttpRequest, slug: str, version: int, pk: int) -> HttpResponse:
    """Show a submission, and send what is written to its participant."""
    study = access.study_for(request.user, slug=slug, version=version, may=Act.VIEW)
    rows = PlatformSubmission.objects.filter(platform_study__study=study)
    rows = rows.select_related("platform_study__study", "worker", "assignment")
    submission = get_object_or_404(rows, pk=pk)
    check(study, Act.RUN)
    refused = ""
    if request.method == "POST":
        try:
            messaging.write(
                submission=submission,
                kind=request.POST.get("kind", ""),  # type: ignore[arg-type]
                body=request.POST.get("body", ""),
                number=_number(request.POST.get("number", "")),
                user=request.user,  # type: ignore[arg-type]
                now=database_now(),
            )
        except (Refusal, calls.CallRefused) as error:
            refused = translated_error(error)
        except calls.OutcomeUnknown as error:
            refused = gettext("{error} Check Prolific before you send it again.").format(
                error=translated_error(error)
            )
        else:
            messages.success(request, gettext("Sent."))
            return redirect("contact_participant", slug, version, pk)
    context: dict[str, Any] = {
        "study": study,
        "submission": submission,
        "sent": submission.messages.select_related("made_by").order_by("-pk"),
        "number": submission.messages.count(),
        "why_no_message": messaging.why_not(submission, PlatformMessage.Kind.MESSAGE),
        "why_no_return": messaging.why_not(submission, PlatformMessage.Kind.RETURN),
        "body": request.POST.get("body", ""),
        "kind": request.POST.get("kind", ""),
        "most": messaging.MAX_LENGTH,
        "refused": refused,
    }
    status = 409 if refused else 200
    return render(request, "console/recruit/contact.html", context, status=status)


def _number(sent: str) -> int:
    return int(sent) if sent.isascii() and sent.isdecimal() and len(sent) < 6 else -1
