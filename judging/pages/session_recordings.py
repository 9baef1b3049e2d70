"""The recording of a session: numbered chunks from a browser, and byte ranges for its player."""

import re
from collections.abc import Iterator
from datetime import timedelta

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from annotation.clock import database_now
from annotation.people import access
from annotation.people.access import Act, user_of
from annotation.people.access.roles import check as check_right
from annotation.refusals import Refusal
from annotation.texts.translation import translated_error
from judging.models import ModeratedSession, Recording
from judging.pages.session_pages import is_heard, session_of
from judging.sessions import recordings, saving_recordings

RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})")


@login_required
@require_http_methods(["GET", "POST"])
def recording(request: HttpRequest, slug: str, version: int, pk: int) -> HttpResponseBase:
    """Send the audio of a session, or save a part of it."""
    study = access.study_for(request.user, slug=slug, version=version, may=Act.VIEW)
    this = session_of(study, pk)
    check_right(study, Act.REVIEW)
    if request.method == "GET":
        if not is_heard(this):
            check_right(study, Act.EDIT)
        return _audio(request, get_object_or_404(this.recordings, chunks_expected__isnull=False))
    try:
        return JsonResponse(_save(request, this))
    except Refusal as refusal:
        body = {"refusal": refusal.code, "sentence": translated_error(refusal)}
        return JsonResponse(body, status=refusal.status)


def _save(request: HttpRequest, this: ModeratedSession) -> dict[str, object]:
    """Begin a recording, save the chunk `number`, or finish with `chunks`. Raises Refusal."""
    by, now = user_of(request), database_now()
    if "begin" in request.GET:
        started = this.assignment.started_at
        is_live = request.GET["begin"] == "now" and started is not None
        offset = offset_of(request, now - started) if is_live and started else None
        made = saving_recordings.begin(session=this, now=now, offset=offset)
        return {"saved": made.pk}
    made = get_object_or_404(this.recordings, pk=number_in(request, "recording"))
    if "chunks" in request.GET:
        saving_recordings.finish(recording=made, chunks=number_in(request, "chunks"), by=by)
    else:
        number = number_in(request, "number")
        if not number:
            raise Http404(gettext("Unknown part of a recording."))
        saving_recordings.save_chunk(recording=made, number=number, content=request.body)
    return {"saved": made.pk}


def offset_of(request: HttpRequest, since_consent: timedelta) -> float:
    """Return the seconds from consent to a recording that began `ago` milliseconds ago."""
    return since_consent.total_seconds() - number_in(request, "ago") / 1000


def number_in(request: HttpRequest, name: str) -> int:
    """Return a whole number of the address, 0 if there is none."""
    typed = request.GET.get(name, "")
    return int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 10 else 0


def _audio(request: HttpRequest, made: Recording) -> HttpResponseBase:
    """Return the audio, or the asked range of it, decrypted while it is sent."""
    size = recordings.size_of(made)
    start, end, status = 0, size, 200
    if asked := RANGE.fullmatch(request.headers.get("Range", "")):
        first, last = asked.groups()
        if first:
            start, end = int(first), min(size, int(last) + 1 if last else size)
        elif last:
            start = max(0, size - int(last))
        if start >= end:
            return HttpResponse(status=416, headers={"Content-Range": f"bytes */{size}"})
        status = 206
    body: Iterator[bytes] = recordings.read_range(made, start, end)
    response = StreamingHttpResponse(body, status=status, content_type=made.media_type)
    response["Accept-Ranges"] = "bytes"
    response["Content-Length"] = str(end - start)
    response["X-Content-Type-Options"] = "nosniff"
    if status == 206:
        response["Content-Range"] = f"bytes {start}-{end - 1}/{size}"
    return response
