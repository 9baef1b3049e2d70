"""Page on which participants record their session in their own browser, and its chunks.

It stays open in a tab of its own while they work in another. The token is the authority.
"""

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from annotation.clock import database_now
from annotation.fieldwork.pages.assignment_lookup import assignment_for
from annotation.models import Assignment, Study
from annotation.refusals import Refusal
from annotation.texts.sentences import Sentence
from annotation.texts.translation import translated_error
from judging.models import Recording
from judging.pages.session_recordings import number_in, offset_of
from judging.sessions import saving_recordings, saving_sessions


@csrf_exempt
@require_http_methods(["GET", "POST"])
def recording(request: HttpRequest, token: str) -> HttpResponseBase:
    """Show the recorder, or save a part of the recording. Both need consent."""
    work = assignment_for(token, kind=Study.Kind.JUDGING)
    agreed = work.started_at is not None and work.state != Assignment.State.WITHDRAWN
    if request.method == "GET":
        return _page(request, work) if work.study.recorded and agreed else redirect("work", token)
    if not work.study.recorded:
        raise Http404(gettext("Unknown part of a recording."))
    try:
        return JsonResponse({"saved": _save(request, work).pk})
    except Refusal as refusal:
        body = {"refusal": refusal.code, "sentence": translated_error(refusal)}
        return JsonResponse(body, status=refusal.status)


def _page(request: HttpRequest, work: Assignment) -> HttpResponse:
    context = {"study": work.study, "assignment": work, "is_saved": _complete(work)}
    response = render(request, "worker/record.html", context)
    response["Permissions-Policy"] = "microphone=(self)"
    return response


def _complete(work: Assignment) -> bool:
    rows = Recording.objects.filter(session__assignment=work, chunks_expected__isnull=False)
    return rows.exists()


def _save(request: HttpRequest, work: Assignment) -> Recording:
    """Begin a recording, save the chunk `number`, or finish with `chunks`. Raises Refusal."""
    now = database_now()
    if "begin" in request.GET:
        session = saving_sessions.make(assignment=work, now=now)
        if _complete(work):  # another one would replace it
            raise Refusal("AlreadyRecorded", Sentence("Your recording is already saved."))
        offset = offset_of(request, now - (work.started_at or now))
        return saving_recordings.begin(session=session, now=now, offset=offset)
    rows = Recording.objects.filter(session__assignment=work)
    made = get_object_or_404(rows, pk=number_in(request, "recording"))
    if "chunks" in request.GET:
        saving_recordings.finish(recording=made, chunks=number_in(request, "chunks"), by=None)
    else:
        number = number_in(request, "number")
        if not number:
            raise Http404(gettext("Unknown part of a recording."))
        saving_recordings.save_chunk(recording=made, number=number, content=request.body)
    return made
